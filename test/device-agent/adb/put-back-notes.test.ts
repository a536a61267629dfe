import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PutBackNotes } from "../../../device-agent/adb/text/put-back-notes.ts";
import type { Logger } from "../../../shared/log.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { silent } from "./test-parts.ts";

let folder: string;
let file: string;
let clock: ManualClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "farhand-notes-"));
  file = join(folder, "put-back.json");
  clock = createManualClock();
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (logger: Logger = silent) => new PutBackNotes({ file, clock, logger });
const copied = () => ({ was: "s3cret", mark: { salt: "1", sha256: "ab" }, at: clock.now() });
const keyboard = { was: "com.a/.Ime", ours: "com.b/.Ime", isEnabledByUs: true };

test("what is owed is on the disk for its owner alone, and the next process knows it", async () => {
  await open().add("phone", { clipboard: copied() });
  await open().add("other", { keyboard });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(open().get("phone")).toEqual({ clipboard: copied() });
  expect(open().get("other")).toEqual({ keyboard });
  expect(open().get("nobody")).toBeUndefined();
});

test("what was put back is gone from the disk at once, and the file with the last of it", async () => {
  const notes = open();
  await notes.add("phone", { clipboard: copied() });
  await notes.add("phone", { keyboard });
  await notes.remove("phone", "clipboard");
  expect(readFileSync(file, "utf8")).not.toContain("s3cret");
  expect(open().get("phone")).toEqual({ keyboard });
  await notes.remove("phone", "keyboard");
  expect(existsSync(file)).toBe(false);
});

test("a clipboard is forgotten after a day, running or not, and a keyboard is not", async () => {
  const running = open();
  await running.add("phone", { clipboard: copied(), keyboard });
  await clock.advance(24 * 60 * 60_000);
  expect(running.get("phone")).toEqual({ keyboard });
  await expect.poll(() => readFileSync(file, "utf8")).not.toContain("s3cret");
  await running.add("phone", { clipboard: copied() });
  running.close();
  const later = createManualClock(clock.now() + 25 * 60 * 60_000);
  expect(new PutBackNotes({ file, clock: later, logger: silent }).get("phone")).toEqual({ keyboard });
  await expect.poll(() => readFileSync(file, "utf8")).not.toContain("s3cret");
});

test("a file that a crash left half written is removed, and a damaged one is told without its contents", () => {
  writeFileSync(`${file}.next`, '{"phones":[{"was":"s3cret');
  writeFileSync(file, '{"phones":[{"was":"s3cret');
  const told: unknown[] = [];
  const notes = open({ ...silent, warn: (...words) => told.push(words) });
  expect(notes.get("phone")).toBeUndefined();
  expect(existsSync(`${file}.next`)).toBe(false);
  expect(told).toHaveLength(1);
  expect(JSON.stringify(told)).not.toContain("s3cret");
});

test("what cannot be noted is not owed", async () => {
  const notes = open();
  rmSync(folder, { recursive: true });
  await expect(notes.add("phone", { keyboard })).rejects.toThrow("ENOENT");
  expect(notes.get("phone")).toBeUndefined();
  folder = mkdtempSync(join(tmpdir(), "farhand-notes-"));
});
