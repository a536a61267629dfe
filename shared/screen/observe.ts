import type { Picture } from "../device.ts";
import { CodedError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { ScreenCall } from "./at-display.ts";
import { isError, lookAtBoth, lookAtPicture, tellTree } from "./look.ts";

export type Observe = "none" | "tree" | "screenshot" | "both";

/** Fields of a write's answer. */
export interface Observation {
  observed?: Record<string, unknown>;
  pictures: Picture[];
}

const settleMs = 2_500;
const settleStepMs = 250;
const treeElements = 80;

/**
 * What a write shows of the screen afterwards. The write has happened, so a screen that cannot be read is told in the
 * answer and never turns it into a failure.
 */
export async function observeScreen(call: ScreenCall, observe: Observe): Promise<Observation> {
  if (observe === "none") return { pictures: [] };
  try {
    const settled = await settle(call);
    const look = await lookAs(call, observe);
    return { observed: { settled, ...look.output }, pictures: look.pictures };
  } catch (thrown) {
    if (!isError(thrown)) throw thrown;
    return { observed: { settled: false, error: thrown.toBody() }, pictures: [] };
  }
}

async function lookAs(
  call: ScreenCall,
  observe: Exclude<Observe, "none">,
): Promise<{ output: object; pictures: Picture[] }> {
  if (observe === "both") return lookAtBoth(call, treeElements);
  if (observe === "tree") {
    const tree = await call.device.readTree(call.signal);
    return { output: tellTree(call, tree, { offset: 0, limit: treeElements }), pictures: [] };
  }
  return lookAtPicture(call, { max_width: limits.pictureWidth, quality: limits.pictureQuality, max_bytes: 500_000 });
}

/** Waits until two looks in a row are the same, within bounds. False: it still moves, or cannot be seen. */
export async function settle(call: ScreenCall, bound = settleMs, stepMs = settleStepMs): Promise<boolean> {
  const until = call.now() + bound;
  let last: string | undefined;
  while (call.now() < until) {
    await call.pause(stepMs);
    const now = await fingerprint(call);
    if (now === null) return false;
    if (now === last) return true;
    last = now;
  }
  return false;
}

async function fingerprint(call: ScreenCall): Promise<string | null> {
  try {
    const picture = await call.device.capture({ maxWidth: 120, quality: 30, maxBytes: 50_000 }, call.signal);
    return picture.fingerprint;
  } catch (thrown) {
    if (thrown instanceof CodedError && thrown.code.startsWith("screen")) return null;
    throw thrown;
  }
}
