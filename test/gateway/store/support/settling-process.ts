import { systemClock } from "../../../../gateway/node/system-clock.ts";
import { openDatabase } from "../../../../gateway/store/database.ts";
import { createLibsqlTasks } from "../../../../gateway/store/libsql-tasks.ts";
import { createLogger } from "../../../../shared/log.ts";
import { fromSource, status } from "./task-entries.ts";

/**
 * One of two processes that end the same Tasks at the same time: `complete` as the device agent would, `cancel` as the
 * gateway would. Prints, per Task, whether it was the one that did.
 */
const [url = "", role = "", count = "0", seed = "1"] = process.argv.slice(2);
const log = createLogger({ source: role, level: "error", write: () => {}, now: () => 0 });
const database = await openDatabase({ url, clock: systemClock, log });
const store = createLibsqlTasks(database);

let state = Number(seed);
const below = (limit: number) => {
  state = (state * 48_271) % 2_147_483_647;
  return state % limit;
};

const end = async (id: string): Promise<boolean> => {
  if (role === "complete") {
    const told = await store.appendFromSource(fromSource(id, 2, status("TASK_STATE_COMPLETED")));
    return told?.stored ?? false;
  }
  const event = status("TASK_STATE_CANCELED");
  return store.appendStatus({ taskId: id, from: ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"], event, now: 9 });
};

// A wait for the other's lock keeps no process alive by itself.
setInterval(() => {}, 1_000);
// Both wait for the same word before they begin.
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
const won: string[] = [];
for (let index = 0; index < Number(count); index++) {
  // From the two ends, so that each is first at some of them.
  const id = `t${role === "complete" ? index : Number(count) - 1 - index}`;
  for (let spin = below(200); spin > 0; spin--) await Promise.resolve();
  if (await end(id)) won.push(id);
}
await database.close();
process.stdout.write(`${JSON.stringify(won)}\n`, () => process.exit(0));
