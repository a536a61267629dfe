/** Chance that can be repeated: the same seed gives the same numbers. */
export interface Seeded {
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number;
  chance(share: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/** mulberry32. */
export function createSeeded(seed: number): Seeded {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    between,
    chance: (share) => next() < share,
    pick: (choices) => choices[between(0, choices.length - 1)] ?? choices[0],
  };
}
