import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createProcessTextReader } from "../../../device-agent/ocr/process-text-reader.ts";
import type { TextReader } from "../../../device-agent/ocr/text-reader.ts";
import type { Pixels } from "../../../device-agent/pictures/pixels.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { codeOf, clock as realClock, silent, until } from "../adb/test-parts.ts";
import { buildProgram } from "../support/built-process.ts";
import { fakeAddOn, runtimeThatReads } from "./fake-add-on.ts";

const never = new AbortController().signal;
const screen: Pixels = { size: { width: 64, height: 32 }, channels: 3, data: new Uint8Array(64 * 32 * 3) };
const a = [{ text: "a", score: expect.closeTo(0.9), bounds: { left: 0, top: 0, right: 64, bottom: 28 } }];

let program: Awaited<ReturnType<typeof buildProgram>>;
const closers: (() => void)[] = [];

beforeAll(async () => {
  program = await buildProgram("device-agent/ocr/reader-program.ts");
});
afterAll(() => program?.remove());
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
});

function addOn(runtime: string): string {
  const { ocrDir, remove } = fakeAddOn(runtime);
  closers.push(remove);
  return ocrDir;
}

function readerAt(ocrDir: string, clock = realClock): TextReader {
  const reader = createProcessTextReader({ ocrDir, clock, logger: silent, program: program.file });
  closers.push(() => reader.close());
  return reader;
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );

test("texts are read in another process, one picture after another", async () => {
  const reader = readerAt(addOn(runtimeThatReads("")));
  expect(await reader.missing()).toBeUndefined();
  expect(await reader.read(screen, never)).toEqual(a);
  expect(await Promise.all([reader.read(screen, never), reader.read(screen, never)])).toEqual([a, a]);
});

test("without the add-on nothing is read, and the error says what adds it", async () => {
  const ocrDir = mkdtempSync(join(tmpdir(), "farhand-ocr-"));
  closers.push(() => rmSync(ocrDir, { recursive: true }));
  const reader = readerAt(ocrDir);
  expect(await reader.missing()).toContain("npm run add-ocr");
  expect(await failureOf(reader.read(screen, never))).toMatchObject({
    code: "unsupported",
    hint: expect.stringContaining("npm run add-ocr"),
  });
});

test("the folder of the add-on may be given from where we are", async () => {
  const reader = readerAt(relative(process.cwd(), addOn(runtimeThatReads(""))));
  expect(await reader.missing()).toBeUndefined();
  expect(await reader.read(screen, never)).toEqual(a);
});

test("an add-on that cannot be loaded here is unsupported, and told for a minute", async () => {
  const clock = createManualClock();
  const reader = readerAt(addOn("throw new Error('libonnxruntime.so.1: cannot open shared object file')"), clock);
  expect(await reader.missing()).toBeUndefined();
  expect(await failureOf(reader.read(screen, never))).toMatchObject({
    code: "unsupported",
    message: expect.stringContaining("cannot run on this machine"),
    cause: { message: expect.stringContaining("libonnxruntime") },
  });
  expect(await reader.missing()).toContain("cannot run on this machine");
  await clock.advance(60_000);
  expect(await reader.missing()).toBeUndefined();
});

test("a process that dies in the middle fails that picture alone", async () => {
  const reader = readerAt(addOn(runtimeThatReads(atFirst("process.abort()"))));
  expect(await failureOf(reader.read(screen, never))).toMatchObject({ code: "internal" });
  expect(await reader.read(screen, never)).toEqual(a);
});

test("whoever gives up has the answer at once, and the next picture is read", async () => {
  const reader = readerAt(
    addOn(
      runtimeThatReads(
        "globalThis.n = (globalThis.n ?? 0) + 1; if (globalThis.n === 2) await new Promise((r) => setTimeout(r, 400))",
      ),
    ),
  );
  await reader.read(screen, never);
  const controller = new AbortController();
  const reading = failureOf(reader.read(screen, controller.signal));
  const next = reader.read(screen, never);
  setTimeout(() => controller.abort(new Error("enough")), 50);
  expect(await Promise.race([reading, next])).toMatchObject({ message: "enough" });
  expect(await next).toEqual(a);
});

test("a process that hangs is ended three seconds after its picture was given up", async () => {
  const clock = createManualClock();
  const ocrDir = addOn(runtimeThatReads(atFirst("for (;;) {}")));
  const reader = readerAt(ocrDir, clock);
  const controller = new AbortController();
  const reading = failureOf(reader.read(screen, controller.signal));
  const next = reader.read(screen, never);
  await until(() => readersOf(ocrDir).length === 1);
  const [hanging = 0] = readersOf(ocrDir);
  controller.abort(new Error("enough"));
  expect(await reading).toMatchObject({ message: "enough" });
  await clock.advance(2_900);
  expect(isAlive(hanging)).toBe(true);
  await clock.advance(100);
  await until(() => !isAlive(hanging));
  expect(await next).toEqual(a);
});

test("a picture that nobody wants any more is not read", async () => {
  const reader = readerAt(addOn(runtimeThatReads("")));
  expect(await failureOf(reader.read(screen, AbortSignal.abort(new Error("gone"))))).toMatchObject({ message: "gone" });
});

test("only a few may wait, and after them there is room again", async () => {
  const reader = readerAt(addOn(runtimeThatReads("await new Promise((r) => setTimeout(r, 50))")));
  const waiting = Array.from({ length: 5 }, () => reader.read(screen, never));
  expect(await codeOf(reader.read(screen, never))).toBe("device_busy");
  await Promise.all(waiting);
  expect(await reader.read(screen, never)).toEqual(a);
});

test("a picture larger than any phone's is refused, an empty one has no texts", async () => {
  const reader = readerAt(addOn(runtimeThatReads("")));
  const size = { width: 40_000, height: 1_000 };
  expect(await codeOf(reader.read({ ...screen, size }, never))).toBe("too_large");
  const none = { size: { width: 0, height: 0 }, channels: 3 as const, data: new Uint8Array(0) };
  expect(await reader.read(none, never)).toEqual([]);
});

test("its memory is given back when nothing was read for two minutes, and it starts again by itself", async () => {
  const clock = createManualClock();
  const ocrDir = addOn(runtimeThatReads(atFirst("")));
  const reader = readerAt(ocrDir, clock);
  await reader.read(screen, never);
  await reader.read(screen, never);
  const [first = 0, second] = readersOf(ocrDir);
  expect(second).toBe(first);
  await clock.advance(119_000);
  expect(isAlive(first)).toBe(true);
  await clock.advance(1_000);
  await until(() => !isAlive(first));
  await reader.read(screen, never);
  expect(readersOf(ocrDir)[2]).not.toBe(first);
});

/** What is done before the first text that any process reads; each leaves its number. */
function atFirst(action: string): string {
  return `
    const fs = require("node:fs");
    const isFirst = !fs.existsSync(__dirname + "/pids");
    fs.appendFileSync(__dirname + "/pids", process.pid + " ");
    if (isFirst) { ${action} }
  `;
}

function readersOf(ocrDir: string): number[] {
  const file = join(ocrDir, "node_modules/onnxruntime-node/pids");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split(" ").map(Number) : [];
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
