import { expect, test } from "vitest";
import {
  findBoxes,
  grow,
  inReadingOrder,
  mergeOverlapping,
  patches,
  type TextMap,
  toNative,
} from "../../../device-agent/ocr/find-boxes.ts";
import type { Bounds } from "../../../shared/device.ts";

const box = (left: number, top: number, right: number, bottom: number): Bounds => ({ left, top, right, bottom });

/** A map that is `sure` inside the boxes and 0 elsewhere. */
function mapOf(width: number, height: number, boxes: Bounds[], sure = 0.9): TextMap {
  const data = new Float32Array(width * height);
  for (const { left, top, right, bottom } of boxes)
    for (let y = top; y < bottom; y++) data.fill(sure, y * width + left, y * width + right);
  return { size: { width, height }, data };
}

test("a screen without text gives no boxes, and neither does one without pixels", () => {
  expect(findBoxes(mapOf(64, 32, []), { width: 640, height: 320 })).toEqual([]);
  expect(findBoxes({ size: { width: 0, height: 0 }, data: new Float32Array(0) }, { width: 0, height: 0 })).toEqual([]);
});

test("a patch becomes a box of the picture, grown so that whole letters lie inside", () => {
  // 40 x 10 grows by 40 * 10 * 1.6 / 100 = 6.4 on each side.
  expect(findBoxes(mapOf(100, 50, [box(30, 20, 70, 30)]), { width: 200, height: 100 })).toEqual([box(47, 27, 153, 73)]);
});

test("boxes fit a picture whose size is no multiple of the map's", () => {
  expect(findBoxes(mapOf(96, 64, [box(20, 20, 60, 30)]), { width: 719, height: 477 })).toEqual([
    box(101, 101, 498, 272),
  ]);
});

test("a text at the edge ends at the edge", () => {
  expect(findBoxes(mapOf(100, 50, [box(0, 0, 40, 10), box(60, 40, 100, 50)]), { width: 300, height: 150 })).toEqual([
    box(0, 0, 140, 50),
    box(160, 100, 300, 150),
  ]);
});

test("specks, hairlines and doubtful patches are no texts", () => {
  const native = { width: 100, height: 50 };
  expect(findBoxes(mapOf(100, 50, [box(10, 10, 13, 13)]), native)).toEqual([]);
  expect(findBoxes(mapOf(100, 50, [box(10, 10, 90, 12)]), native)).toEqual([]);
  expect(findBoxes(mapOf(100, 50, [box(10, 10, 50, 20)], 0.5), native)).toEqual([]);
});

test("pixels that touch at a corner only are two patches", () => {
  const found = patches(mapOf(20, 20, [box(2, 2, 8, 8), box(8, 8, 14, 14)]));
  expect(found.map(({ bounds, pixels }) => ({ bounds, pixels }))).toEqual([
    { bounds: box(2, 2, 8, 8), pixels: 36 },
    { bounds: box(8, 8, 14, 14), pixels: 36 },
  ]);
  expect(found[0]?.mean).toBeCloseTo(0.9);
});

test("a patch at the right edge does not go on at the left edge of the next row", () => {
  const found = patches(mapOf(20, 20, [box(15, 5, 20, 10), box(0, 6, 5, 11)]));
  expect(found.map(({ bounds }) => bounds)).toEqual([box(15, 5, 20, 10), box(0, 6, 5, 11)]);
});

test("a map that is text all over is one patch, however large", () => {
  const found = patches(mapOf(700, 700, [box(0, 0, 700, 700)]));
  expect(found.map(({ pixels }) => pixels)).toEqual([490_000]);
});

test("growing follows the shape: a long line by less than its height, a square by less than half", () => {
  expect(grow(box(100, 100, 500, 110))).toEqual(
    box(100 - 6400 / 820, 100 - 6400 / 820, 500 + 6400 / 820, 110 + 6400 / 820),
  );
  expect(grow(box(10, 10, 20, 20))).toEqual(box(6, 6, 24, 24));
});

test("a box that is cut off outside keeps to whole pixels inside", () => {
  expect(toNative(box(-3.2, -1, 10.4, 5.5), { width: 10, height: 5 }, { width: 33, height: 7 })).toEqual(
    box(0, 0, 33, 7),
  );
});

test("a box mostly inside another is the same text; lines and columns next to each other are not", () => {
  expect(mergeOverlapping([box(0, 0, 100, 40), box(20, 5, 110, 38)])).toEqual([box(0, 0, 110, 40)]);
  expect(mergeOverlapping([box(0, 0, 100, 40), box(0, 30, 100, 70)])).toHaveLength(2);
  expect(mergeOverlapping([box(0, 0, 100, 40), box(95, 0, 200, 40)])).toHaveLength(2);
});

test("a box that joins two others makes one of three", () => {
  expect(mergeOverlapping([box(0, 0, 50, 40), box(60, 0, 110, 40), box(5, 2, 105, 38)])).toEqual([box(0, 0, 110, 40)]);
});

test("reading order goes row by row, whatever order and heights the boxes have", () => {
  const title = box(50, 20, 300, 80);
  const left = box(50, 216, 200, 256);
  const right = box(600, 205, 800, 262);
  const below = box(60, 300, 200, 340);
  expect(inReadingOrder([below, right, left, title])).toEqual([title, left, right, below]);
});
