import type { Clock } from "../../shared/clock.ts";
import type { ProgressReport } from "../relay/relay.ts";

export interface ProgressNotification {
  progressToken: string | number;
  progress: number;
  total?: number;
  message?: string;
}

export interface ProgressReporter {
  report(report: ProgressReport): void;
  /** Nothing is sent afterwards. */
  stop(): void;
}

/** A client that shows nothing for ten seconds looks hung. */
const firstWithinMs = 8_000;

/** Passes reports on under the client's token: strictly increasing, and a first one soon even if none came. */
export function createProgressReporter(deps: {
  clock: Clock;
  progressToken: string | number;
  send: (notification: ProgressNotification) => void;
}): ProgressReporter {
  const { clock, progressToken, send } = deps;
  let last = Number.NEGATIVE_INFINITY;
  let stopped = false;

  const report = ({ progress, total, message }: ProgressReport) => {
    if (stopped || !Number.isFinite(progress) || progress <= last) return;
    last = progress;
    send({
      progressToken,
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    });
  };
  const callOff = clock.after(firstWithinMs, () => report({ progress: 0, message: "Working" }));

  return {
    report,
    stop() {
      stopped = true;
      callOff();
    },
  };
}
