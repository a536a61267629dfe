import type { Clock } from "../../shared/clock.ts";

export interface ManualClock extends Clock {
  /** Lets `ms` pass: every timer due by then runs at its own time, and what it sets off gets its turn in between. */
  advance(ms: number): Promise<void>;
  /** How many timers wait. */
  waiting(): number;
}

/** A clock that moves only when a test says so. */
export function createManualClock(startAt = 1_700_000_000_000): ManualClock {
  let now = startAt;
  let nextId = 0;
  const timers = new Map<number, { at: number; action: () => void }>();

  const firstDue = (until: number) =>
    [...timers].filter(([, { at }]) => at <= until).sort(([a, x], [b, y]) => x.at - y.at || a - b)[0];

  return {
    now: () => now,
    after(ms, action) {
      const id = nextId++;
      timers.set(id, { at: now + Math.max(0, ms), action });
      return () => timers.delete(id);
    },
    async advance(ms) {
      const until = now + ms;
      await settled();
      for (let due = firstDue(until); due; due = firstDue(until)) {
        const [id, { at, action }] = due;
        timers.delete(id);
        now = Math.max(now, at);
        action();
        await settled();
      }
      now = until;
    },
    waiting: () => timers.size,
  };
}

/** Lets promises that are settled already have their effects. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
