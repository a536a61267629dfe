import fc from "fast-check";
import { expect, test } from "vitest";
import { readContentRange, readRange } from "../../../gateway/files/byte-range.ts";

test.each([
  ["bytes=0-0", { offset: 0, length: 1 }],
  ["bytes = 2 - 4", { offset: 2, length: 3 }],
  ["BYTES=8-", { offset: 8, length: 2 }],
  ["bytes=-3", { offset: 7, length: 3 }],
  ["bytes=-30", { offset: 0, length: 10 }],
  ["bytes=9-99", { offset: 9, length: 1 }],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  [undefined, null],
  ["bytes=-", null],
  ["bytes=5-2", null],
  ["bytes=0-1,4-5", null],
  ["lines=0-1", null],
  ["bytes=1.5-2", null],
])("of ten bytes, %s means what RFC 9110 says", (header, expected) => {
  expect(readRange(header, 10)).toEqual(expected);
});

test("a range never leaves the file, whatever is asked", () => {
  const part = fc.oneof(fc.constant(""), fc.nat().map(String), fc.string({ maxLength: 4 }));
  fc.assert(
    fc.property(part, part, fc.nat(1_000), (first, last, size) => {
      const range = readRange(`bytes=${first}-${last}`, size);
      if (range === null || range === "unsatisfiable") return;
      expect(range.length).toBeGreaterThan(0);
      expect(range.offset + range.length).toBeLessThanOrEqual(size);
    }),
  );
});

test.each([
  ["bytes 0-99/1000", { offset: 0, length: 100, total: 1_000 }],
  ["bytes 5-5/*", { offset: 5, length: 1, total: null }],
  ["bytes 0-1000/1000", null],
  ["bytes 5-4/10", null],
  ["bytes */10", null],
  ["bytes=0-9", null],
  ["", null],
])("Content-Range %j is read as what it says", (header, expected) => {
  expect(readContentRange(header)).toEqual(expected);
});
