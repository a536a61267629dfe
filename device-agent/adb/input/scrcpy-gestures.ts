import { type Clock, pause } from "../../../shared/clock.ts";
import type { Point, Size } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { ScrcpySession } from "../scrcpy/scrcpy-session.ts";

/** What a gesture needs: the session it goes by and the screen as it is turned now. */
export interface Stage {
  session: ScrcpySession;
  screen: Size;
  clock: Clock;
  signal: AbortSignal;
}

/** The way of one finger. */
export interface Path {
  from: Point;
  to: Point;
}

/** Between two moves; as often as most screens look at their sensor. */
const STEP_MS = 16;
const TAP_MS = 25;
/** Android counts two taps as one double tap when 40 to 300 ms lie between (ViewConfiguration). */
const BETWEEN_TAPS_MS = 100;
/** Of the screen's longer side: as far as two fingers go from the middle of a pinch at most. */
const PINCH_REACH = 0.25;
/** Fingers stay that far from the edges, where gestures of the system begin; of the screen's side. */
const EDGE = 0.06;
/** A pinch that could move less than this does nothing in most apps. */
const SMALLEST_REACH = 60;
const PINCH_MS = 450;

export const tap = (stage: Stage, at: Point) => fingers(stage, [{ from: at, to: at }], TAP_MS);

export async function doubleTap(stage: Stage, at: Point): Promise<void> {
  await tap(stage, at);
  await pause(stage.clock, BETWEEN_TAPS_MS, stage.signal);
  await tap(stage, at);
}

export const swipe = (stage: Stage, path: Path, durationMs: number) => fingers(stage, [path], durationMs);

export const pinch = (stage: Stage, paths: Path[]) => fingers(stage, paths, PINCH_MS);

/**
 * Two fingers on opposite sides of `centre`, along the axis that has more room; their distance grows or shrinks by
 * `scale`. Undefined where the centre is too near an edge.
 */
export function pinchPaths(centre: Point, scale: number, screen: Size): Path[] | undefined {
  const room = (at: number, side: number) => Math.min(at, side - 1 - at) - side * EDGE;
  const across = room(centre.x, screen.width);
  const down = room(centre.y, screen.height);
  const isUpright = down >= across;
  const wide = Math.min(Math.max(across, down), Math.max(screen.width, screen.height) * PINCH_REACH);
  if (wide < SMALLEST_REACH) return undefined;
  const [start, end] = scale > 1 ? [wide / scale, wide] : [wide, wide * scale];
  const at = (reach: number) =>
    isUpright ? { x: centre.x, y: centre.y + reach } : { x: centre.x + reach, y: centre.y };
  return [
    { from: at(-start), to: at(-end) },
    { from: at(start), to: at(end) },
  ];
}

/** Puts a finger down on each path, moves all along evenly, and lifts them; whatever happens, none stays down. */
async function fingers({ session, screen, clock, signal }: Stage, paths: Path[], durationMs: number): Promise<void> {
  if (paths.some(({ from, to }) => !isInside(from, screen) || !isInside(to, screen))) {
    throw new CodedError("screen_changed", "The point is not on the screen as it is turned now; nothing was sent.");
  }
  const touch = (action: "down" | "move" | "up" | "cancel", finger: number, share: number) =>
    session.touch({ action, finger, at: along(paths[finger], share), screen });
  const all = (action: "down" | "move" | "up", share: number) =>
    paths.reduce((before, _, finger) => before.then(() => touch(action, finger, share)), Promise.resolve());
  const isMoving = paths.some(({ from, to }) => from.x !== to.x || from.y !== to.y);
  try {
    await all("down", 0);
    const startedAt = clock.now();
    for (let share = 0; share < 1; ) {
      const left = durationMs - (clock.now() - startedAt);
      await pause(clock, Math.max(1, Math.min(isMoving ? STEP_MS : left, left)), signal);
      share = Math.min(1, (clock.now() - startedAt) / durationMs);
      if (isMoving) await all("move", share);
    }
    await all("up", 1);
  } catch (error) {
    if (session.isOpen) touch("cancel", 0, 0).catch(() => {});
    throw error;
  }
}

const isInside = ({ x, y }: Point, { width, height }: Size) => x >= 0 && y >= 0 && x < width && y < height;

function along(path: Path | undefined, share: number): Point {
  if (!path) throw new TypeError("There is a path for each finger.");
  const { from, to } = path;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}
