export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Pixels; right and bottom are outside. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const EMPTY_RECT: Rect = { left: 0, top: 0, right: 0, bottom: 0 };

export function rectOf(left: number, top: number, width: number, height: number): Rect {
  return { left, top, right: left + width, bottom: top + height };
}

export const widthOf = (rect: Rect) => rect.right - rect.left;
export const heightOf = (rect: Rect) => rect.bottom - rect.top;
export const isEmpty = (rect: Rect) => rect.right <= rect.left || rect.bottom <= rect.top;
export const centerOf = (rect: Rect): Point => ({ x: (rect.left + rect.right) / 2, y: (rect.top + rect.bottom) / 2 });

export function contains(rect: Rect, point: Point): boolean {
  return point.x >= rect.left && point.x < rect.right && point.y >= rect.top && point.y < rect.bottom;
}

export function intersect(first: Rect, second: Rect): Rect {
  const rect = {
    left: Math.max(first.left, second.left),
    top: Math.max(first.top, second.top),
    right: Math.min(first.right, second.right),
    bottom: Math.min(first.bottom, second.bottom),
  };
  return isEmpty(rect) ? EMPTY_RECT : rect;
}

export function insetBy(rect: Rect, amount: number): Rect {
  return { left: rect.left + amount, top: rect.top + amount, right: rect.right - amount, bottom: rect.bottom - amount };
}
