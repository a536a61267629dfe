import fc from "fast-check";
import { expect, test } from "vitest";
import { inputChunks, isPlainInput } from "../../../device-agent/adb/text/input-chunks.ts";
import { namesOf, notPlain } from "../../../device-agent/adb/text/unsupported-characters.ts";
import { isTyped } from "../../../device-agent/adb/text/verify-text.ts";

/** As the phone's program reads its argument: `%s` is a space, looked for from left to right. */
function typed(argument: string): string {
  let text = argument;
  let percent = false;
  for (let at = 0; at < text.length; at++) {
    if (percent && text[at] === "s") {
      text = `${text.slice(0, at - 1)} ${text.slice(at + 1)}`;
      at -= 1;
    }
    percent = text[at] === "%";
  }
  return text;
}

const arrives = (text: string) =>
  inputChunks(text)
    .map((chunk) => (chunk.kind === "enter" ? "\n" : typed(chunk.argument)))
    .join("");

test("a literal percent and s arrive as they are", () => {
  expect(inputChunks("100%s")).toEqual([
    { kind: "text", argument: "100%" },
    { kind: "text", argument: "s" },
  ]);
  expect(arrives("100%s sure %%s % s")).toBe("100%s sure %%s % s");
});

test("any plain text arrives exactly, in pieces that the oldest phone takes", () => {
  const character = fc.constantFrom(..."ab%s% \n'\"$\\;x");
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 300 }), fc.integer({ min: 1, max: 20 }), (text, times) => {
      const long = text.repeat(times);
      expect(arrives(long)).toBe(long);
      for (const chunk of inputChunks(long))
        if (chunk.kind === "text") expect(chunk.argument.length).toBeLessThanOrEqual(2400);
    }),
    { numRuns: 300 },
  );
});

test("only printable ASCII and line breaks go by keys", () => {
  expect(isPlainInput("Hello, it's 5 o'clock\r\nBye")).toBe(true);
  for (const other of ["é", "你好", "👍", "tab\there", "nul\0", "\u007f", "a\rb"])
    expect(isPlainInput(other)).toBe(false);
});

test("characters that cannot be typed are named once each", () => {
  expect(namesOf(notPlain("a你b你\té"))).toBe("你 (U+4F60), U+0009, é (U+00E9)");
});

test("a text counts as typed only when the whole of it is new in one place", () => {
  expect(isTyped("", "hello", "hello")).toBe(true);
  expect(isTyped("ab", "ahellob", "hello")).toBe(true);
  expect(isTyped("Search here", "hello", "hello")).toBe(true);
  expect(isTyped("a selected z", "a hello z", "hello")).toBe(true);
  expect(isTyped("", "hllo", "hello")).toBe(false);
  expect(isTyped("hello", "hello", "hello")).toBe(true);
  expect(isTyped("hello", "hello!", "x")).toBe(false);
  expect(isTyped("ab", "cahellob", "hello")).toBe(false);
});

test("whatever a field held, a text put in at any place counts as typed", () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.nat(), (before, text, place) => {
      const at = place % (before.length + 1);
      expect(isTyped(before, before.slice(0, at) + text + before.slice(at), text)).toBe(true);
    }),
  );
});
