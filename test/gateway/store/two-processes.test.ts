import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../../gateway/node/system-clock.ts";
import { openDatabase } from "../../../gateway/store/database.ts";
import { createLibsqlDirectory } from "../../../gateway/store/libsql-directory.ts";
import { createLibsqlTasks } from "../../../gateway/store/libsql-tasks.ts";
import { createLogger } from "../../../shared/log.ts";
import { buildProgram } from "../../device-agent/support/built-process.ts";
import { deviceAgent, fromSource, newTask, owner, status, userMessage } from "./support/task-entries.ts";

let program: Awaited<ReturnType<typeof buildProgram>>;
let folder: string;
const log = createLogger({ source: "test", level: "error", write: () => {}, now: () => 0 });
const rounds = 500;

beforeAll(async () => {
  program = await buildProgram("test/gateway/store/support/settling-process.ts");
  folder = await mkdtemp(join(tmpdir(), "farhand-settle-"));
});
afterAll(async () => {
  await program.remove();
  await rm(folder, { recursive: true });
});

/** Starts one of the two; `go` lets it begin and resolves with the Tasks that it ended. */
async function start(url: string, role: string, seed: number) {
  const child = spawn(process.execPath, [program.file, url, role, String(rounds), String(seed)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return async (): Promise<string[]> => {
    child.stdin.end("go\n");
    const line = await lines.next();
    return JSON.parse(line.value);
  };
}

it("of 500 Tasks that one process completes while another cancels them, each ends once and stays so", async () => {
  const url = `file:${join(folder, "gateway.db")}`;
  const database = await openDatabase({ url, clock: systemClock, log });
  await createLibsqlDirectory(database).admitDeviceAgent(deviceAgent, 1);
  const store = createLibsqlTasks(database);
  const ids = Array.from({ length: rounds }, (_, index) => `t${index}`);
  for (const id of ids) {
    const task = newTask(id);
    await store.create(task, userMessage(task.messageId), rounds + 1);
    await store.appendFromSource(fromSource(id, 1, status("TASK_STATE_WORKING")));
  }
  await database.close();

  const both = await Promise.all([start(url, "complete", 7), start(url, "cancel", 11)]);
  const [completed, canceled] = await Promise.all(both.map((go) => go()));
  expect([...(completed ?? []), ...(canceled ?? [])].sort()).toEqual([...ids].sort());

  const after = await openDatabase({ url, clock: systemClock, log });
  const seen = createLibsqlTasks(after);
  for (const id of ids) {
    const task = await seen.find(owner, id);
    expect(task?.state).toBe(completed?.includes(id) ? "TASK_STATE_COMPLETED" : "TASK_STATE_CANCELED");
    expect((await seen.events(id, 0, 10)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  }
  await after.close();
  // Neither of them was merely always first.
  expect(Math.min(completed?.length ?? 0, canceled?.length ?? 0)).toBeGreaterThan(0);
}, 120_000);
