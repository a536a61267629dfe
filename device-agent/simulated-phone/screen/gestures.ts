import { contains, type Point } from "./geometry.ts";
import type { PlacedView } from "./view.ts";
import type { PlacedWindow, SwipeDirection } from "./window.ts";

export interface TouchEvent {
  readonly action: "down" | "move" | "up" | "cancel";
  readonly pointerId: number;
  readonly x: number;
  readonly y: number;
  /** Milliseconds; long presses and double taps are told by it. */
  readonly time: number;
}

export interface Gestures {
  touch(event: TouchEvent): void;
}

export interface GestureDependencies {
  /** Bottom to top. */
  windows(): readonly PlacedWindow[];
  slopPixels(): number;
  /** Runs later unless the returned function was called. */
  schedule(ms: number, action: () => void): () => void;
  onTap(target: PlacedView, at: Point, window: PlacedWindow): void;
  onLongPress(target: PlacedView, at: Point): void;
  onChange(): void;
}

export const LONG_PRESS_MS = 500;
const DOUBLE_TAP_MS = 300;

interface Gesture {
  readonly start: Point;
  readonly startedAt: number;
  readonly window: PlacedWindow;
  readonly path: readonly PlacedView[];
  readonly cancelTimer: () => void;
  last: Point;
  hasMoved: boolean;
  isSpent: boolean;
}

export function createGestures(dependencies: GestureDependencies): Gestures {
  const pointers = new Map<number, Point>();
  let gesture: Gesture | undefined;
  let lastTap: { readonly key: string; readonly at: number } | undefined;

  function begin(at: Point, time: number): void {
    const windows = dependencies.windows().filter((placed) => placed.window.kind !== "toast");
    const index = windows.findLastIndex(
      (placed) => contains(placed.window.frame, at) || placed.window.onOutsideTouch !== undefined,
    );
    const window = windows[index];
    if (!window) return;
    if (!contains(window.window.frame, at)) {
      window.window.onOutsideTouch?.();
      return;
    }
    const cancelTimer = dependencies.schedule(LONG_PRESS_MS, () => gesture && longPress(gesture));
    gesture = {
      start: at,
      startedAt: time,
      window,
      path: pathTo(window.root, at),
      cancelTimer,
      last: at,
      hasMoved: false,
      isSpent: false,
    };
  }

  function longPress(current: Gesture): void {
    if (current.isSpent || current.hasMoved) return;
    const target = current.path.findLast(({ view }) => (view.onLongClick || view.field) && !view.isDisabled);
    if (!target) return;
    current.isSpent = true;
    dependencies.onLongPress(target, current.start);
  }

  function move(event: TouchEvent): void {
    const previous = pointers.get(event.pointerId);
    if (!gesture || !previous) return;
    const at = { x: event.x, y: event.y };
    const before = spread(pointers);
    pointers.set(event.pointerId, at);
    if (pointers.size >= 2) {
      pinch(gesture, before);
      return;
    }
    if (!gesture.hasMoved && distance(gesture.start, at) <= dependencies.slopPixels()) {
      if (event.time - gesture.startedAt >= LONG_PRESS_MS) longPress(gesture);
      return;
    }
    gesture.hasMoved = true;
    if (gesture.isSpent) return;
    drag(gesture, at);
  }

  function drag(current: Gesture, at: Point): void {
    const dx = at.x - current.last.x;
    const dy = at.y - current.last.y;
    current.last = at;
    const scroller = current.path.findLast(({ view }) => view.scroll && view.scroll.max > 0)?.view.scroll;
    const pannable = current.path.findLast(({ view }) => view.pinch)?.view.pinch;
    if (pannable) pannable.onDrag(dx, dy);
    else if (scroller) scroller.offset = Math.min(scroller.max, Math.max(0, scroller.offset - dy));
    if (pannable || scroller) dependencies.onChange();
  }

  function pinch(current: Gesture, before: number): void {
    current.hasMoved = true;
    const target = current.path.findLast(({ view }) => view.pinch)?.view.pinch;
    const [first, second] = [...pointers.values()];
    if (!target || !first || !second || before === 0) return;
    target.onPinch(spread(pointers) / before, { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 });
    dependencies.onChange();
  }

  function finish(current: Gesture, at: Point, time: number): void {
    if (!current.hasMoved && time - current.startedAt >= LONG_PRESS_MS) longPress(current);
    if (current.isSpent) return;
    if (current.hasMoved) {
      const hasScrolled = current.path.some(({ view }) => view.pinch || (view.scroll && view.scroll.max > 0));
      if (!hasScrolled) current.window.window.onSwipe?.(directionOf(current.start, at), current.start);
      return;
    }
    const target = current.path.findLast(({ view }) => view.onClick || view.onDoubleTap || view.field);
    if (!target || target.view.isDisabled) return;
    const key = `${target.view.className} ${JSON.stringify(target.bounds)}`;
    if (target.view.onDoubleTap && lastTap?.key === key && time - lastTap.at <= DOUBLE_TAP_MS) {
      lastTap = undefined;
      target.view.onDoubleTap(at);
      dependencies.onChange();
      return;
    }
    lastTap = { key, at: time };
    dependencies.onTap(target, at, current.window);
  }

  return {
    touch(event) {
      const at = { x: event.x, y: event.y };
      if (event.action === "down") {
        pointers.set(event.pointerId, at);
        if (pointers.size === 1) begin(at, event.time);
        return;
      }
      if (event.action === "move") return move(event);
      const wasKnown = pointers.delete(event.pointerId);
      if (!wasKnown || pointers.size > 0 || !gesture) return;
      const current = gesture;
      gesture = undefined;
      current.cancelTimer();
      if (event.action === "up") finish(current, at, event.time);
    },
  };
}

/** From the window's root to the topmost view under the point. */
function pathTo(root: PlacedView, at: Point): PlacedView[] {
  if (!contains(root.visible, at)) return [];
  for (const child of [...root.children].reverse()) {
    const path = pathTo(child, at);
    if (path.length > 0) return [root, ...path];
  }
  return [root];
}

function spread(pointers: ReadonlyMap<number, Point>): number {
  const [first, second] = [...pointers.values()];
  return first && second ? distance(first, second) : 0;
}

const distance = (first: Point, second: Point) => Math.hypot(first.x - second.x, first.y - second.y);

function directionOf(from: Point, to: Point): SwipeDirection {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  if (Math.abs(dx) > Math.abs(dy)) return dx > 0 ? "right" : "left";
  return dy > 0 ? "down" : "up";
}
