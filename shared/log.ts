export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Record<string, unknown>;

/** Writes one record. `fields` hold validated values and causes; secrets are never passed in. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

const order: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** A logger of JSON lines: `write` gets one line without its newline. */
export function createLogger(options: {
  source: string;
  level: LogLevel;
  write: (line: string) => void;
  now: () => number;
}): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (order[level] < order[options.level]) return;
      const head = { at: new Date(options.now()).toISOString(), level, source: options.source, message };
      options.write(JSON.stringify({ ...head, ...plain(fields) }));
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function plain(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, describe(value)]));
}

/** An Error has no enumerable fields, so JSON would show `{}` in the one place where its text matters. */
function describe(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const told = { name: value.name, message: value.message, stack: value.stack };
  return value.cause === undefined ? told : { ...told, cause: describe(value.cause) };
}
