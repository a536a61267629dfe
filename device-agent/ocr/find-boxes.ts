import type { Bounds, Size } from "../../shared/device.ts";

/** How sure the detection is of each of its pixels, 0–1, rows from top to bottom. */
export interface TextMap {
  size: Size;
  data: Float32Array;
}

/** As PaddleOCR's DBPostProcess: above `pixel` it is text, and a patch whose mean is below `patch` is none. */
const sure = { pixel: 0.3, patch: 0.6 };
const leastPixels = 10;
const leastHeight = 3;
/** The map shows only the core of a text; a patch grows by this share of its area over its circumference. */
const growth = 1.6;

interface Patch {
  /** In pixels of the map. */
  bounds: Bounds;
  pixels: number;
  mean: number;
}

/** The boxes of texts in a map, in pixels of the picture of `native` size from which the map was made. */
export function findBoxes(map: TextMap, native: Size): Bounds[] {
  const boxes = patches(map)
    .filter(({ pixels, mean, bounds }) => pixels >= leastPixels && mean >= sure.patch && height(bounds) >= leastHeight)
    .map(({ bounds }) => toNative(grow(bounds), map.size, native))
    .filter((box) => box.right > box.left && box.bottom > box.top);
  return inReadingOrder(mergeOverlapping(boxes));
}

/** Connected groups of sure pixels. */
export function patches({ size, data }: TextMap): Patch[] {
  const { width } = size;
  const seen = new Uint8Array(data.length);
  const isText = (at: number) => seen[at] === 0 && (data[at] ?? 0) >= sure.pixel;
  const found: Patch[] = [];
  const open: number[] = [];
  const visit = (at: number) => {
    if (!isText(at)) return;
    seen[at] = 1;
    open.push(at);
  };
  for (let start = 0; start < data.length; start++) {
    if (!isText(start)) continue;
    const bounds: Bounds = { left: width, top: size.height, right: 0, bottom: 0 };
    let pixels = 0;
    let sum = 0;
    visit(start);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const x = at % width;
      const y = Math.floor(at / width);
      include(bounds, { left: x, top: y, right: x + 1, bottom: y + 1 });
      pixels++;
      sum += data[at] ?? 0;
      if (x > 0) visit(at - 1);
      if (x < width - 1) visit(at + 1);
      if (y > 0) visit(at - width);
      if (y < size.height - 1) visit(at + width);
    }
    found.push({ bounds, pixels, mean: sum / pixels });
  }
  return found;
}

/** Outwards on all sides, so that the whole letters lie inside. Fractions and edges are left to the caller. */
export function grow({ left, top, right, bottom }: Bounds): Bounds {
  const distance = ((right - left) * (bottom - top) * growth) / (2 * (right - left + bottom - top));
  return { left: left - distance, top: top - distance, right: right + distance, bottom: bottom + distance };
}

/** Whole pixels of the picture, never outside it. */
export function toNative(bounds: Bounds, map: Size, native: Size): Bounds {
  const across = native.width / map.width;
  const down = native.height / map.height;
  return {
    left: Math.max(0, Math.floor(bounds.left * across)),
    top: Math.max(0, Math.floor(bounds.top * down)),
    right: Math.min(native.width, Math.ceil(bounds.right * across)),
    bottom: Math.min(native.height, Math.ceil(bounds.bottom * down)),
  };
}

/** Two boxes of which one lies mostly inside the other are one text; neighbours in a row or column stay two. */
export function mergeOverlapping(boxes: readonly Bounds[]): Bounds[] {
  const merged: Bounds[] = [];
  for (const box of boxes) {
    const union = { ...box };
    for (let at = merged.findIndex((other) => sameText(other, union)); at >= 0; ) {
      const [other] = merged.splice(at, 1);
      if (other) include(union, other);
      at = merged.findIndex((one) => sameText(one, union));
    }
    merged.push(union);
  }
  return merged;
}

/** Rows from top to bottom, within a row from left to right. A box belongs to a row when it shares half its height. */
export function inReadingOrder(boxes: readonly Bounds[]): Bounds[] {
  const rows: { top: number; bottom: number; boxes: Bounds[] }[] = [];
  for (const box of [...boxes].sort((a, b) => a.top + a.bottom - b.top - b.bottom)) {
    const row = rows.at(-1);
    const shared = row ? Math.min(row.bottom, box.bottom) - Math.max(row.top, box.top) : 0;
    if (row && shared > Math.min(row.bottom - row.top, height(box)) / 2) row.boxes.push(box);
    else rows.push({ top: box.top, bottom: box.bottom, boxes: [box] });
  }
  return rows.flatMap((row) => row.boxes.sort((a, b) => a.left - b.left));
}

function sameText(a: Bounds, b: Bounds): boolean {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const tall = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (width <= 0 || tall <= 0) return false;
  const smaller = Math.min((a.right - a.left) * height(a), (b.right - b.left) * height(b));
  return width * tall > smaller * 0.6;
}

function include(bounds: Bounds, other: Bounds): void {
  bounds.left = Math.min(bounds.left, other.left);
  bounds.top = Math.min(bounds.top, other.top);
  bounds.right = Math.max(bounds.right, other.right);
  bounds.bottom = Math.max(bounds.bottom, other.bottom);
}

function height({ top, bottom }: Bounds): number {
  return bottom - top;
}
