/** A reason not to start that the person at the machine can do something about: one line, exit code 2. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StartError";
  }
}
