import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import type { CallOptions, RelayAnswer, RelayCall, RelayTarget } from "./relay.ts";

/** One call between its request and its answer, whatever happens to links meanwhile. */
export interface PendingCall {
  readonly target: RelayTarget;
  readonly call: RelayCall;
  readonly wantsProgress: boolean;
  /** The boot of the device agent to which it was last sent. */
  sentOnBoot: string | null;
  remainingMs(): number;
  /** Adds a caller that waits for the same answer. */
  join(options: CallOptions): Promise<RelayAnswer>;
  progress(progress: number, total: number | undefined, message: string | undefined): void;
  resolve(answer: RelayAnswer): void;
  reject(error: CodedError): void;
}

interface Waiter {
  options: CallOptions;
  resolve(answer: RelayAnswer): void;
  reject(error: CodedError): void;
}

export function createPendingCall(deps: {
  target: RelayTarget;
  call: RelayCall;
  wantsProgress: boolean;
  clock: Clock;
  onDeadline: () => void;
  /** Every waiter gave up. */
  onAbandoned: () => void;
  onSettled: () => void;
}): PendingCall {
  const { target, call, wantsProgress, clock } = deps;
  const endsAt = clock.now() + call.timeoutMs;
  const waiters = new Set<Waiter>();
  let settled = false;
  const callOff = clock.after(call.timeoutMs, () => deps.onDeadline());

  const settle = (tell: (waiter: Waiter) => void) => {
    if (settled) return;
    settled = true;
    callOff();
    deps.onSettled();
    for (const waiter of waiters) tell(waiter);
    waiters.clear();
  };

  const leave = (waiter: Waiter) => {
    if (!waiters.delete(waiter)) return;
    waiter.reject(new CodedError("canceled", "The call was canceled."));
    if (waiters.size > 0 || settled) return;
    deps.onAbandoned();
    settle(() => {});
  };

  return {
    target,
    call,
    wantsProgress,
    sentOnBoot: null,
    remainingMs: () => Math.max(0, endsAt - clock.now()),
    join(options) {
      return new Promise((resolve, reject) => {
        const { signal } = options;
        const onAbort = () => leave(waiter);
        const done = () => signal?.removeEventListener("abort", onAbort);
        const waiter: Waiter = {
          options,
          resolve: (answer) => {
            done();
            resolve(answer);
          },
          reject: (error) => {
            done();
            reject(error);
          },
        };
        waiters.add(waiter);
        if (signal?.aborted) leave(waiter);
        else signal?.addEventListener("abort", onAbort, { once: true });
      });
    },
    progress(progress, total, message) {
      for (const waiter of waiters) waiter.options.onProgress?.({ progress, total, message });
    },
    resolve: (answer) => settle((waiter) => waiter.resolve(answer)),
    reject: (error) => settle((waiter) => waiter.reject(error)),
  };
}
