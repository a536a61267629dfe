import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { defaultOcrDir, findAddOn } from "../../device-agent/ocr/add-on.ts";
import { toolSpecs } from "../../shared/tools/specs.ts";

interface Example {
  tool: string;
  arguments: unknown;
  answer: Record<string, unknown>;
  pictures: string[];
}

const maker = fileURLToPath(new URL("../../docs/examples/make.mjs", import.meta.url));
const kept = readExamples(readFileSync(new URL("../../docs/examples.jsonl", import.meta.url), "utf8"));
const { story } = await import(new URL("../../docs/examples/story.mjs", import.meta.url).href);
const hasOcr = findAddOn(defaultOcrDir()) !== undefined;

let made: Map<string, Example>;
let complaints: string;

beforeAll(async () => {
  const options = { maxBuffer: 16 * 1024 * 1024 };
  const run = await promisify(execFile)(process.execPath, [maker, "--print"], options).catch(endedBadly);
  made = readExamples(run.stdout);
  complaints = run.stderr;
}, 240_000);

for (const { name: tool } of toolSpecs) {
  test.skipIf(story[tool]?.needsOcr && !hasOcr)(
    `the example of ${tool} in docs/tools.md is what the product answers today`,
    () => {
      const example = made.get(tool);
      if (!example) throw new Error(`No example of ${tool} could be made. ${complaints}`);
      const howToRenew = `The example of ${tool} is not current: npm run docs:examples`;
      expect(withoutBoxes(kept.get(tool)), howToRenew).toEqual(withoutBoxes(example));
    },
  );
}

test("no example is of a tool that is gone", () => {
  const names = toolSpecs.map(({ name }) => name);
  expect([...kept.keys()].filter((tool) => !names.includes(tool))).toEqual([]);
});

test("the examples show nothing of the machine on which they were made", () => {
  const text = JSON.stringify([...kept.values()]);
  expect(text).not.toMatch(/127\.0\.0\.1|localhost|\/home\/|\/root\/|\/tmp\//);
  expect(text.length).toBeLessThan(40_000);
});

function readExamples(text: string): Map<string, Example> {
  const lines = text.split("\n").filter((line) => line !== "");
  return new Map(lines.map((line) => JSON.parse(line) as Example).map((example) => [example.tool, example]));
}

/** A processor with other arithmetic finds the edges of a text in pixels a little elsewhere. */
function withoutBoxes(example: Example | undefined): unknown {
  if (example?.tool !== "read_text") return example;
  const texts = (example.answer.texts as string[]).map((line) => line.replace(/ \[[\d,]+\]$/, ""));
  return { ...example, answer: { ...example.answer, texts } };
}

function endedBadly(thrown: unknown): { stdout: string; stderr: string } {
  if (thrown instanceof Error && "stdout" in thrown && "stderr" in thrown) {
    return { stdout: String(thrown.stdout), stderr: String(thrown.stderr) };
  }
  throw thrown;
}
