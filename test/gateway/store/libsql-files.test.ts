import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Files } from "../../../gateway/files/files.ts";
import { type Database, openDatabase } from "../../../gateway/store/database.ts";
import { createLibsqlFiles } from "../../../gateway/store/libsql-files.ts";
import type { FileReport } from "../../../shared/link/file-streams.ts";
import { createLogLines } from "../../device-agent/support/log-lines.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";

let folder: string;
let database: Database;
let clock: ManualClock;
let files: Files;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "farhand-files-"));
  clock = createManualClock();
  database = await openDatabase({ url: `file:${join(folder, "gateway.db")}`, clock, log: createLogLines().log });
  files = createLibsqlFiles(database, clock.now);
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const id = "file_aaaaaaaaaaaaaaaaaaaaaaaaaa";
const holder = { tenant: "t", subject: "s", deviceAgentId: "da_1", deviceId: "dev_1" };
const report = (about: Partial<FileReport> = {}): FileReport => ({
  id,
  name: "a.bin",
  mediaType: "text/plain",
  bytes: 10,
  received: 10,
  sha256: null,
  expiresAt: 1_000,
  asOf: 0,
  ...about,
});

test("a row is what the device agent said, with its life counted by our clock", async () => {
  const { expiresAt } = await files.register(report({ asOf: 400 }), holder);
  expect(expiresAt).toBe(clock.now() + 600);
  expect(await files.find(id)).toEqual({
    id,
    ...holder,
    name: "a.bin",
    mediaType: "text/plain",
    bytes: 10,
    sha256: null,
    madeAt: clock.now(),
    expiresAt,
  });
  expect(await files.find("file_bbbbbbbbbbbbbbbbbbbbbbbbbb")).toBeNull();
});

test("a later report completes it and moves its end", async () => {
  await files.register(report(), holder);
  await clock.advance(500);
  await files.register(report({ sha256: "d".repeat(64), expiresAt: 9_000 }), holder);
  expect(await files.find(id)).toMatchObject({ sha256: "d".repeat(64), expiresAt: clock.now() + 9_000 });
});

test.each([
  ["tenant", { tenant: "other" }],
  ["principal", { subject: "other" }],
  ["device agent", { deviceAgentId: "da_2" }],
  ["device", { deviceId: "dev_2" }],
])("a report of another %s changes nothing", async (_, about) => {
  await files.register(report(), holder);
  await files.register(report({ sha256: "e".repeat(64), name: "evil" }), { ...holder, ...about });
  expect(await files.find(id)).toMatchObject({ ...holder, name: "a.bin", sha256: null });
});

test("an expired row is not found, and leaves the store with the next report", async () => {
  await files.register(report(), holder);
  await clock.advance(1_000);
  expect(await files.find(id)).toBeNull();
  const other = "file_bbbbbbbbbbbbbbbbbbbbbbbbbb";
  await files.register(report({ id: other }), holder);
  const { files: table } = await import("../../../gateway/store/schema.ts");
  expect((await database.run((db) => db.select().from(table))).map((row) => row.id)).toEqual([other]);
  await files.remove(other);
  expect(await files.find(other)).toBeNull();
});
