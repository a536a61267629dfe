import type { Clock } from "../../shared/clock.ts";

/** Ends the work of a Task in time when the gateway may soon give it up. */
export interface LeaseWatch {
  /** The gateway keeps the Task until then, or longer. */
  prolong(until: number): void;
  /** From now on the Task acts; before that it may wait as long as it likes. */
  start(): void;
  stop(): void;
  /** Looks at once, since a timer may be late, as after a sleep of the machine. */
  look(): void;
}

export function createLeaseWatch(options: { clock: Clock; marginMs: number; lost: () => void }): LeaseWatch {
  const { clock, marginMs, lost } = options;
  let until = 0;
  let isWatching = false;
  let callOff = () => {};

  const look = () => {
    callOff();
    if (!isWatching) return;
    const leftMs = until - marginMs - clock.now();
    if (leftMs > 0) {
      callOff = clock.after(leftMs, look);
      return;
    }
    isWatching = false;
    lost();
  };

  return {
    prolong(later) {
      until = Math.max(until, later);
      look();
    },
    start() {
      isWatching = true;
      look();
    },
    stop() {
      isWatching = false;
      callOff();
    },
    look,
  };
}
