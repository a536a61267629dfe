import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createClient } from "@libsql/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../../gateway/node/system-clock.ts";
import { openDatabase } from "../../../gateway/store/database.ts";
import { createLibsqlDirectory } from "../../../gateway/store/libsql-directory.ts";
import { createLibsqlTasks } from "../../../gateway/store/libsql-tasks.ts";
import { createLogger } from "../../../shared/log.ts";
import { buildProgram } from "../../device-agent/support/built-process.ts";
import { deviceAgent, fromSource, newTask, status, userMessage } from "./support/task-entries.ts";

let program: Awaited<ReturnType<typeof buildProgram>>;
let folder: string;
let url: string;
const log = createLogger({ source: "test", level: "error", write: () => {}, now: () => 0 });
const ids = Array.from({ length: 500 }, (_, index) => `t${index}`);

beforeAll(async () => {
  program = await buildProgram("test/gateway/store/support/settling-process.ts");
  folder = await mkdtemp(join(tmpdir(), "farhand-settle-"));
  url = `file:${join(folder, "gateway.db")}`;
});
afterAll(async () => {
  program.remove();
  await rm(folder, { recursive: true });
});

/** Starts one of the two. `end` resolves with whether it was the one that ended the Task; `stop` waits until it is gone. */
async function start(role: "complete" | "cancel") {
  const child = spawn(process.execPath, [program.file, url, role], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    async end(id: string, turns: number): Promise<boolean> {
      child.stdin.write(`${id} ${turns}\n`);
      return (await lines.next()).value === "true";
    },
    stop() {
      child.stdin.end();
      return exited;
    },
  };
}

/** Everything that is stored, as anybody else sees it. */
async function stored() {
  const client = createClient({ url, concurrency: 1 });
  const tasks = await client.execute("SELECT * FROM tasks ORDER BY id");
  const events = await client.execute("SELECT * FROM task_events ORDER BY task_id, seq");
  client.close();
  return { tasks: tasks.rows.map((row) => ({ ...row })), events: events.rows.map((row) => ({ ...row })) };
}

it("of 500 Tasks that one process completes while another cancels them, each ends once and stays so", async () => {
  const database = await openDatabase({ url, clock: systemClock, log });
  await createLibsqlDirectory(database).admitDeviceAgent(deviceAgent, 1);
  const store = createLibsqlTasks(database);
  for (const id of ids) {
    const task = newTask(id);
    await store.create(task, userMessage(task.messageId), ids.length + 1);
    await store.appendFromSource(fromSource(id, 1, status("TASK_STATE_WORKING")));
  }
  await database.close();

  const [completing, canceling] = await Promise.all([start("complete"), start("cancel")]);
  let state = 20_261;
  const turns = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 60;
  };
  const wins = { TASK_STATE_COMPLETED: 0, TASK_STATE_CANCELED: 0 };
  const endOf = new Map<string, keyof typeof wins>();
  for (const id of ids) {
    const [completed, canceled] = await Promise.all([completing.end(id, turns()), canceling.end(id, turns())]);
    expect([id, completed !== canceled]).toEqual([id, true]);
    const winner = completed ? "TASK_STATE_COMPLETED" : "TASK_STATE_CANCELED";
    endOf.set(id, winner);
    wins[winner] += 1;
  }
  const once = await stored();
  for (const id of ids) {
    const task = once.tasks.find((row) => row.id === id);
    const events = once.events.filter((row) => row.task_id === id);
    expect(task?.state).toBe(endOf.get(id));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const ends = events.filter(({ body }) => /COMPLETED|CANCELED/.test(String(body)));
    expect([task?.last_seq, ends.length]).toEqual([events.length, 1]);
    expect(events.at(-1)?.body).toContain(endOf.get(id));
  }
  // Neither of them was merely always first.
  expect(Math.min(...Object.values(wins))).toBeGreaterThan(0);

  // Both try again, each as fast as it can.
  const again = ids.map((id) => Promise.all([completing.end(id, 0), canceling.end(id, 0)]));
  expect((await Promise.all(again)).flat()).not.toContain(true);
  await Promise.all([completing.stop(), canceling.stop()]);
  expect(await stored()).toEqual(once);
}, 120_000);
