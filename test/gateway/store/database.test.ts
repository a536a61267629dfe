import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createClient } from "@libsql/client";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../gateway/node/system-clock.ts";
import { type Database, openDatabase } from "../../../gateway/store/database.ts";
import { createLibsqlDirectory } from "../../../gateway/store/libsql-directory.ts";
import { createLogger } from "../../../shared/log.ts";
import { phone } from "../support/fake-device-agent.ts";

let folder: string;
let url: string;
let database: Database;
const logged: string[] = [];
const log = createLogger({ source: "test", level: "debug", write: (line) => logged.push(line), now: () => 0 });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "farhand-store-"));
  url = `file:${join(folder, "gateway.db")}`;
  database = await openDatabase({ url, clock: systemClock, log });
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const agent = { id: "da_1", tenant: "t", installId: "i", name: "desk", version: "1", bootId: "b", connectSeq: 1 };

/** Another program that keeps the file locked for a while, as a backup does. */
async function lockFor(ms: number): Promise<Promise<void>> {
  const other = createClient({ url, concurrency: 1 });
  const transaction = await other.transaction("write");
  return new Promise((resolve) => {
    setTimeout(async () => {
      await transaction.commit();
      other.close();
      resolve();
    }, ms);
  });
}

describe("a locked database", () => {
  it("delays writes, loses none, and does not stop the process", async () => {
    const directory = createLibsqlDirectory(database);
    await directory.admitDeviceAgent(agent, 1);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const unlocked = lockFor(1_500);
    const admitted = await directory.admitDeviceAgent({ ...agent, connectSeq: 2 }, 2);
    await directory.saveReport("da_1", [phone()], 3);
    await unlocked;
    delay.disable();
    expect(admitted).toBe(true);
    expect(delay.max / 1e6).toBeLessThan(700);
    const other = createClient({ url, concurrency: 1 });
    const { rows } = await other.execute("SELECT connect_seq FROM device_agents");
    const devices = await other.execute("SELECT name FROM devices");
    other.close();
    expect(rows[0]?.[0]).toBe(2);
    expect(devices.rows[0]?.[0]).toBe("Pixel");
    expect(logged.some((line) => line.includes("locked by another program"))).toBe(true);
  });

  it("keeps its settings afterwards", async () => {
    await lockFor(100);
    await database.run((db) => db.run(sql`CREATE TABLE IF NOT EXISTS after_lock (x integer)`));
    const synchronous = await database.run((db) => db.all(sql`PRAGMA synchronous`));
    const journal = await database.run((db) => db.all(sql`PRAGMA journal_mode`));
    expect([synchronous, journal]).toEqual([[{ synchronous: 1 }], [{ journal_mode: "wal" }]]);
  });
});

describe("the number of a connection", () => {
  it("is taken only when it grows, by one of many at once", async () => {
    const directory = createLibsqlDirectory(database);
    const attempts = await Promise.all(
      [5, 5, 5, 3].map((connectSeq) => directory.admitDeviceAgent({ ...agent, connectSeq }, 1)),
    );
    expect(attempts).toEqual([true, false, false, false]);
    expect(await directory.admitDeviceAgent({ ...agent, connectSeq: 6 }, 1)).toBe(true);
  });
});

describe("two hundred writes at once", () => {
  it("all arrive", async () => {
    const directory = createLibsqlDirectory(database);
    const ids = Array.from({ length: 200 }, (_, index) => `da_${index}`);
    await Promise.all(ids.map((id) => directory.admitDeviceAgent({ ...agent, id }, 1)));
    await Promise.all(ids.map((id) => directory.saveReport(id, [phone({ key: id })], 1)));
    const devices = await directory.load();
    expect(devices).toHaveLength(200);
    expect(new Set(devices.map(({ name }) => name.toLowerCase())).size).toBe(200);
  });
});

describe("the schema", () => {
  it("is made once and found again", async () => {
    await createLibsqlDirectory(database).admitDeviceAgent(agent, 1);
    await database.close();
    database = await openDatabase({ url, clock: systemClock, log });
    expect(await createLibsqlDirectory(database).admitDeviceAgent(agent, 1)).toBe(false);
  });

  it("of a newer version is refused", async () => {
    await database.run((db) => db.run(sql`INSERT INTO schema_versions VALUES (99, 0)`));
    await database.close();
    await expect(openDatabase({ url, clock: systemClock, log })).rejects.toThrow("newer version of Farhand");
    const other = createClient({ url, concurrency: 1 });
    await other.execute("DELETE FROM schema_versions WHERE version = 99");
    other.close();
    database = await openDatabase({ url, clock: systemClock, log });
  });
});
