import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createClient } from "@libsql/client";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { systemClock } from "../../../gateway/node/system-clock.ts";
import { type Database, openDatabase } from "../../../gateway/store/database.ts";
import { createLibsqlDirectory } from "../../../gateway/store/libsql-directory.ts";
import { createLibsqlTasks } from "../../../gateway/store/libsql-tasks.ts";
import type { Clock } from "../../../shared/clock.ts";
import { createLogger } from "../../../shared/log.ts";
import { buildProgram } from "../../device-agent/support/built-process.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { until } from "../support/ready.ts";
import { chunk, deviceAgent, fromSource, newTask, owner, status, userMessage } from "./support/task-entries.ts";

let program: Awaited<ReturnType<typeof buildProgram>>;
let folder: string;
let url: string;
let database: Database;
let waits: string[];

beforeAll(async () => {
  program = await buildProgram("test/gateway/store/support/locking-process.ts");
});
afterAll(() => program.remove());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "farhand-locked-"));
  url = `file:${join(folder, "gateway.db")}`;
  waits = [];
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

async function openStore(clock: Clock) {
  const write = (line: string) => void (line.includes("locked by another program") && waits.push(line));
  const log = createLogger({ source: "test", level: "debug", write, now: () => 0 });
  database = await openDatabase({ url, clock, log });
  await createLibsqlDirectory(database).admitDeviceAgent(deviceAgent, 1);
  const store = createLibsqlTasks(database);
  await store.create(newTask("t1"), userMessage("m-t1"), 16);
  return store;
}

/** Resolves once another process has the lock; `release` ends that and resolves with the ticks it counted meanwhile. */
async function lockElsewhere(): Promise<{ release(): Promise<number> }> {
  const child = spawn(process.execPath, [program.file, url], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe("locked");
  return {
    async release() {
      child.stdin.end();
      const { value } = await lines.next();
      await exited;
      return Number(value);
    },
  };
}

/** What is in the file for everybody else. */
async function seenByOthers(): Promise<Record<string, unknown>> {
  const other = createClient({ url, concurrency: 1 });
  const { rows } = await other.execute(
    `SELECT state, cancel_requested AS cancelRequested, last_seq AS lastSeq,
      (SELECT count(*) FROM task_events WHERE task_id = id) AS events FROM tasks WHERE id = 't1'`,
  );
  other.close();
  return { ...rows[0] };
}

it("while another process holds the lock writes wait, the process goes on, and what is acknowledged is in the file", async () => {
  const store = await openStore(systemClock);
  const lock = await lockElsewhere();
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 5);
  const told = [
    store.appendFromSource(fromSource("t1", 1, status("TASK_STATE_WORKING"))),
    store.appendFromSource(fromSource("t1", 2, chunk("a"))),
  ];
  await until(() => waits.length >= 4);
  clearInterval(ticking);
  const ticksElsewhere = await lock.release();
  // The same machine, the same moment: however slow both are, a process that blocks itself while it waits is far behind.
  expect(ticks / ticksElsewhere).toBeGreaterThan(0.3);
  expect(await Promise.all(told)).toMatchObject([{ stored: true }, { stored: true, lastSourceSeq: 2 }]);
  expect(await seenByOthers()).toMatchObject({ state: "TASK_STATE_WORKING", lastSeq: 3, events: 3 });

  // The measured loss was of the writes after the one that had to wait: single statements and batches.
  expect(await store.requestCancel("t1")).toBe(true);
  await store.appendFromSource(fromSource("t1", 3, status("TASK_STATE_COMPLETED")));
  expect(await seenByOthers()).toEqual({ state: "TASK_STATE_COMPLETED", cancelRequested: 1, lastSeq: 4, events: 4 });
});

it("a write that waited in vain fails, is not done later, and costs the writes after it nothing", async () => {
  const clock = createManualClock();
  const store = await openStore(clock);
  const lock = await lockElsewhere();
  let failure: unknown;
  const cancel = store.requestCancel("t1").catch((error: unknown) => {
    failure = error;
  });
  for (let waited = 0; failure === undefined && waited < 60_000; waited += 500) await clock.advance(500);
  await cancel;
  expect(String(failure)).toMatch(/Failed query|SQLITE_BUSY/);
  await lock.release();

  expect(await store.find(owner, "t1")).toMatchObject({ cancelRequested: false });
  expect(await store.requestCancel("t1")).toBe(true);
  expect(await seenByOthers()).toMatchObject({ cancelRequested: 1 });
  expect(await store.appendFromSource(fromSource("t1", 1, status("TASK_STATE_WORKING")))).toMatchObject({
    stored: true,
  });
  expect(await seenByOthers()).toMatchObject({ state: "TASK_STATE_WORKING", lastSeq: 2, events: 2 });
  const settings = await database.run((db) => db.all(sql`SELECT * FROM pragma_synchronous, pragma_journal_mode`));
  expect(settings).toEqual([{ synchronous: 1, journal_mode: "wal" }]);
});
