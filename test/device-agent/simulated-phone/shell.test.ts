import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { programsFor } from "../../../device-agent/simulated-phone/commands/catalogue.ts";
import { createPhoneShell, type PhoneShell } from "../../../device-agent/simulated-phone/commands/shell-host.ts";
import { resolveProfile } from "../../../device-agent/simulated-phone/options.ts";
import { createPhone } from "../../../device-agent/simulated-phone/phone/phone.ts";
import { parseScript } from "../../../device-agent/simulated-phone/shell/parse.ts";
import { ShellSyntaxError } from "../../../device-agent/simulated-phone/shell/syntax.ts";

const shell: PhoneShell = createPhoneShell(
  createPhone(resolveProfile({}), () => {}),
  programsFor(34),
);

async function run(text: string, input = ""): Promise<{ output: string; errors: string; status: number }> {
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  const pending = input === "" ? [] : [Buffer.from(input)];
  const status = await shell.run(
    text,
    shell.newState(),
    {
      stdin: { read: async () => pending.shift() },
      stdout: { write: async (bytes) => void output.push(bytes) },
      stderr: { write: async (bytes) => void errors.push(bytes) },
    },
    new AbortController().signal,
  );
  return { output: Buffer.concat(output).toString(), errors: Buffer.concat(errors).toString(), status };
}

const singleQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const lines = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"));

describe("quoting", () => {
  test("single quotes carry any text unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(lines, async (text) => {
        expect((await run(`printf %s ${singleQuoted(text)}`)).output).toBe(text);
      }),
      { numRuns: 150 },
    );
  });

  test("several quoted arguments stay apart", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(lines, { minLength: 1, maxLength: 6 }), async (words) => {
        expect((await run(`for w in ${words.map(singleQuoted).join(" ")}; do printf '%s\\0' "$w"; done`)).output).toBe(
          words.map((word) => `${word}\0`).join(""),
        );
      }),
      { numRuns: 60 },
    );
  });

  test("parsing ends for any text, with a script or a syntax error", () => {
    const noisy = fc.string({ unit: fc.constantFrom(..."ab \"'\\$`;|&<>(){}#*\n=!?1") });
    fc.assert(
      fc.property(noisy, (text) => {
        try {
          parseScript(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ShellSyntaxError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("what mksh does with text that nobody quoted", () => {
  test.each([
    ["echo a; echo b", "a\nb\n"],
    ["echo a   b", "a b\n"],
    ['echo "a   b"', "a   b\n"],
    ["echo $(whoami) `id -u`", "shell 2000\n"],
    ['echo "$(echo "in $(echo deep)")"', "in deep\n"],
    ["echo a # the rest is a comment", "a\n"],
    ["echo a#b", "a#b\n"],
    ["echo it\\'s", "it's\n"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell syntax
    ["x=5; echo $x ${x} ${y:-none} ${#x}", "5 5 none 1\n"],
    ['x="a b"; for i in $x; do echo [$i]; done', "[a]\n[b]\n"],
    ["x=1 sh -c 'echo $x'; echo [$x]", "1\n[]\n"],
    ["echo $((2 + 3 * 4))", "14\n"],
    ["false && echo no || echo yes", "yes\n"],
    ["! true; echo $?", "1\n"],
    ["false; echo $?", "1\n"],
    ["(exit 3); echo $?", "3\n"],
    ["if [ -d /sdcard ]; then echo dir; else echo none; fi", "dir\n"],
    ["case abc in a*) echo starts;; *) echo other;; esac", "starts\n"],
    ["i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done", "0\n1\n2\n"],
    ["echo one two | wc -w", "2\n"],
    ["seq 5 | tail -n 2 | head -n 1", "4\n"],
    ["echo *nothing*here*", "*nothing*here*\n"],
    ["cd /sdcard && echo Pic*", "Pictures\n"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell syntax
    ["f=/a/b.txt; echo ${f##*/} ${f%.txt}", "b.txt /a/b\n"],
    ["echo a >/sdcard/x; echo b >>/sdcard/x; cat </sdcard/x; rm /sdcard/x", "a\nb\n"],
    ["{ echo out; echo err >&2; } 2>/dev/null", "out\n"],
    ["ls /nowhere 2>&1", "ls: /nowhere: No such file or directory\n"],
    ["set -- a b; echo ok", "ok\n"],
    ["echo hi | { read line; echo got $line; }", "got hi\n"],
    ["sleep 0.01 & echo started; wait", "started\n"],
    ["echo 'a\\tb'", "a\tb\n"],
    ["printf '%s-%s\\n' a b c d", "a-b\nc-d\n"],
    ["echo a |\n cat", "a\n"],
  ])("%s", async (text, output) => {
    expect((await run(text)).output).toBe(output);
  });

  test.each([
    ["nosuchthing --now", 127, "/system/bin/sh: nosuchthing: inaccessible or not found\n"],
    ["echo (", 1, "/system/bin/sh: syntax error: unexpected '('\n"],
    ["echo 'open", 1, "/system/bin/sh: no closing quote\n"],
    ["echo a > /system/x", 1, "/system/bin/sh: can't create /system/x: Read-only file system\n"],
    ["cat < /nope", 1, "/system/bin/sh: can't open /nope: No such file or directory\n"],
    ["cat /nope", 1, "cat: /nope: No such file or directory\n"],
    ["exit 7", 7, ""],
    ["false", 1, ""],
    ["true | false", 1, ""],
    ["false | true", 0, ""],
  ])("%s ends with %i", async (text, status, errors) => {
    expect(await run(text)).toEqual({ output: "", errors, status });
  });

  test("a reader that has enough ends an endless writer", async () => {
    expect(await run("while true; do echo y; done | head -n 2")).toMatchObject({ output: "y\ny\n", status: 0 });
  });

  test("standard input reaches the command", async () => {
    expect((await run("grep -c a", "a\nb\na\n")).output).toBe("2\n");
  });

  test("a background job can be seen and killed", async () => {
    const { output } = await run(
      "sleep 100 & p=$!; kill -0 $p && echo alive; kill $p; sleep 0.02; kill -0 $p 2>/dev/null || echo gone",
    );
    expect(output).toBe("alive\ngone\n");
  });

  test("timeout ends a command that takes too long", async () => {
    expect((await run("timeout 0.05 sleep 30")).status).toBe(124);
  });
});
