/** Why the process that reads gave no texts. `message` holds text of libraries: for the log only. */
export class ReaderFailure extends Error {
  /** `unusable`: the models cannot be loaded here; `ended`: the process is gone; `failed`: this picture went wrong. */
  readonly kind: "unusable" | "ended" | "failed";

  constructor(kind: ReaderFailure["kind"], message: string) {
    super(message);
    this.name = "ReaderFailure";
    this.kind = kind;
  }
}
