import { type Client, createClient, type InValue } from "@libsql/client";
import { drizzle, type LibSQLDatabase } from "drizzle-orm/libsql";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createLibsqlTasks } from "../../../gateway/store/libsql-tasks.ts";
import type { TaskStore } from "../../../gateway/tasks/task-store.ts";
import { createTaskBench, type TaskBench } from "./support/task-bench.ts";
import { chunk, fromSource, newTask, owner, status, userMessage } from "./support/task-entries.ts";

interface Query {
  sql: string;
  params: unknown[];
}

let bench: TaskBench;
let client: Client;
let queries: Query[];
let store: TaskStore;

beforeEach(async () => {
  bench = await createTaskBench();
  client = createClient({ url: bench.url, concurrency: 1 });
  queries = [];
  store = createLibsqlTasks({ run: (work) => work(overheard(client)), close: async () => {} });
});
afterEach(async () => {
  client.close();
  await bench.remove();
});

/** Drizzle tells a logger of single statements; those of a batch are looked at here. */
function overheard(of: Client): LibSQLDatabase {
  const logger = { logQuery: (sql: string, params: unknown[]) => void queries.push({ sql, params }) };
  const db = drizzle(of, { logger });
  const batch: LibSQLDatabase["batch"] = (statements) => {
    for (const statement of statements) {
      const prepare: unknown = Reflect.get(statement, "_prepare");
      if (typeof prepare === "function") queries.push(prepare.call(statement).getQuery());
    }
    return db.batch(statements);
  };
  return Object.assign(Object.create(db), { batch });
}

/** How SQLite goes about what was asked, on a connection of its own: an explained write is left open on it. */
async function plans(): Promise<string[]> {
  const other = createClient({ url: bench.url, concurrency: 1 });
  const details: string[] = [];
  for (const { sql, params } of queries) {
    const { rows } = await other.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args: params as InValue[] });
    details.push(...rows.map((row) => String(row.detail)));
  }
  other.close();
  return details;
}

/** What a search is looked up by stands in brackets; without them it goes through all rows, or all of an index. */
const goesThroughAll = (detail: string) =>
  /\bSCAN (?!CONSTANT ROW)/.test(detail) || (detail.startsWith("SEARCH ") && !detail.includes("("));

const webhook = { id: "w", taskId: "t1", url: "https://a.example/", token: null, scheme: null, credentials: null };
const everything = {
  onlyDevices: ["dev_1", "dev_2"],
  contextId: "c",
  state: "TASK_STATE_WORKING" as const,
  statusAtFrom: 4,
  pageToken: "5.t1",
};
const cases: [string, () => Promise<unknown>][] = [
  ["a list", () => store.list(owner, { limit: 9 })],
  ["the next page of a list with every filter", () => store.list(owner, { limit: 9, ...everything })],
  ["what waited for too long", () => store.overdue(5, 9)],
  ["what a device agent has to do", () => store.unfinished("da_1")],
  ["claiming notifications", () => store.claimPushes(9_999, 10_000, 9)],
  ["a Task", () => store.find(owner, "t1")],
  ["a Task by its message", () => store.findByMessage(owner, "m-t1")],
  ["the newest Task of a context", () => store.newestOfContext(owner, "c")],
  ["events", () => store.events("t1", 1, 9)],
  ["events of several Tasks", () => store.histories(["t1", "t2"])],
  ["a new Task", () => store.create(newTask("t2"), userMessage("m-t2"), 16)],
  ["an event of a device agent", () => store.appendFromSource(fromSource("t1", 1, chunk("a")))],
  [
    "a status by the gateway",
    () =>
      store.appendStatus({
        taskId: "t1",
        from: ["TASK_STATE_SUBMITTED"],
        event: status("TASK_STATE_FAILED"),
        now: 5,
        onlyDueAt: 99_999,
      }),
  ],
  [
    "a further message",
    () =>
      store.appendMessage({
        task: { id: "t1", ...owner },
        message: userMessage("m2"),
        digest: "d",
        now: 5,
        leaseEndsAt: 9,
      }),
  ],
  ["a cancel", () => store.requestCancel("t1")],
  ["prolonging", () => store.prolong("da_1", 1, ["t1", "t2"], 9)],
  ["a new webhook", () => store.savePushConfig(owner, webhook, { perTask: 9, perTenant: 9 })],
  ["a webhook's end", () => store.deletePushConfig("t1", "w")],
];

it.each(cases)("%s is found by an index, never by going through all rows", async (_, ask) => {
  await bench.begin("t1");
  await ask();
  const details = await plans();
  expect(details.some((detail) => detail.startsWith("SEARCH"))).toBe(true);
  expect(details.filter(goesThroughAll)).toEqual([]);
});

it("a list is not sorted after it was read", async () => {
  await store.list(owner, { limit: 9, pageToken: "5.t1" });
  expect((await plans()).filter((detail) => detail.includes("TEMP B-TREE"))).toEqual([]);
});

it("the next due time costs a look per webhook, however much each still has to hear", async () => {
  await store.nextDueAt();
  expect((await plans()).filter(goesThroughAll)).toEqual([expect.stringMatching(/^(SCAN|SEARCH) push_configs/)]);
});
