import type { Picture } from "../device.ts";
import type { ErrorBody } from "../errors.ts";
import { limits } from "../limits.ts";

/** How one step went. Without `ms` it did not run. */
export interface StepResult {
  tool: string;
  ok: boolean;
  ms?: number;
  output?: Record<string, unknown>;
  error?: ErrorBody;
  pictures: Picture[];
}

export type PictureChoice = "last" | "all" | "none";

/** What results may cost as text, which a response holds twice; pictures get the rest. */
const textBytes = 500_000;
/** The envelope around it all. */
const spareBytes = 20_000;
const blockBytes = 256;

/**
 * All steps' results as one answer that fits into one response: the oldest outputs and the oldest pictures are left out
 * first, and what was left out is said. Each result tells how many of the pictures are its own; they come in order.
 */
export function fitSteps(results: readonly StepResult[], choice: PictureChoice) {
  const told = results.map(tell);
  for (const one of told) {
    if (costOf(told) <= textBytes) break;
    if ("output" in one) {
      delete one.output;
      one.output_left_out = true;
    }
  }
  let left = limits.responseBytes - spareBytes - costOf(told);
  const chosen = results.map((): Picture[] => []);
  const wanted = wantedPictures(results, choice);
  let leftOut = 0;
  for (const { index, picture } of wanted.reverse()) {
    const bytes = Math.ceil(picture.bytes.length / 3) * 4 + blockBytes;
    left -= bytes;
    if (left >= 0) chosen[index]?.unshift(picture);
    else leftOut += 1;
  }
  for (const [index, pictures] of chosen.entries()) {
    const one = told[index];
    if (one && pictures.length > 0) one.pictures = pictures.length;
  }
  return { results: told, pictures: chosen.flat(), leftOut };
}

function tell({ tool, ok, ms, output, error }: StepResult): Record<string, unknown> {
  if (ms === undefined) return { tool, ok, skipped: true };
  if (error === undefined) return { tool, ok, ms, output };
  const { code, message, hint, retryAfterMs } = error;
  const retry = retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs };
  return { tool, ok, ms, error: { code, message, hint, ...retry } };
}

function wantedPictures(results: readonly StepResult[], choice: PictureChoice) {
  const all = results.flatMap(({ pictures }, index) => pictures.map((picture) => ({ index, picture })));
  if (choice === "none") return [];
  return choice === "last" ? all.slice(-1) : all;
}

function costOf(told: unknown): number {
  const text = JSON.stringify(told);
  const utf8 = new TextEncoder();
  return utf8.encode(text).length + utf8.encode(JSON.stringify(text)).length;
}
