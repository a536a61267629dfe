import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { commandLine, quote } from "../../../device-agent/adb/shell/quote.ts";

const printArguments = 'for a in "$@"; do printf "%s\\0" "$a"; done';

/** What a real shell makes of the words: argv, as the program gets it. */
function argvOf(words: string[]): string[] {
  const script = `set -- ${commandLine(...words)}; ${printArguments}`;
  return execFileSync("/bin/sh", ["-c", script]).toString("utf8").split("\0").slice(0, -1);
}

test("words that tried to be commands reach the program as they are", () => {
  const hostile = [
    "a; input keyevent 3",
    "$(reboot)",
    "`id`",
    "it's",
    "#general",
    "~/x",
    "a$a",
    "*",
    "\\",
    "",
    "'",
    '"',
    "-n",
    "a\nb",
    "!!",
  ];
  expect(argvOf(hostile)).toEqual(hostile);
});

test("any text reaches the program as it is", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 60 }).filter((value) => !value.includes("\0"));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), (words) => {
      expect(argvOf(words)).toEqual(words);
    }),
    { numRuns: 60 },
  );
});

test("plain words stay readable", () => {
  expect(commandLine("input", "tap", 12, 34)).toBe("input tap 12 34");
  expect(quote("com.example/.Main")).toBe("com.example/.Main");
  expect(quote("it's")).toBe("'it'\\''s'");
  expect(quote("~")).toBe("'~'");
});

test("a NUL, which no command can carry, is refused", () => {
  expect(() => quote("a\0b")).toThrow(TypeError);
});
