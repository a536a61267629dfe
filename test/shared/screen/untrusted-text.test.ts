import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quoteScreenText } from "../../../shared/screen/untrusted-text.ts";

describe("text from a screen", () => {
  test.each([
    ["Save & close", '"Save & close"'],
    ['say "hi"\nnow', '"say \\"hi\\"\\nnow"'],
    ["pay\u202eexe.fdp", '"pay\\u{202e}exe.fdp"'],
    ["a\u200bb\u2060c", '"a\\u{200b}b\\u{2060}c"'],
    ["tag\u{e0041}", '"tag\\u{e0041}"'],
    ["你好🙂", '"你好🙂"'],
    ["👨‍👩‍👧", '"👨‍👩‍👧"'],
    ["a\u200db", '"a\\u{200d}b"'],
  ])("%j is told as %s", (text, told) => {
    expect(quoteScreenText(text)).toBe(told);
  });

  test("is cut with its full length told", () => {
    expect(quoteScreenText("x".repeat(5_000))).toBe(`"${"x".repeat(200)}"(5000 characters)`);
  });

  test("never closes its own quotes and never breaks a line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 150 }), (text) => {
        const inner = quoteScreenText(text)
          .replace(/\(\d+ characters\)$/, "")
          .slice(1, -1);
        expect(inner.replace(/\\\\/g, "").replace(/\\"/g, "")).not.toMatch(/["\n\r\u2028]/);
      }),
    );
  });
});
