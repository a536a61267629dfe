import type { Clock } from "../shared/clock.ts";

export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    after(ms, action) {
      const timer = setTimeout(action, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
