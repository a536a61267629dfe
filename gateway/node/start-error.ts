/** Something that the person who started the gateway can put right: shown as one line, exit code 2. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StartError";
  }
}

/** The system's word for what went wrong, for example EACCES. */
export function systemCode(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : "unknown error";
}
