import fc from "fast-check";
import { expect, test } from "vitest";
import { createPicturesSeen } from "../../../device-agent/calls/pictures-seen.ts";
import type { Rotation, ScreenShape } from "../../../shared/device.ts";

const portrait: ScreenShape = { size: { width: 1440, height: 3040 }, rotation: 0 };
const landscape: ScreenShape = { size: { width: 3040, height: 1440 }, rotation: 1 };

function bench() {
  let now = 1_000_000;
  let ids = 0;
  const seen = createPicturesSeen({ now: () => now, newId: () => `p_${ids++}` });
  const pass = (ms: number) => {
    now += ms;
  };
  return { seen, pictures: seen.of("me", "phone"), pass };
}

const shrunk = { shown: { width: 606, height: 1280 }, ...portrait };

test("a point of a shrunk picture becomes the phone's own pixel", () => {
  const { pictures } = bench();
  pictures.remember(shrunk);
  expect(pictures.locate({ x: 303, y: 640 }, undefined, portrait)).toEqual({ x: 720, y: 1520 });
});

test("the corners of the picture are the corners of the phone", () => {
  const { pictures } = bench();
  const id = pictures.remember(shrunk);
  expect(pictures.locate({ x: 0, y: 0 }, id, portrait)).toEqual({ x: 0, y: 0 });
  expect(pictures.locate({ x: 605, y: 1279 }, id, portrait)).toEqual({ x: 1438, y: 3038 });
});

test.each([
  [-1, 5],
  [5, -0.5],
  [606, 5],
  [5, 1280],
  [Number.NaN, 5],
  [Number.POSITIVE_INFINITY, 5],
])("a point outside the picture is refused, not moved: (%d, %d)", (x, y) => {
  const { pictures } = bench();
  pictures.remember(shrunk);
  expect(() => pictures.locate({ x, y }, undefined, portrait)).toThrow("outside the picture, which is 606 x 1280");
});

test("without any picture a screenshot is asked for", () => {
  const { pictures } = bench();
  expect(() => pictures.locate({ x: 1, y: 1 }, undefined, portrait)).toThrow("take a screenshot first");
});

test("a turned phone refuses points of the older picture", () => {
  const { pictures } = bench();
  const id = pictures.remember(shrunk);
  expect(() => pictures.locate({ x: 1, y: 1 }, id, landscape)).toThrow(
    expect.objectContaining({
      code: "screen_changed",
      message:
        "The screen was 1440 x 3040 at 0 degrees in that picture and is 3040 x 1440 at 90 degrees now; nothing was sent.",
    }),
  );
});

test("upside down is another screen although its size is the same", () => {
  const { pictures } = bench();
  pictures.remember(shrunk);
  expect(() => pictures.locate({ x: 1, y: 1 }, undefined, { ...portrait, rotation: 2 })).toThrow(
    expect.objectContaining({ code: "screen_changed" }),
  );
});

test("pictures of different size or rotation make screenshot_id required", () => {
  const { pictures } = bench();
  const upright = pictures.remember(shrunk);
  const small = pictures.remember({ shown: { width: 303, height: 640 }, ...portrait });
  expect(() => pictures.locate({ x: 1, y: 1 }, undefined, portrait)).toThrow("screenshot_id is required");
  expect(pictures.locate({ x: 30, y: 64 }, upright, portrait)).toEqual({ x: 71, y: 152 });
  expect(pictures.locate({ x: 30, y: 64 }, small, portrait)).toEqual({ x: 143, y: 304 });
});

test("a picture that made things ambiguous is forgotten after ten minutes", () => {
  const { pictures, pass } = bench();
  pictures.remember({ shown: { width: 540, height: 256 }, ...landscape });
  pass(300_000);
  pictures.remember(shrunk);
  expect(() => pictures.locate({ x: 303, y: 640 }, undefined, portrait)).toThrow("screenshot_id is required");
  pass(300_000);
  expect(pictures.locate({ x: 303, y: 640 }, undefined, portrait)).toEqual({ x: 720, y: 1520 });
});

test("an id that is unknown, expired or pushed out is refused", () => {
  const { pictures, pass } = bench();
  expect(() => pictures.locate({ x: 1, y: 1 }, "p_nothing", portrait)).toThrow("no picture with this screenshot_id");
  const first = pictures.remember(shrunk);
  for (let more = 0; more < 31; more++) pictures.remember(shrunk);
  expect(pictures.locate({ x: 0, y: 0 }, first, portrait)).toEqual({ x: 0, y: 0 });
  const last = pictures.remember(shrunk);
  expect(() => pictures.locate({ x: 0, y: 0 }, first, portrait)).toThrow("no picture with this screenshot_id");
  pass(600_000);
  expect(() => pictures.locate({ x: 0, y: 0 }, last, portrait)).toThrow("no picture with this screenshot_id");
});

test("callers and phones do not share pictures", () => {
  const { seen, pictures } = bench();
  const id = pictures.remember(shrunk);
  expect(() => seen.of("other", "phone").locate({ x: 1, y: 1 }, id, portrait)).toThrow("no picture with this");
  expect(() => seen.of("me", "other").locate({ x: 1, y: 1 }, undefined, portrait)).toThrow("take a screenshot first");
  expect(seen.of("me", "phone").locate({ x: 0, y: 0 }, id, portrait)).toEqual({ x: 0, y: 0 });
});

test("coordinates are told in the size of the newest fitting picture, else 540 wide", () => {
  const { pictures } = bench();
  expect(pictures.shownSize(portrait)).toEqual({ width: 540, height: 1140 });
  expect(pictures.shownSize({ size: { width: 320, height: 480 }, rotation: 0 })).toEqual({ width: 320, height: 480 });
  pictures.remember(shrunk);
  pictures.remember({ shown: { width: 540, height: 256 }, ...landscape });
  expect(pictures.shownSize(portrait)).toEqual({ width: 606, height: 1280 });
  expect(pictures.shownSize(landscape)).toEqual({ width: 540, height: 256 });
});

test("for every size, scale and rotation a point lands within a pixel of where it was shown", () => {
  const side = fc.integer({ min: 200, max: 4_000 });
  const screens = fc.record({ width: side, height: side, rotation: fc.constantFrom<Rotation>(0, 1, 2, 3) });
  const part = fc.double({ min: 0, max: 0.999_999, noNaN: true });
  fc.assert(
    fc.property(screens, fc.integer({ min: 100, max: 1_568 }), part, part, (screen, wide, partX, partY) => {
      const { pictures } = bench();
      const { rotation, ...size } = screen;
      const width = Math.min(wide, size.width);
      const height = Math.max(1, Math.round((size.height * width) / size.width));
      pictures.remember({ shown: { width, height }, size, rotation });
      const point = { x: Math.floor(partX * width), y: Math.floor(partY * height) };
      const found = pictures.locate(point, undefined, { size, rotation });
      expect(found.x).toBeGreaterThanOrEqual(0);
      expect(found.x).toBeLessThan(size.width);
      expect(found.y).toBeLessThan(size.height);
      expect(Math.abs(found.x / size.width - point.x / width) * size.width).toBeLessThanOrEqual(1);
      expect(Math.abs(found.y / size.height - point.y / height) * size.height).toBeLessThanOrEqual(1);
    }),
    { numRuns: 500, seed: 1 },
  );
});

test("a picture that still shows the screen is as good as a new one", () => {
  const { pictures, pass } = bench();
  const id = pictures.remember({ ...shrunk, fingerprint: "f1" });
  pass(9 * 60_000);
  expect(pictures.unchanged(id, "f1")).toEqual({ width: 606, height: 1280 });
  pass(9 * 60_000);
  expect(pictures.locate({ x: 303, y: 640 }, id, portrait)).toEqual({ x: 720, y: 1520 });
});

test("only the same picture of the same caller counts as unchanged", () => {
  const { seen, pictures, pass } = bench();
  const id = pictures.remember({ ...shrunk, fingerprint: "f1" });
  const tree = pictures.remember(shrunk);
  expect(pictures.unchanged(id, "f2")).toBeUndefined();
  expect(pictures.unchanged(tree, "f1")).toBeUndefined();
  expect(seen.of("another", "phone").unchanged(id, "f1")).toBeUndefined();
  expect(seen.of("me", "other phone").unchanged(id, "f1")).toBeUndefined();
  pass(10 * 60_000);
  expect(pictures.unchanged(id, "f1")).toBeUndefined();
});

test("a picture is one of its display, and so are the coordinates in it", () => {
  const { pictures } = bench();
  expect(pictures.displayOf(undefined)).toBe(0);
  const main = pictures.remember(shrunk);
  const other = pictures.remember({ ...shrunk, display: 2 });
  expect([main, other, "p_nothing", undefined].map((id) => pictures.displayOf(id))).toEqual([0, 2, 0, 2]);
  // Of one size, and still not one picture: which display a bare point means is anybody's guess.
  expect(() => pictures.locate({ x: 1, y: 1 }, undefined, portrait)).toThrow("screenshot_id is required");
  expect(pictures.locate({ x: 303, y: 640 }, other, portrait)).toEqual({ x: 720, y: 1520 });
});

test("a picture of another display is never the unchanged one", () => {
  const { pictures } = bench();
  const black = pictures.remember({ ...shrunk, fingerprint: "black", display: 2 });
  expect(pictures.unchanged(black, "black")).toBeUndefined();
  expect(pictures.unchanged(black, "black", 3)).toBeUndefined();
  expect(pictures.unchanged(black, "black", 2)).toEqual({ width: 606, height: 1280 });
});
