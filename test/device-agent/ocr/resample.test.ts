import { expect, test } from "vitest";
import { resample } from "../../../device-agent/ocr/resample.ts";
import type { Pixels } from "../../../device-agent/pictures/pixels.ts";

const plain = { mean: [0, 0, 0], deviation: [1, 1, 1] } as const;
const rounded = (data: Float32Array) => [...data].map((value) => Math.round(value * 255));

function picture(width: number, height: number, channels: 3 | 4, pixel: (x: number, y: number) => number[]): Pixels {
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data.set(pixel(x, y).slice(0, channels), (y * width + x) * channels);
  return { size: { width, height }, channels, data };
}

const whole = ({ size }: Pixels) => ({ left: 0, top: 0, right: size.width, bottom: size.height });

test("colours become three planes, blue first; alpha is not looked at", () => {
  for (const channels of [3, 4] as const) {
    const image = picture(2, 1, channels, (x) => [10 + x, 20 + x, 30 + x, 255]);
    const { data, dims } = resample(image, { area: whole(image), to: image.size, normalisation: plain });
    expect(dims).toEqual([1, 3, 1, 2]);
    expect(rounded(data)).toEqual([30, 31, 20, 21, 10, 11]);
  }
});

test("every pixel counts when a picture shrinks: a line of one pixel does not vanish", () => {
  const image = picture(9, 1, 3, (x) => (x === 4 ? [255, 255, 255] : [0, 0, 0]));
  const { data } = resample(image, { area: whole(image), to: { width: 3, height: 1 }, normalisation: plain });
  expect(rounded(data).slice(0, 3)).toEqual([0, 85, 0]);
});

test("a picture of one colour keeps it at any size", () => {
  const image = picture(37, 23, 3, () => [200, 200, 200]);
  for (const to of [
    { width: 11, height: 7 },
    { width: 64, height: 96 },
    { width: 37, height: 1 },
  ]) {
    const { data } = resample(image, { area: whole(image), to, normalisation: plain });
    expect(new Set(rounded(data))).toEqual(new Set([200]));
  }
});

test("only the area is taken, and columns beyond it are 0", () => {
  const image = picture(4, 2, 3, (x, y) => [x === 2 && y === 1 ? 255 : 7, 0, 0]);
  const area = { left: 2, top: 1, right: 3, bottom: 2 };
  const { data, dims } = resample(image, { area, to: { width: 1, height: 1 }, columns: 3, normalisation: plain });
  expect(dims).toEqual([1, 3, 1, 3]);
  expect(rounded(data).slice(6)).toEqual([255, 0, 0]);
});

test("values are moved to the range that the model was trained with", () => {
  const image = picture(1, 1, 3, () => [0, 255, 0]);
  const normalisation = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] } as const;
  expect([...resample(image, { area: whole(image), to: image.size, normalisation }).data]).toEqual([-1, 1, -1]);
});
