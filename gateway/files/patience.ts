import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";

/** How long a client may send nothing, and a device agent send or take nothing. */
export const stalledMs = 2 * limits.pingMs;

/** Each call sets how long we wait from now on and what is said then; `null`: we wait no more. */
export type Patience = (ms: number | null, message?: string) => void;

export function createPatience(clock: Clock, end: (error: CodedError) => void): Patience {
  let callOff = () => {};
  return (ms, message = "Nothing moved for a while.") => {
    callOff();
    callOff = ms === null ? () => {} : clock.after(ms, () => end(new CodedError("deadline_exceeded", message)));
  };
}
