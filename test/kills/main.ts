import { join } from "node:path";
import { parseArgs } from "node:util";
import { performRuns } from "./many-runs.ts";

/** What `npm run kill-tests` runs; `dist` is where the product was built. Resolves with the exit code. */
export async function main(argv: string[], dist: string, say: (line: string) => void): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      runs: { type: "string", default: "200" },
      seed: { type: "string", default: "1" },
      dist: { type: "string", default: dist },
    },
  });
  const [runs, first] = [Number(values.runs), Number(values.seed)];
  const seeds = Array.from({ length: runs }, (_, index) => first + index);
  const total = { runs: 0, kills: 0, tasks: new Map<string, number>(), stored: 0, seen: 0, failed: [] as number[] };
  const begunAt = Date.now();
  for await (const { seed, faults, tasks, kills, events } of performRuns(join(values.dist, "cli/main.js"), seeds)) {
    total.runs += 1;
    total.kills += kills;
    total.stored += events.stored;
    total.seen += events.seen;
    for (const { status } of tasks) total.tasks.set(status.state, (total.tasks.get(status.state) ?? 0) + 1);
    if (faults.length > 0) total.failed.push(seed);
    for (const fault of faults) say(`FAULT seed ${seed}: ${fault}`);
    if (total.runs % 10 === 0) say(`${total.runs} of ${runs} runs, ${total.failed.length} with faults`);
  }
  const ended = [...total.tasks].map(([state, count]) => `${count} ${state.replace("TASK_STATE_", "")}`).join(", ");
  say(`${total.runs} runs in ${((Date.now() - begunAt) / 1000).toFixed(0)} s: ${total.kills} times kill -9`);
  say(`Tasks: ${ended}; ${total.stored} events stored, ${total.seen} times seen by a client`);
  say(total.failed.length === 0 ? "no fault" : `FAULTS in the runs of seed ${total.failed.join(", ")}`);
  return total.failed.length === 0 && total.runs === runs ? 0 : 1;
}
