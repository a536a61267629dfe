import { appendFileSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Answer } from "../../../device-agent/calls/answer.ts";
import { openFileJournal } from "../../../device-agent/journal/file-journal.ts";
import type { Journal } from "../../../device-agent/journal/journal.ts";
import { createLogLines } from "../support/log-lines.ts";

const directory = mkdtempSync(join(tmpdir(), "farhand-journal-"));
let files = 0;
const opened: Journal[] = [];
afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close().catch(() => {});
});

function bench() {
  const file = join(directory, `journal-${files++}.jsonl`);
  const clock = { at: 1_000_000 };
  const { log, lines } = createLogLines();
  const open = async (bootId: string) => {
    const journal = await openFileJournal({ file, now: () => clock.at, bootId, log });
    opened.push(journal);
    return journal;
  };
  return { file, clock, lines, open };
}

const entry = (id: string) => ({ id, digest: `digest-${id}`, principal: "me", tool: "tap", device: "a" });
const done: Answer = { ok: true, output: { ok: true }, pictures: [] };
const failed: Answer = { ok: false, error: { code: "locked", message: "Locked.", hint: "Unlock it." } };
const withPicture = (bytes: number): Answer => ({
  ok: true,
  output: { ok: true },
  pictures: [{ mimeType: "image/jpeg", width: 540, height: 1200, bytes: new Uint8Array(bytes).fill(7) }],
});
const mebibyte = 1024 * 1024;

test("a write is on the disk, for its owner only, when begin resolves", async () => {
  const { file, open } = bench();
  const journal = await open("boot1");
  await journal.begin(entry("c1"));
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    kind: "start",
    at: 1_000_000,
    boot: "boot1",
    id: "c1",
    digest: "digest-c1",
    principal: "me",
    tool: "tap",
    device: "a",
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("answers with output, pictures and errors survive a restart", async () => {
  const { open } = bench();
  const first = await open("boot1");
  for (const id of ["c1", "c2"]) await first.begin(entry(id));
  first.finish("c1", withPicture(5));
  first.finish("c2", failed);
  await first.close();
  const second = await open("boot2");
  expect(second.find("c1")).toMatchObject({ state: "answered", digest: "digest-c1", answer: withPicture(5) });
  expect(second.find("c2")).toMatchObject({ state: "answered", answer: failed });
  expect(second.find("c3")).toBeUndefined();
});

test("what was begun and not answered runs in this process and is lost in the next", async () => {
  const { open } = bench();
  const first = await open("boot1");
  await first.begin(entry("c1"));
  expect(first.find("c1")).toMatchObject({ state: "started" });
  await first.close();
  const second = await open("boot2");
  expect(second.find("c1")).toMatchObject({ state: "lost", digest: "digest-c1" });
});

test("a torn last line costs nothing but itself, and what comes after it is readable", async () => {
  const { file, open, lines } = bench();
  const first = await open("boot1");
  await first.begin(entry("c1"));
  first.finish("c1", done);
  await first.close();
  appendFileSync(file, '{"kind":"start","id":"torn');
  const second = await open("boot2");
  await second.begin(entry("c2"));
  await second.close();
  const third = await open("boot3");
  expect(third.find("c1")).toMatchObject({ state: "answered" });
  expect(third.find("c2")).toMatchObject({ state: "lost" });
  expect(lines.filter((line) => line.includes("damaged"))).toHaveLength(1);
});

test("an answer is kept for ten minutes, also across a restart", async () => {
  const { clock, open } = bench();
  const first = await open("boot1");
  await first.begin(entry("c1"));
  first.finish("c1", done);
  clock.at += 599_999;
  expect(first.find("c1")).toMatchObject({ state: "answered" });
  await first.close();
  clock.at += 1;
  expect((await open("boot2")).find("c1")).toBeUndefined();
});

test("32 MiB are kept, the oldest answers go first, and none younger than a minute", async () => {
  const { clock, open } = bench();
  const journal = await open("boot1");
  for (let one = 0; one < 31; one++) {
    await journal.begin(entry(`c${one}`));
    journal.finish(`c${one}`, withPicture(mebibyte));
    clock.at += 1_000;
  }
  await journal.begin(entry("c31"));
  journal.finish("c31", withPicture(mebibyte - 10_000));
  await expect(journal.begin(entry("c32"))).rejects.toMatchObject({ code: "device_busy", retryAfterMs: 29_000 });
  expect(journal.find("c32")).toBeUndefined();
  clock.at += 29_000;
  await journal.begin(entry("c32"));
  expect(journal.find("c0")).toBeUndefined();
  expect(journal.find("c1")).toMatchObject({ state: "answered" });
  await journal.close();
});

test("an answer that does not fit any more leaves the outcome unknown rather than a hole in the limit", async () => {
  const { open } = bench();
  const journal = await open("boot1");
  for (let one = 0; one < 20; one++) await journal.begin(entry(`c${one}`));
  for (let one = 0; one < 20; one++) journal.finish(`c${one}`, withPicture(2 * mebibyte));
  expect(journal.find("c14")).toMatchObject({ state: "answered" });
  expect(journal.find("c19")).toMatchObject({ state: "lost" });
  await journal.close();
});

test("the file is written anew before it has grown without end", async () => {
  const { file, clock, open } = bench();
  const journal = await open("boot1");
  for (let one = 0; one < 70; one++) {
    await journal.begin(entry(`c${one}`));
    journal.finish(`c${one}`, withPicture(mebibyte));
    clock.at += 60_000;
  }
  await journal.close();
  expect(statSync(file).size).toBeLessThan(70 * mebibyte);
  expect((await open("boot2")).find("c69")).toMatchObject({ state: "answered" });
});

test("thirty writes at once are all on the disk", async () => {
  const { open } = bench();
  const first = await open("boot1");
  await Promise.all(Array.from({ length: 30 }, (_unused, one) => first.begin(entry(`c${one}`))));
  await first.close();
  const second = await open("boot2");
  for (let one = 0; one < 30; one++) expect(second.find(`c${one}`)).toMatchObject({ state: "lost" });
});
