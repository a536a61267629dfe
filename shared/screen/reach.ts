import type { Point, ScreenStatus, UiTree } from "../device.ts";
import { CodedError } from "../errors.ts";
import type { DeviceCall } from "../tools/define-tool.ts";
import { centre, type Element } from "./elements.ts";
import { isError } from "./look.ts";
import { type Snap, snap } from "./snap.ts";
import { line } from "./tree-view.ts";

/** The screen's status for a write. Throws `screen_off`: a touch on a dark screen is lost without a word. */
export async function awakeStatus(call: DeviceCall): Promise<ScreenStatus> {
  const status = await call.device.status(call.signal);
  if (!status.awake) throw new CodedError("screen_off", "The screen is off, so nothing was sent.");
  return status;
}

/** Snaps if asked and if there is a tree to snap to; a screen without one is still touched exactly at the point. */
export async function trySnap(call: DeviceCall, wanted: boolean, point: Point): Promise<Snap | null> {
  if (!wanted) return null;
  try {
    return snap(await call.device.readTree(call.signal), point);
  } catch (thrown) {
    if (isError(thrown) && thrown.code.startsWith("ui_")) return null;
    throw thrown;
  }
}

/** A phone's pixel in the space in which coordinates are told to this caller. */
export function shownPoint(call: DeviceCall, point: Point, status: ScreenStatus): Point {
  const shown = call.pictures.shownSize(status);
  return {
    x: Math.round((point.x * shown.width) / status.size.width),
    y: Math.round((point.y * shown.height) / status.size.height),
  };
}

export type Choice = { chosen: Element; point: Point } | { candidates: string[] };

/** The one element meant by a search: the only one found, the one at `index`, or a list to choose from. */
export function choose(call: DeviceCall, tree: UiTree, found: Element[], index: number | undefined): Choice {
  const chosen = index === undefined && found.length === 1 ? found[0] : found[index ?? -1];
  if (chosen) return { chosen, point: centre(chosen.node.bounds) };
  if (index !== undefined) {
    throw new CodedError("target_not_found", `There is no match number ${index}; there are ${found.length}, from 0.`);
  }
  const shown = call.pictures.shownSize(tree);
  return { candidates: found.slice(0, 10).map((element) => line(element, tree.size, shown)) };
}
