import { createInterface } from "node:readline";
import { systemClock } from "../../../../gateway/node/system-clock.ts";
import { openDatabase } from "../../../../gateway/store/database.ts";
import { createLibsqlTasks } from "../../../../gateway/store/libsql-tasks.ts";
import { createLogger } from "../../../../shared/log.ts";
import { chunk, fromSource, status } from "./task-entries.ts";

/**
 * One of two processes that end the same Tasks at the same time: `complete` as the device agent would, `cancel` as the
 * gateway would. Reads lines `<task> <turns>`: after so many turns of its event loop it tries to end that Task, and prints
 * whether it was the one that did.
 */
const [url = "", role = ""] = process.argv.slice(2);
const log = createLogger({ source: role, level: "error", write: () => {}, now: () => 0 });
const database = await openDatabase({ url, clock: systemClock, log });
const store = createLibsqlTasks(database);

const end = async (id: string): Promise<boolean> => {
  if (role === "complete") {
    await store.appendFromSource(fromSource(id, 2, chunk("the end comes")));
    const told = await store.appendFromSource(fromSource(id, 3, status("TASK_STATE_COMPLETED")));
    return told?.stored ?? false;
  }
  const event = status("TASK_STATE_CANCELED");
  return store.appendStatus({ taskId: id, from: ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"], event, now: 9 });
};

// A wait for the other's lock keeps no process alive by itself.
setInterval(() => {}, 1_000);
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  const [id = "", turns = "0"] = line.split(" ");
  for (let turn = Number(turns); turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
  process.stdout.write(`${await end(id)}\n`);
}
await database.close();
process.exit(0);
