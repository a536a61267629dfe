import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import type { Call } from "../../shared/link/messages.ts";
import type { LinkConnection } from "../link/open-link.ts";
import { type Answer, sendAnswer } from "./answer.ts";
import { createProgress } from "./progress.ts";

/** A call on its way to its phone; a step of `run_steps` is one too. */
export interface CallAtWork {
  call: Call;
  /** Aborts with a CodedError: the deadline passed, the caller gave up, or the device agent stops. */
  signal: AbortSignal;
  /** The deadline. */
  endsAt: number;
  /** Set when the phone's turn came; before that nothing can have been sent to it. */
  started: boolean;
  /** The call around it is in the journal already. */
  isStep?: true;
  /** The Task that it is a part of. */
  taskId?: string | undefined;
  progress(done: number, total: number, message: string): void;
}

/** One call from its arrival to its answer. */
export interface RunningCall extends CallAtWork {
  /** The answer goes to the link that asked last. */
  attach(connection: LinkConnection): void;
  cancel(): void;
  abort(reason: CodedError): void;
  /** Sends the answer, unless the caller gave up. */
  finish(answer: Answer): Promise<void>;
}

export function createRunningCall(options: {
  clock: Clock;
  call: Call;
  timeoutMs: number;
  connection: LinkConnection;
}): RunningCall {
  const { clock, call, timeoutMs } = options;
  const controller = new AbortController();
  let connection = options.connection;
  let canceled = false;
  const progress = createProgress({
    clock,
    send: (report) => void connection.send({ type: "progress", id: call.id, ...report }),
  });
  const callOffDeadline = clock.after(timeoutMs, () => controller.abort(outOfTime(timeoutMs, running.started)));

  const running: RunningCall = {
    call,
    signal: controller.signal,
    endsAt: clock.now() + timeoutMs,
    started: false,
    attach(newer) {
      connection = newer;
    },
    cancel() {
      canceled = true;
      controller.abort(new CodedError("canceled", "The caller gave up."));
    },
    abort(reason) {
      controller.abort(reason);
    },
    progress(done, total, message) {
      if (call.wantsProgress && !controller.signal.aborted) progress.report({ progress: done, total, message });
    },
    async finish(answer) {
      callOffDeadline();
      progress.stop();
      // While an answer waits for its link to take it, a newer link may ask for it.
      for (let asked: LinkConnection | undefined; asked !== connection && !canceled; ) {
        asked = connection;
        await sendAnswer(asked, call.id, answer);
      }
    },
  };
  return running;
}

/** Says whether anything can have been sent to the phone. */
export function outOfTime(timeoutMs: number, started: boolean): CodedError {
  if (started) return new CodedError("deadline_exceeded", `Time ran out after ${timeoutMs} ms.`);
  return new CodedError(
    "deadline_exceeded",
    `Time ran out after ${timeoutMs} ms of waiting for other calls on this phone; nothing was sent.`,
    { hint: "Call again; nothing has happened yet." },
  );
}
