import { expect, test } from "vitest";
import { createPipeline, detectionSize, lineSize } from "../../../device-agent/ocr/pipeline.ts";
import type { Model, Tensor } from "../../../device-agent/ocr/tensor.ts";
import type { Pixels } from "../../../device-agent/pictures/pixels.ts";

const never = new AbortController().signal;
const grey = (width: number, height: number): Pixels => ({
  size: { width, height },
  channels: 3,
  data: new Uint8Array(width * height * 3).fill(128),
});

/** Finds text in rows of the map, each from a tenth to nine tenths of the width. */
const rowsAt = (...rows: number[]): Model => ({
  async run({ dims: [, , height = 0, width = 0] }) {
    const data = new Float32Array(width * height);
    for (const row of rows)
      for (let y = row; y < row + 8; y++) data.fill(1, y * width + width / 10, y * width + (width * 9) / 10);
    return { data, dims: [1, 1, height, width] };
  },
});

/** Reads "a", then "b", and so on. */
function letters(seen: Tensor[] = []): Model {
  return {
    async run(input) {
      seen.push(input);
      const data = new Float32Array(4);
      data[seen.length] = 0.75;
      return { data, dims: [1, 1, 4] };
    },
  };
}

test("each text that was found is read, from top to bottom", async () => {
  const seen: Tensor[] = [];
  const read = createPipeline({
    detection: rowsAt(100, 20),
    recognition: letters(seen),
    alphabet: ["a", "b", "c"],
  });
  expect(await read(grey(160, 160), never)).toEqual([
    { text: "a", score: 0.75, bounds: { left: 9, top: 13, right: 151, bottom: 35 } },
    { text: "b", score: 0.75, bounds: { left: 9, top: 93, right: 151, bottom: 115 } },
  ]);
  expect(seen.map(({ dims }) => dims)).toEqual([
    [1, 3, 48, 320],
    [1, 3, 48, 320],
  ]);
});

test("a picture without pixels or without text has no texts", async () => {
  const read = createPipeline({ detection: rowsAt(), recognition: letters(), alphabet: ["a"] });
  expect(await read(grey(0, 0), never)).toEqual([]);
  expect(await read(grey(1, 1), never)).toEqual([]);
});

test("what is read as nothing is left out", async () => {
  const nothing: Model = { run: async () => ({ data: Float32Array.of(1, 0), dims: [1, 1, 2] }) };
  const read = createPipeline({ detection: rowsAt(20), recognition: nothing, alphabet: ["a"] });
  expect(await read(grey(160, 160), never)).toEqual([]);
});

test("reading stops between two texts when it is no longer wanted", async () => {
  const controller = new AbortController();
  let lines = 0;
  const recognition: Model = {
    async run(input) {
      lines++;
      controller.abort(new Error("enough"));
      return letters().run(input);
    },
  };
  const read = createPipeline({ detection: rowsAt(20, 60, 100), recognition, alphabet: ["a", "b", "c"] });
  await expect(read(grey(160, 160), controller.signal)).rejects.toThrow("enough");
  expect(lines).toBe(1);
});

test.each([
  [
    { width: 1080, height: 2400 },
    { width: 512, height: 1120 },
  ],
  [
    { width: 719, height: 1523 },
    { width: 544, height: 1120 },
  ],
  [
    { width: 2560, height: 1600 },
    { width: 1120, height: 704 },
  ],
  [
    { width: 320, height: 480 },
    { width: 320, height: 480 },
  ],
  [
    { width: 1, height: 5000 },
    { width: 32, height: 1120 },
  ],
])("the detection sees %o as %o", (native, seen) => {
  expect(detectionSize(native)).toEqual(seen);
});

test("a line keeps its shape unless it is endless", () => {
  expect(lineSize({ left: 0, top: 0, right: 300, bottom: 48 })).toEqual({ width: 300, columns: 320 });
  expect(lineSize({ left: 5, top: 5, right: 6, bottom: 65 })).toEqual({ width: 16, columns: 64 });
  expect(lineSize({ left: 0, top: 0, right: 5000, bottom: 10 })).toEqual({ width: 3072, columns: 3072 });
});
