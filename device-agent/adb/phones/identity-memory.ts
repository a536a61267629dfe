import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Logger } from "../../../shared/log.ts";
import type { Identity } from "./identity.ts";

const fields = ["hardwareSerial", "androidId", "bootId", "name", "model", "androidRelease"] as const;
/** Addresses come and go; only the newest are worth keeping. */
const MOST = 200;

/**
 * Who was last seen under which ADB serial, so that a phone that is away or locked out keeps its key; across restarts
 * too when there is a file. A file that cannot be used is as good as none.
 */
export class IdentityMemory {
  readonly #file: string | undefined;
  readonly #logger: Logger;
  readonly #known: Map<string, Identity>;

  constructor(file: string | undefined, logger: Logger) {
    this.#file = file;
    this.#logger = logger;
    this.#known = new Map(file === undefined ? [] : this.#load(file));
  }

  get(serial: string): Identity | undefined {
    return this.#known.get(serial);
  }

  set(serial: string, identity: Identity): void {
    const old = this.#known.get(serial);
    if (old && fields.every((field) => old[field] === identity[field])) return;
    this.#known.delete(serial);
    this.#known.set(serial, identity);
    this.#save();
  }

  #load(file: string): [string, Identity][] {
    try {
      const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
      if (typeof parsed !== "object" || parsed === null) return [];
      return Object.entries(parsed).filter((entry): entry is [string, Identity] => isIdentity(entry[1]));
    } catch (error) {
      const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (!isMissing) this.#logger.warn("the list of known phones cannot be read", { cause: error });
      return [];
    }
  }

  #save(): void {
    if (this.#file === undefined) return;
    const newest = [...this.#known].slice(-MOST);
    try {
      writeFileSync(`${this.#file}.new`, JSON.stringify(Object.fromEntries(newest)), { mode: 0o600 });
      renameSync(`${this.#file}.new`, this.#file);
    } catch (error) {
      this.#logger.warn("the list of known phones cannot be written", { cause: error });
    }
  }
}

function isIdentity(value: unknown): value is Identity {
  if (typeof value !== "object" || value === null) return false;
  return fields.every((field) => typeof Object.getOwnPropertyDescriptor(value, field)?.value === "string");
}
