import type { z } from "zod";

/** One setting. Its name in camelCase gives `--data-dir`, `FARHAND_DATA_DIR` and the file's key `dataDir`. */
export interface Option {
  /** Reads text (flag, environment) or a JSON value (file); carries the default. */
  schema: z.ZodType;
  description: string;
  /** Shown behind the flag in help; left out for a switch. */
  placeholder?: string;
  /** Its value is never printed. */
  secret?: boolean;
}

export type OptionTable = Record<string, Option>;
export type OptionValues<T extends OptionTable> = { [K in keyof T]: z.output<T[K]["schema"]> };

export interface OptionSources {
  /** Parsed flags by camelCase name: a switch is true, anything else its text. */
  flags: Record<string, string | boolean>;
  env: Record<string, string | undefined>;
  /** The configuration file's object, or {}. */
  file: Record<string, unknown>;
}

/** Everything that is wrong with the settings at once; printed as lines, exit code 2. */
export class OptionError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.name = "OptionError";
    this.problems = problems;
  }
}

export const flagName = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
export const envName = (name: string) => `FARHAND_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/** Default, file, environment, flag: the later wins. Throws OptionError. */
export function readOptions<T extends OptionTable>(table: T, sources: OptionSources): OptionValues<T> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(table)) {
    const given = pick(name, sources);
    const parsed = option.schema.safeParse(given?.value);
    if (parsed.success) values[name] = parsed.data;
    else
      problems.push(
        `${given?.from ?? flagName(name)}: ${parsed.error.issues.map((issue) => issue.message).join(", ")}`,
      );
  }
  for (const key of Object.keys(sources.file)) {
    if (!(key in table)) problems.push(`configuration file: unknown key ${key}`);
  }
  if (problems.length > 0) throw new OptionError(problems);
  return values as OptionValues<T>;
}

function pick(name: string, { flags, env, file }: OptionSources): { value: unknown; from: string } | undefined {
  if (flags[name] !== undefined) return { value: flags[name], from: flagName(name) };
  const fromEnv = env[envName(name)];
  if (fromEnv !== undefined && fromEnv !== "") return { value: fromEnv, from: envName(name) };
  if (file[name] !== undefined) return { value: file[name], from: `configuration file: ${name}` };
  return undefined;
}
