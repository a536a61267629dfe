import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseForeground } from "../../../device-agent/adb/apps/foreground.ts";
import { parsePackageList } from "../../../device-agent/adb/apps/installed-apps.ts";
import { parseFacts } from "../../../device-agent/adb/facts/device-facts.ts";
import { parsePhysicalDisplays } from "../../../device-agent/adb/screen/displays.ts";
import { parseStatus } from "../../../device-agent/adb/screen/screen-status.ts";
import { isFocusedWindowSecure } from "../../../device-agent/adb/screen/secure-window.ts";
import { dumpFailure } from "../../../device-agent/adb/tree/dump-failure.ts";
import { parseDump } from "../../../device-agent/adb/tree/parse-dump.ts";
import { CodedError } from "../../../shared/errors.ts";
import { capture, captureNames, hasCaptures } from "./captures.ts";

interface Drawn {
  attributes: [string, string][];
  children: Drawn[];
}

const attribute = fc.tuple(
  fc.constantFrom("text", "content-desc", "resource-id", "class", "NAF", "made-up", "hint", "package"),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const { node } = fc.letrec<{ node: Drawn }>((tie) => ({
  node: fc.record({
    attributes: fc.uniqueArray(attribute, { selector: ([name]) => name, maxLength: 5 }),
    children: fc.oneof({ depthSize: "small" }, fc.constant<Drawn[]>([]), fc.array(tie("node"), { maxLength: 4 })),
  }),
}));

const countOf = (drawn: Drawn): number => 1 + drawn.children.reduce((sum, child) => sum + countOf(child), 0);

/** The ways in which phones write the same tree. */
interface Manner {
  quote: '"' | "'";
  indent: string;
  closes: boolean;
  reference: "named" | "number";
  newline: "\n" | "\r\n" | "\r\r\n" | "";
}
const manner: fc.Arbitrary<Manner> = fc.record({
  quote: fc.constantFrom('"' as const, "'" as const),
  indent: fc.constantFrom("", "  ", "\t"),
  closes: fc.boolean(),
  reference: fc.constantFrom("named" as const, "number" as const),
  newline: fc.constantFrom("\n" as const, "\r\n" as const, "\r\r\n" as const, "" as const),
});

function written(drawn: Drawn, how: Manner): string {
  const referred = (value: string) =>
    value.replace(/[&<>"'\n]/g, (char) =>
      how.reference === "number" || char === "\n"
        ? `&#${char.charCodeAt(0)};`
        : `&${{ "&": "amp", "<": "lt", ">": "gt", '"': "quot" }[char] ?? "apos"};`,
    );
  const own = [...drawn.attributes, ["bounds", "[0,0][10,10]"] as const]
    .map(([name, value]) => ` ${name}=${how.quote}${referred(value)}${how.quote}`)
    .join("");
  if (drawn.children.length === 0) return `<node${own}${how.closes ? " />" : "></node>"}${how.newline}`;
  const inner = drawn.children.map((child) => how.indent + written(child, how)).join("");
  return `<node${own}>${how.newline}${inner}</node>${how.newline}`;
}

const around = fc.constantFrom(
  ["", ""],
  ["\ufeff<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>", "UI hierchary dumped to: /dev/tty\n"],
  ['WARNING: linker: unsupported flags\n<?xml version="1.0"?>\n', "\n$ "],
  ["java.io.FileNotFoundException: /data/x.xml: open failed\n\tat a.b.C(D.java:1)\n", ""],
);

test("however a phone writes a tree, as many nodes come out as went in", () => {
  fc.assert(
    fc.property(fc.array(node, { maxLength: 3 }), manner, around, (roots, how, [before, after]) => {
      const body = roots.map((root) => written(root, how)).join("");
      const parsed = parseDump(
        `${before}<hierarchy rotation=${how.quote}0${how.quote}>${how.newline}${body}</hierarchy>${after}`,
      );
      expect(parsed).toMatchObject({ ok: true });
      if (parsed.ok) expect(parsed.nodes).toHaveLength(roots.reduce((sum, root) => sum + countOf(root), 0));
    }),
    { numRuns: 400 },
  );
});

/** Cuts, doubles, swaps and litters a text at random places. */
const damage = fc.array(
  fc.record({
    kind: fc.constantFrom("cut", "drop", "double", "insert", "flip"),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 1, max: 400 }),
    litter: fc.string({ unit: "binary", maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 6 },
);

type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never;

function damaged(text: string, all: Damage): string {
  return all.reduce((current, { kind, at, length, litter }) => {
    const place = Math.floor(at * current.length);
    const [head, tail] = [current.slice(0, place), current.slice(place)];
    if (kind === "cut") return head;
    if (kind === "drop") return head + tail.slice(length);
    if (kind === "double") return head + tail.slice(0, length) + tail;
    if (kind === "flip") return head + tail.slice(0, length).split("").reverse().join("") + tail.slice(length);
    return head + litter + tail;
  }, text);
}

/** Everything that reads a text of the phone; none may end in anything but an answer or an error of ours. */
function readAll(text: string): void {
  const readers: (() => unknown)[] = [
    () => dumpFailure(text, text, parseDump(text)),
    () => parseForeground([text, text, text]),
    () => parseStatus([text, text, text, text]),
    () => parsePhysicalDisplays(text),
    () => isFocusedWindowSecure(text),
    () => parseFacts([text, text, text, text, text]),
    () => parsePackageList(text, false),
  ];
  for (const read of readers) {
    try {
      read();
    } catch (error) {
      expect(error).toBeInstanceOf(CodedError);
    }
  }
}

describe.runIf(hasCaptures)("damaged outputs of real phones", () => {
  const texts = ["ui", "constructed", "dumpsys", "misc", "failures"]
    .flatMap((folder) => (hasCaptures ? captureNames(folder) : []))
    .filter((name) => /\.(xml|txt)$/.test(name));

  test("never end in anything but an answer or an error of ours, in bounded time", () => {
    const begun = performance.now();
    for (const name of texts) {
      const text = capture(name);
      fc.assert(
        fc.property(damage, (all) => readAll(damaged(text, all))),
        { numRuns: 12 },
      );
    }
    expect(performance.now() - begun).toBeLessThan(25_000);
  });

  test("a tree that lost its end is never a smaller tree", () => {
    const whole = texts.filter((name) => parseDump(capture(name)).ok);
    expect(whole.length).toBeGreaterThan(25);
    for (const name of whole) {
      const text = capture(name);
      const end = text.lastIndexOf("</hierarchy>");
      fc.assert(
        fc.property(fc.integer({ min: 0, max: Math.max(0, end) }), (at) => !parseDump(text.slice(0, at)).ok),
        { numRuns: 20 },
      );
    }
  });
});
