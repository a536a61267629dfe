import type { Bounds, Point, UiTree } from "../device.ts";
import { area, centre, contains, type Element, elementsOf } from "./elements.ts";

export interface Snap {
  element: Element;
  /** Where to tap: the element's centre, or the point itself where the place inside matters. */
  point: Point;
  moved: boolean;
}

/** Share of the screen above which an element counts as a surface whose inner places differ (map, list, canvas). */
const surfaceShare = 0.2;
/** How far outside an element a point may lie and still mean it, as a share of the screen's shorter side. */
const slackShare = 0.015;

/**
 * The smallest clickable element under `point`, or else just beside it. Sliders, text fields and large surfaces are
 * named but not centred: there the exact place is what the caller means. A point on the keyboard means a key, which is
 * in no tree, and no point is moved onto the keyboard.
 */
export function snap(tree: UiTree, point: Point, keyboard: readonly Bounds[] = []): Snap | null {
  if (isCovered(point, keyboard)) return null;
  const clickable = elementsOf(tree).filter(({ node }) => (node.clickable || node.checkable) && node.enabled);
  const slack = Math.round(Math.min(tree.size.width, tree.size.height) * slackShare);
  const under = smallest(clickable.filter(({ node }) => contains(node.bounds, point)));
  const element = under ?? smallest(clickable.filter(({ node }) => contains(node.bounds, point, slack)));
  if (!element) return null;
  const keepsPlace = placeMatters(element, tree) || isCovered(centre(element.node.bounds), keyboard);
  if (keepsPlace && !under) return null;
  const target = keepsPlace ? point : centre(element.node.bounds);
  return { element, point: target, moved: target.x !== point.x || target.y !== point.y };
}

/** Whether a touch at `point` would land on the keyboard. */
export function isCovered(point: Point, keyboard: readonly Bounds[]): boolean {
  return keyboard.some((bounds) => contains(bounds, point));
}

function placeMatters({ node }: Element, tree: UiTree): boolean {
  const share = area(node.bounds) / (tree.size.width * tree.size.height);
  return (
    node.editable || node.scrollable || share > surfaceShare || /SeekBar|Slider|RatingBar|WebView/.test(node.className)
  );
}

function smallest(elements: Element[]): Element | undefined {
  // A later element of the same size lies on top.
  return elements.reduce<Element | undefined>(
    (best, one) => (best && area(best.node.bounds) < area(one.node.bounds) ? best : one),
    undefined,
  );
}
