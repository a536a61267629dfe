import type { Bounds, Point, ScreenShape, ScreenStatus, UiTree } from "../device.ts";
import { CodedError } from "../errors.ts";
import type { ScreenCall } from "./at-display.ts";
import { centre, type Element } from "./elements.ts";
import { isTreeless } from "./look.ts";
import { isCovered, type Snap, snap } from "./snap.ts";
import { line } from "./tree-view.ts";

/** The screen's status for a write. Throws `screen_off`: a touch on a dark screen is lost without a word. */
export async function awakeStatus(call: ScreenCall): Promise<ScreenStatus> {
  const status = await call.device.status(call.signal);
  if (!status.awake) throw new CodedError("screen_off", "The screen is off, so nothing was sent.");
  return status;
}

/** Snaps if asked and if there is a tree to snap to; a screen without one is still touched exactly at the point. */
export async function trySnap(
  call: ScreenCall,
  wanted: boolean,
  point: Point,
  status: ScreenStatus,
): Promise<Snap | null> {
  // On the keyboard there is nothing to snap to, so the tree is not even read.
  if (!wanted || isCovered(point, status.keyboard)) return null;
  try {
    const tree = await call.device.readTree(call.signal);
    refuseTurned(tree, status);
    return snap(tree, point, status.keyboard);
  } catch (thrown) {
    if (isTreeless(thrown)) return null;
    throw thrown;
  }
}

/** A phone's pixel in the space in which coordinates are told to this caller. */
export function shownPoint(call: ScreenCall, point: Point, status: ScreenStatus): Point {
  const shown = call.pictures.shownSize(status);
  return {
    x: Math.round((point.x * shown.width) / status.size.width),
    y: Math.round((point.y * shown.height) / status.size.height),
  };
}

/** Throws `screen_changed`: what was read of the screen no longer tells where things are. */
export function refuseTurned(read: ScreenShape, now: ScreenShape): void {
  const same = read.rotation === now.rotation && read.size.width === now.size.width;
  if (same && read.size.height === now.size.height) return;
  throw new CodedError("screen_changed", "The screen turned or changed its size meanwhile; nothing was sent.");
}

/** Throws `target_covered`: the keyboard would take the touch. */
export function refuseCovered(point: Point, keyboard: readonly Bounds[]): void {
  if (!isCovered(point, keyboard)) return;
  throw new CodedError("target_covered", "The element is covered by the keyboard; nothing was tapped.");
}

export type Choice = { chosen: Element; point: Point } | { candidates: string[] };

/** The one element meant by a search: the only one found, the one at `index`, or a list to choose from. */
export function choose(call: ScreenCall, tree: UiTree, found: Element[], index: number | undefined): Choice {
  const choice = pickOne(found, index, (element) => line(element, tree.size, call.pictures.shownSize(tree)));
  return "candidates" in choice ? choice : { ...choice, point: centre(choice.chosen.node.bounds) };
}

/** As `choose`, for anything that a search finds; `tell` says a candidate in a line. */
export function pickOne<T>(
  found: readonly T[],
  index: number | undefined,
  tell: (one: T) => string,
): { chosen: T } | { candidates: string[] } {
  const chosen = index === undefined && found.length === 1 ? found[0] : found[index ?? -1];
  if (chosen !== undefined) return { chosen };
  if (index !== undefined) {
    throw new CodedError("target_not_found", `There is no match number ${index}; there are ${found.length}, from 0.`);
  }
  return { candidates: found.slice(0, 10).map(tell) };
}
