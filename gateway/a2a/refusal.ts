import type { CodedError } from "../../shared/errors.ts";
import type { Fault } from "./faults.ts";

/** A failure that HTTP itself tells too, with this status on both bindings. */
export class Refusal extends Error {
  readonly told: Fault | CodedError;
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(told: Fault | CodedError, status: number, headers: Record<string, string> = {}) {
    super(told.message);
    this.name = "Refusal";
    this.told = told;
    this.status = status;
    this.headers = headers;
  }
}
