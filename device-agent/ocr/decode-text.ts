import type { Tensor } from "./tensor.ts";

export interface DecodedText {
  text: string;
  /** Mean of how sure each character is, 0–1; 0 for no text. */
  score: number;
}

/**
 * Reads the output of the recognition (1 × steps × classes; class 0 is "nothing", class n the alphabet's n-th
 * character): the best class of each step, repeats counted once unless "nothing" lies between (CTC).
 */
export function decodeText({ data, dims }: Tensor, alphabet: readonly string[]): DecodedText {
  const [, steps = 0, classes = 0] = dims;
  let text = "";
  let sum = 0;
  let characters = 0;
  let last = 0;
  for (let step = 0; step < steps; step++) {
    const offset = step * classes;
    let best = 0;
    let most = data[offset] ?? 0;
    for (let one = 1; one < classes; one++) {
      const probability = data[offset + one] ?? 0;
      if (probability <= most) continue;
      most = probability;
      best = one;
    }
    if (best !== 0 && best !== last) {
      text += alphabet[best - 1] ?? "";
      sum += most;
      characters++;
    }
    last = best;
  }
  return { text: text.trim(), score: characters === 0 ? 0 : Math.min(1, sum / characters) };
}
