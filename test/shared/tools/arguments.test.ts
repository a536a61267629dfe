import { describe, expect, test } from "vitest";
import { z } from "zod";
import { CodedError } from "../../../shared/errors.ts";
import { parseArguments } from "../../../shared/tools/define-tool.ts";

const input = z.strictObject({ x: z.number(), snap: z.boolean().default(true), text: z.string().optional() });

describe("arguments", () => {
  test.each([
    [673, 673],
    ["673", 673],
    ["-1.5", -1.5],
    [".5", 0.5],
  ])("x: %j is taken as %d", (given, taken) => {
    expect(parseArguments(input, { x: given }).x).toBe(taken);
  });

  test.each([
    null,
    "",
    " ",
    "abc",
    "0x10",
    "1e3",
    "12px",
    true,
    false,
    [5],
    {},
    Number.NaN,
    Number.POSITIVE_INFINITY,
    JSON.parse("1e999"),
  ])("x: %j is refused and the field is named", (given) => {
    expect(() => parseArguments(input, { x: given })).toThrow(/^These arguments do not fit: x: /);
  });

  test("true and false may come as words, a number as text is its digits", () => {
    expect(parseArguments(input, { x: 1, snap: "false", text: 2024 })).toEqual({ x: 1, snap: false, text: "2024" });
    expect(() => parseArguments(input, { x: 1, snap: "no" })).toThrow(CodedError);
    expect(() => parseArguments(input, { x: 1, text: true })).toThrow(CodedError);
  });

  test("an unknown argument is refused by name, all faults at once", () => {
    expect(() => parseArguments(input, { y: 1 })).toThrow(/x: .*; .*"y"/);
  });

  test.each([[null], [undefined]])("%j stands for no arguments", (raw) => {
    expect(parseArguments(z.strictObject({}), raw)).toEqual({});
  });

  test.each([[[]], ["text"], [5]])("%j is no set of arguments", (raw) => {
    expect(() => parseArguments(z.strictObject({}), raw)).toThrow(CodedError);
  });
});
