import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../gateway/node/system-clock.ts";
import { type Database, openDatabase } from "../../../gateway/store/database.ts";
import { createLibsqlDirectory } from "../../../gateway/store/libsql-directory.ts";
import { createLibsqlTasks } from "../../../gateway/store/libsql-tasks.ts";
import type { TaskStore } from "../../../gateway/tasks/task-store.ts";
import { limits } from "../../../shared/limits.ts";
import { createLogger } from "../../../shared/log.ts";
import { chunk, deviceAgent, fromSource, newTask, owner, status, userMessage } from "./support/task-entries.ts";

let folder: string;
let url: string;
let database: Database;
let store: TaskStore;
const log = createLogger({ source: "test", level: "error", write: () => {}, now: () => 0 });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "farhand-tasks-"));
  url = `file:${join(folder, "gateway.db")}`;
  database = await openDatabase({ url, clock: systemClock, log });
  store = createLibsqlTasks(database);
  await createLibsqlDirectory(database).admitDeviceAgent(deviceAgent, 1);
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const begin = async (id: string, change = {}) => {
  const task = newTask(id, change);
  return store.create(task, userMessage(task.messageId), 16);
};
const seqsOf = async (id: string) => (await store.events(id, 0, 1_000)).map(({ seq }) => seq);
const oneTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe("a new Task", () => {
  it("is SUBMITTED, with its message as the first event", async () => {
    expect(await begin("t1")).toMatchObject({ id: "t1", state: "TASK_STATE_SUBMITTED", lastSeq: 1, accepted: false });
    expect(await store.events("t1", 0, 10)).toEqual([
      { seq: 1, at: 1_000, kind: "message", message: userMessage("m-t1") },
    ]);
  });

  it("is made once, however often and however many at a time the same message comes", async () => {
    const all = await Promise.all(oneTo(20).map((n) => begin(`t${n}`, { messageId: "same" })));
    expect(new Set(all.map((task) => (task === "full" ? "full" : task.id)))).toEqual(new Set(["t1"]));
    expect((await store.list(owner, { limit: 50 })).total).toBe(1);
    expect(await store.findByMessage(owner, "same")).toMatchObject({ task: { id: "t1" }, digest: "digest-t1" });
  });

  it("is somebody else's when the message id is another principal's", async () => {
    await begin("t1", { messageId: "same" });
    expect(await begin("t2", { messageId: "same", subject: "other" })).toMatchObject({ id: "t2" });
    expect(await begin("t3", { messageId: "same", tenant: "other" })).toMatchObject({ id: "t3" });
  });

  it("is refused when its device agent has all the Tasks it may have, and taken once one is over", async () => {
    const made = await Promise.all(oneTo(20).map((n) => begin(`t${n}`)));
    expect(made.filter((task) => task === "full")).toHaveLength(4);
    expect(await begin("elsewhere", { deviceAgentId: "da_2" })).toMatchObject({ id: "elsewhere" });
    await store.appendFromSource(fromSource("t1", 1, status("TASK_STATE_COMPLETED")));
    expect(await begin("t21")).toMatchObject({ id: "t21" });
  });
});

describe("what a device agent tells", () => {
  beforeEach(() => begin("t1"));

  it("is stored in order, and the answer says how far", async () => {
    const told = await store.appendFromSource(fromSource("t1", 1, status("TASK_STATE_WORKING", "begins")));
    expect(told).toEqual({ state: "TASK_STATE_WORKING", lastSourceSeq: 1, stored: true, tooLarge: false });
    await store.appendFromSource(fromSource("t1", 2, chunk("a")));
    const task = await store.find(owner, "t1");
    expect(task).toMatchObject({ lastSeq: 3, lastSourceSeq: 2, leaseEndsAt: 90_000, accepted: true, statusAt: 2_001 });
    expect(task?.statusMessage?.parts).toEqual([{ text: "begins" }]);
  });

  it.each([
    ["repeated", fromSource("t1", 1, status("TASK_STATE_WORKING"))],
    ["ahead of its turn", fromSource("t1", 3, chunk("b"))],
    ["of an older link", { ...fromSource("t1", 2, chunk("b")), connectSeq: 0 }],
  ])("is inert when it is %s", async (_, entry) => {
    await store.appendFromSource(fromSource("t1", 1, status("TASK_STATE_WORKING")));
    expect(await store.appendFromSource(entry)).toMatchObject({ stored: false, lastSourceSeq: 1 });
    expect(await seqsOf("t1")).toEqual([1, 2]);
  });

  it("is inert when the Task is another device agent's, and says nothing about it", async () => {
    const entry = { ...fromSource("t1", 1, status("TASK_STATE_FAILED")), deviceAgentId: "da_2" };
    expect(await store.appendFromSource(entry)).toBeNull();
    expect(await store.find(owner, "t1")).toMatchObject({ state: "TASK_STATE_SUBMITTED" });
  });

  it("changes nothing once the Task is over", async () => {
    await store.appendFromSource(fromSource("t1", 1, status("TASK_STATE_COMPLETED")));
    expect(await store.appendFromSource(fromSource("t1", 2, status("TASK_STATE_FAILED")))).toEqual({
      state: "TASK_STATE_COMPLETED",
      lastSourceSeq: 1,
      stored: false,
      tooLarge: false,
    });
    expect(await store.find(owner, "t1")).toMatchObject({ leaseEndsAt: null, expiresAt: null });
  });

  it("may not make the document larger than its limit, but may still end it", async () => {
    const large = chunk("x".repeat(limits.taskDocumentBytes / 2));
    expect(await store.appendFromSource(fromSource("t1", 1, large))).toMatchObject({ stored: true });
    expect(await store.appendFromSource(fromSource("t1", 2, large))).toMatchObject({ stored: false, tooLarge: true });
    const end = fromSource("t1", 2, status("TASK_STATE_FAILED"));
    expect(await store.appendFromSource(end)).toMatchObject({ stored: true });
  });
});

describe("what the gateway itself says of a Task", () => {
  beforeEach(() => begin("t1"));
  const cancel = {
    taskId: "t1",
    from: ["TASK_STATE_SUBMITTED"] as const,
    event: status("TASK_STATE_CANCELED"),
    now: 5,
  };

  it("holds only while the state is the one it was meant for", async () => {
    await store.appendFromSource(fromSource("t1", 1, status("TASK_STATE_WORKING")));
    expect(await store.appendStatus(cancel)).toBe(false);
    expect(await store.appendStatus({ ...cancel, from: ["TASK_STATE_WORKING"] })).toBe(true);
    expect(await store.appendStatus({ ...cancel, from: ["TASK_STATE_WORKING"] })).toBe(false);
    expect(await seqsOf("t1")).toEqual([1, 2, 3]);
  });

  it("leaves an accepted Task to its device agent when it asks for that", async () => {
    await store.markAccepted("t1", "da_2");
    expect(await store.find(owner, "t1")).toMatchObject({ accepted: false });
    await store.markAccepted("t1", "da_1");
    expect(await store.appendStatus({ ...cancel, onlyUnaccepted: true })).toBe(false);
  });

  it("gives up only what is due, even if a word came in the moment before", async () => {
    expect(await store.overdue(10_000, 10)).toMatchObject([{ id: "t1" }]);
    await store.appendFromSource(fromSource("t1", 1, status("TASK_STATE_WORKING")));
    const lost = { ...cancel, from: ["TASK_STATE_WORKING"] as const, onlyDueAt: 10_000 };
    expect(await store.appendStatus(lost)).toBe(false);
    expect(await store.overdue(10_000, 10)).toEqual([]);
    expect(await store.appendStatus({ ...lost, onlyDueAt: 90_000 })).toBe(true);
  });

  it("prolongs the leases of what is alive, and of nobody else's", async () => {
    await store.appendFromSource(fromSource("t1", 1, status("TASK_STATE_WORKING")));
    await begin("t2");
    await store.appendFromSource(fromSource("t2", 1, status("TASK_STATE_COMPLETED")));
    await begin("t3", { deviceAgentId: "da_2" });
    expect(await store.prolong("da_1", 1, ["t1", "t2", "t3", "t4"], 95_000)).toEqual(["t1"]);
    expect(await store.prolong("da_1", 0, ["t1"], 99_000)).toEqual([]);
    expect(await store.find(owner, "t1")).toMatchObject({ leaseEndsAt: 95_000 });
    expect(await store.nextDueAt()).toBe(10_000);
  });
});

describe("a further message", () => {
  const entry = {
    task: { id: "t1", ...owner },
    message: userMessage("m2", "yes"),
    digest: "d2",
    now: 7,
    leaseEndsAt: 90_007,
  };

  it("is taken once by a Task that asked, which then works on", async () => {
    await begin("t1");
    expect(await store.appendMessage(entry)).toBe(false);
    await store.appendFromSource(fromSource("t1", 1, status("TASK_STATE_INPUT_REQUIRED", "which?")));
    expect(await store.appendMessage(entry)).toBe(true);
    expect(await store.find(owner, "t1")).toMatchObject({
      state: "TASK_STATE_WORKING",
      lastSeq: 3,
      leaseEndsAt: 90_007,
    });
    expect(await store.findByMessage(owner, "m2")).toMatchObject({ task: { id: "t1" }, digest: "d2" });
    await store.appendFromSource(fromSource("t1", 2, status("TASK_STATE_INPUT_REQUIRED")));
    expect(await store.appendMessage(entry)).toBe(false);
    expect(await seqsOf("t1")).toEqual([1, 2, 3, 4]);
  });
});

describe("a list of Tasks", () => {
  it("shows the caller's own, newest status first, and pages without losing or repeating one", async () => {
    for (const n of oneTo(7)) await begin(`t${n}`, { createdAt: 1_000 + (n % 3), contextId: n < 4 ? "c" : "d" });
    await begin("foreign", { subject: "other" });
    await begin("foreign2", { tenant: "other" });
    const seen: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await store.list(owner, { limit: 3, pageToken });
      expect(page.total).toBe(7);
      seen.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken || undefined;
    } while (pageToken);
    expect(seen).toEqual(["t5", "t2", "t7", "t4", "t1", "t6", "t3"]);
    expect((await store.list(owner, { limit: 9, contextId: "c" })).tasks).toHaveLength(3);
    expect((await store.list(owner, { limit: 9, statusAtFrom: 1_001 })).tasks).toHaveLength(5);
    expect((await store.list(owner, { limit: 9, state: "TASK_STATE_FAILED" })).tasks).toEqual([]);
    await expect(store.list(owner, { limit: 3, pageToken: "x' OR 1=1" })).rejects.toThrow("page token");
  });
});

describe("pruning", () => {
  it("takes the oldest finished Tasks of each tenant, with all that hangs on them, and never one that is not over", async () => {
    for (const n of oneTo(6)) {
      await begin(`t${n}`, { createdAt: n });
      const end = { ...fromSource(`t${n}`, 1, status("TASK_STATE_COMPLETED")), now: 100 + n };
      if (n !== 1) await store.appendFromSource(end);
    }
    await begin("other", { tenant: "other", deviceAgentId: "da_9" });
    expect(await store.prune({ tasks: 3, bytes: 1e9 })).toBe(3);
    expect((await store.list(owner, { limit: 9 })).tasks.map(({ id }) => id)).toEqual(["t6", "t5", "t1"]);
    expect(await store.events("t2", 0, 9)).toEqual([]);
    expect(await store.findByMessage(owner, "m-t2")).toBeNull();
    expect(await store.prune({ tasks: 3, bytes: 200 })).toBe(2);
    expect((await store.list(owner, { limit: 9 })).tasks.map(({ id }) => id)).toEqual(["t1"]);
    expect(await store.find({ ...owner, tenant: "other" }, "other")).not.toBeNull();
  });

  it("leaves nothing of a Task behind, its webhooks and what they had still to hear included", async () => {
    const most = { perTask: 9, perTenant: 9 };
    const webhook = { id: "w", url: "https://a.example/", token: null, scheme: null, credentials: null };
    for (const id of ["gone", "kept"]) {
      await begin(id);
      await store.savePushConfig(owner, { ...webhook, taskId: id }, most);
      await store.appendFromSource(fromSource(id, 1, status("TASK_STATE_INPUT_REQUIRED")));
      const message = userMessage(`answer-${id}`);
      await store.appendMessage({ task: { id, ...owner }, message, digest: "d", now: 5, leaseEndsAt: 9 });
    }
    await store.appendFromSource(fromSource("gone", 2, status("TASK_STATE_COMPLETED")));
    expect(await store.prune({ tasks: 0, bytes: 0 })).toBe(1);
    const client = createClient({ url, concurrency: 1 });
    for (const table of ["task_events", "task_messages", "push_configs", "pushes"]) {
      const { rows } = await client.execute(`SELECT DISTINCT task_id FROM ${table}`);
      expect([table, rows.map((row) => row[0])]).toEqual([table, ["kept"]]);
    }
    client.close();
  });
});

describe("many at a time", () => {
  it("200 updates of Tasks at once all succeed and are seen by another connection", async () => {
    for (const n of oneTo(10)) await begin(`t${n}`);
    const all = oneTo(10).flatMap((n) => oneTo(20).map((seq) => fromSource(`t${n}`, seq, chunk(String(seq)))));
    const told = await Promise.all(all.map((entry) => store.appendFromSource(entry)));
    expect(told.filter((one) => one?.stored)).toHaveLength(200);
    const other = createClient({ url, concurrency: 1 });
    const { rows } = await other.execute("SELECT count(*) FROM task_events");
    other.close();
    expect(rows[0]?.[0]).toBe(210);
  });
});
