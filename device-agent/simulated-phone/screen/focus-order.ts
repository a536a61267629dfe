import { centerOf, type Point } from "./geometry.ts";
import { type PlacedView, placedViews, viewKey } from "./view.ts";

export type FocusDirection = "next" | "previous" | "up" | "down" | "left" | "right";

/** The view that gets the focus next, by tab order or by the arrow keys. */
export function nextFocus(
  root: PlacedView,
  current: string | undefined,
  direction: FocusDirection,
): PlacedView | undefined {
  const candidates = [...placedViews(root)].filter(
    ({ view }) => view.isFocusable && !view.isDisabled && !view.scroll && viewKey(view) !== undefined,
  );
  const index = candidates.findIndex(({ view }) => viewKey(view) === current);
  const from = candidates[index];
  if (direction === "next" || (from === undefined && direction !== "previous"))
    return candidates[(index + 1) % candidates.length];
  if (direction === "previous") return candidates.at(index <= 0 ? -1 : index - 1);
  if (!from) return undefined;
  const start = centerOf(from.bounds);
  const reachable = candidates.filter((candidate) => isTowards(start, centerOf(candidate.bounds), direction));
  return reachable.sort(
    (left, right) => cost(start, centerOf(left.bounds), direction) - cost(start, centerOf(right.bounds), direction),
  )[0];
}

function isTowards(from: Point, to: Point, direction: FocusDirection): boolean {
  if (direction === "up") return to.y < from.y;
  if (direction === "down") return to.y > from.y;
  return direction === "left" ? to.x < from.x : to.x > from.x;
}

/** Distance along the direction, with the sideways part weighing more, as in android.view.FocusFinder. */
function cost(from: Point, to: Point, direction: FocusDirection): number {
  const isVertical = direction === "up" || direction === "down";
  const along = isVertical ? to.y - from.y : to.x - from.x;
  const across = isVertical ? to.x - from.x : to.y - from.y;
  return 13 * along * along + 40 * across * across;
}
