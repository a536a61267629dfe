import { heightOf } from "./geometry.ts";
import { type PlacedView, placedViews } from "./view.ts";
import type { PlacedWindow } from "./window.ts";

/**
 * Keeps a field in sight when the keyboard takes room: call it before the keyboard opens, and the result after the
 * windows were laid out anew.
 */
export function createReveal(
  target: PlacedView,
  windows: readonly PlacedWindow[],
): (windows: readonly PlacedWindow[]) => void {
  const scroller = scrollersIn(windows).find((placed) => [...placedViews(placed)].includes(target));
  const scroll = scroller?.view.scroll;
  if (!scroller || !scroll) return () => {};
  const bottom = target.bounds.bottom - scroller.bounds.top + scroll.offset;
  return (after) => {
    const shrunk = scrollersIn(after).find(({ view }) => view.scroll === scroll);
    if (shrunk) scroll.offset = Math.max(scroll.offset, bottom - heightOf(shrunk.bounds));
  };
}

function scrollersIn(windows: readonly PlacedWindow[]): PlacedView[] {
  return windows.flatMap(({ root }) => [...placedViews(root)]).filter(({ view }) => view.scroll !== undefined);
}
