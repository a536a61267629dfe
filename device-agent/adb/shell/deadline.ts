import type { Clock } from "../../../shared/clock.ts";
import { CodedError } from "../../../shared/errors.ts";
import { abortError } from "../errors.ts";

export interface Deadline {
  clock: Clock;
  ms: number;
  signal: AbortSignal;
  /** Completes "The phone did not … in time." */
  task: string;
}

/**
 * Runs `work` with a signal of its own that aborts with the caller's or when the time is over. Settles at that moment
 * even if `work` does not, and leaves no listener or timer behind.
 */
export function withDeadline<T>(deadline: Deadline, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { clock, ms, signal, task } = deadline;
  return new Promise<T>((resolve, reject) => {
    if (signal.aborted) return reject(abortError(signal));
    const own = new AbortController();
    const end = (settle: () => void) => {
      callOff();
      signal.removeEventListener("abort", onAbort);
      settle();
    };
    const stop = (error: CodedError) =>
      end(() => {
        reject(error);
        own.abort(error);
      });
    const onAbort = () => stop(abortError(signal));
    const callOff = clock.after(ms, () =>
      stop(new CodedError("deadline_exceeded", `The phone did not ${task} within ${Math.round(ms / 100) / 10} s.`)),
    );
    signal.addEventListener("abort", onAbort, { once: true });
    work(own.signal).then(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(error)),
    );
  });
}
