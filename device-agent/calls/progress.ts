import type { Clock } from "../../shared/clock.ts";

/** At most four reports a second reach the caller. */
const betweenMs = 250;

interface Report {
  progress: number;
  total: number;
  message: string;
}

/** Passes on a handler's progress: strictly growing values, not more often than a caller can read, the newest one last. */
export interface Progress {
  report(report: Report): void;
  stop(): void;
}

export function createProgress(options: { clock: Clock; send: (report: Report) => void }): Progress {
  const { clock, send } = options;
  let highest = Number.NEGATIVE_INFINITY;
  let quietUntil = 0;
  let latest: Report | undefined;
  let callOff: (() => void) | undefined;

  const flush = () => {
    callOff = undefined;
    if (!latest) return;
    quietUntil = clock.now() + betweenMs;
    const report = latest;
    latest = undefined;
    send(report);
  };

  return {
    report(report) {
      if (!(report.progress > highest)) return;
      highest = report.progress;
      latest = report;
      const waitMs = quietUntil - clock.now();
      if (waitMs <= 0) flush();
      else callOff ??= clock.after(waitMs, flush);
    },
    stop() {
      callOff?.();
      latest = undefined;
    },
  };
}
