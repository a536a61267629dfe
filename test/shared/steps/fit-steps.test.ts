import { expect, test } from "vitest";
import type { Picture } from "../../../shared/device.ts";
import { fitSteps, type StepResult } from "../../../shared/steps/fit-steps.ts";

const picture = (bytes: number): Picture => ({
  bytes: new Uint8Array(bytes),
  mimeType: "image/jpeg",
  width: 540,
  height: 1200,
  native: { width: 1080, height: 2400 },
  rotation: 0,
  quality: 70,
  black: false,
  fingerprint: "f",
});
const done = (about: Partial<StepResult> = {}): StepResult => {
  return { tool: "look", ok: true, ms: 1, output: { ok: true }, pictures: [], ...about };
};

test("all pictures come in the order of their steps while they fit", () => {
  const { pictures, results, leftOut } = fitSteps(
    [done({ pictures: [picture(1)] }), done(), done({ pictures: [picture(2), picture(3)] })],
    "all",
  );
  expect(pictures.map(({ bytes }) => bytes.length)).toEqual([1, 2, 3]);
  expect(results.map((result) => result.pictures)).toEqual([1, undefined, 2]);
  expect(leftOut).toBe(0);
});

test("of pictures that do not fit the oldest are left out, and the whole stays below a megabyte", () => {
  const steps = [300_000, 300_001, 300_002, 300_003].map((bytes) => done({ pictures: [picture(bytes)] }));
  const { pictures, leftOut } = fitSteps(steps, "all");
  expect(pictures.map(({ bytes }) => bytes.length)).toEqual([300_002, 300_003]);
  expect(leftOut).toBe(2);
});

test("of outputs that do not fit the oldest are left out, and say so", () => {
  const lines = (first: string) => [first, ...Array.from({ length: 1_000 }, () => "x".repeat(99))];
  const { results } = fitSteps(
    [
      done({ output: { elements: lines("a") } }),
      done({ output: { elements: lines("b") } }),
      done({ output: { elements: lines("c") } }),
    ],
    "none",
  );
  expect(results.map((result) => result.output_left_out)).toEqual([true, undefined, undefined]);
  expect(results[0]).not.toHaveProperty("output");
});

test("a single output that is too large alone is left out as well", () => {
  const { results } = fitSteps([done({ output: { text: "x".repeat(600_000) } })], "none");
  expect(results).toEqual([{ tool: "look", ok: true, ms: 1, output_left_out: true }]);
});
