import { expect, test } from "vitest";
import { lastBoundary, showBytes, showEnds } from "../../shared/shown-bytes.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const none = new Uint8Array(0);

test.each([
  [utf8("plain\n\ttext ✓ 你好 🙂"), "plain\n\ttext ✓ 你好 🙂"],
  [Uint8Array.of(0, 7, 27, 127), "\\x00\\x07\\x1b\\x7f"],
  [utf8("a\r\nb"), "a\\r\nb"],
  [Uint8Array.of(0x61, 0xff, 0xc3, 0x28, 0xe4, 0xbd), "a\\xff\\xc3(\\xe4\\xbd"],
  [Uint8Array.of(0xed, 0xa0, 0x80), "\\xed\\xa0\\x80"],
  [utf8("\ufffd"), "\ufffd"],
  [utf8("pay \u202e001"), "pay \\u{202e}001"],
  [none, ""],
])("%j is shown as %j", (bytes, text) => {
  expect(showBytes(bytes)).toBe(text);
});

test("both ends of a long output are shown around what is left out", () => {
  const shown = showEnds({ head: utf8("begin"), tail: utf8("end"), total: 1_000 }, 64);
  expect(shown).toEqual({ text: "begin\n… of 1000 bytes the middle is left out …\nend", truncated: true });
  expect(showEnds({ head: utf8("beg"), tail: utf8("in"), total: 5 }, 64)).toEqual({ text: "begin", truncated: false });
});

test("what grows when it is shown is cut between characters", () => {
  const { text, truncated } = showEnds({ head: new Uint8Array(50), tail: utf8("你好你好"), total: 62 }, 20);
  expect(truncated).toBe(true);
  expect(text).toBe("\\x00\\x00\\x\n… of 62 bytes the middle is left out …\n好你好");
});

test.each([
  ["abc", 3],
  ["ab✓", 5],
])("the whole of %j is a whole text", (text, length) => {
  expect(lastBoundary(utf8(text))).toBe(length);
});

test("a character that is cut off is not counted", () => {
  expect(lastBoundary(utf8("ab✓").subarray(0, 4))).toBe(2);
  expect(lastBoundary(utf8("a🙂").subarray(0, 4))).toBe(1);
  expect(lastBoundary(Uint8Array.of(0x80, 0x80, 0x80, 0x80))).toBe(4);
});
