/** How long to wait before dialling again, spread at random so that a thousand device agents do not return at once. */
export interface BackOff {
  /** After an attempt or a link that failed for a reason that may pass. */
  next(): number;
  /** After an answer that a person has to act upon: wrong token, another process, another protocol. */
  slow(atLeastMs?: number): number;
  /** A link was up for so long that the next failure is a new story. */
  stable(): void;
}

export const backOffTimes = { baseMs: 500, capMs: 60_000, slowMs: 60_000, stableMs: 30_000 } as const;

/**
 * A gateway that restarts is back within seconds, and its callers wait for the link only for so long: the first eight
 * waits stay at 4 s or less. Only a gateway that stays away is asked more and more rarely.
 */
const doublings = (failures: number) => (failures < 3 ? failures : Math.max(3, failures - 4));

/** `random` gives numbers in [0, 1). */
export function createBackOff(random: () => number): BackOff {
  let failures = 0;
  return {
    next() {
      const ceiling = Math.min(backOffTimes.capMs, backOffTimes.baseMs * 2 ** doublings(failures));
      failures = Math.min(failures + 1, 16);
      return Math.floor(random() * ceiling);
    },
    slow(atLeastMs = 0) {
      const base = Math.max(backOffTimes.slowMs, atLeastMs);
      return Math.floor(base * (1 + random() / 10));
    },
    stable() {
      failures = 0;
    },
  };
}
