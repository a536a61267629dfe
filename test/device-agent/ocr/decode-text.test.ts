import { expect, test } from "vitest";
import { decodeText } from "../../../device-agent/ocr/decode-text.ts";
import type { Tensor } from "../../../device-agent/ocr/tensor.ts";

const alphabet = ["a", "b", "你", " "];

/** One class per step with its probability; the rest is shared by the others. */
function output(...steps: [best: number, probability: number][]): Tensor {
  const classes = alphabet.length + 1;
  const rows = steps.map(([best, probability]) =>
    Array.from({ length: classes }, (_, at) => (at === best ? probability : (1 - probability) / (classes - 1))),
  );
  return { data: Float32Array.from(rows.flat()), dims: [1, steps.length, classes] };
}

test("a character that lasts several steps is one, and two are two when nothing lies between", () => {
  expect(decodeText(output([1, 0.9], [1, 0.8], [0, 0.9], [1, 0.9], [2, 0.9]), alphabet).text).toBe("aab");
});

test("the score is the mean of the characters' own, without the gaps", () => {
  const { text, score } = decodeText(output([3, 0.6], [0, 0.99], [2, 1]), alphabet);
  expect(text).toBe("你b");
  expect(score).toBeCloseTo(0.8, 5);
});

test("blanks at the ends are dropped, inside they stay", () => {
  expect(decodeText(output([4, 0.9], [1, 0.9], [4, 0.9], [2, 0.9], [4, 0.9]), alphabet).text).toBe("a b");
});

test("nothing at all is an empty text with score 0", () => {
  expect(decodeText(output([0, 0.9], [0, 0.9]), alphabet)).toEqual({ text: "", score: 0 });
  expect(decodeText({ data: new Float32Array(0), dims: [1, 0, 5] }, alphabet)).toEqual({ text: "", score: 0 });
});
