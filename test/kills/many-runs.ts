import { isDeepStrictEqual } from "node:util";
import type { KillableHouse } from "./killable-house.ts";
import { openKillableHouse } from "./killable-house.ts";
import { prepare } from "./prepare.ts";
import { performRun, type RunReport } from "./run.ts";
import { getTask } from "./task-log.ts";

/** Does one run after the other in one house, and looks at the end of each whether the Tasks of the one before are still what they were. */
export async function* performRuns(program: string, seeds: Iterable<number>): AsyncGenerator<RunReport> {
  const house = await openKillableHouse(program);
  try {
    const unready = await prepare(house, "first");
    if (unready.length > 0) throw new Error(unready.join("; "));
    let before: RunReport["tasks"] = [];
    for (const seed of seeds) {
      const report = await performRun(house, seed);
      const changed = await findChanged(house, before);
      yield { ...report, faults: [...report.faults, ...changed] };
      before = report.tasks;
    }
  } finally {
    await house.stop();
  }
}

async function findChanged({ client }: KillableHouse, tasks: RunReport["tasks"]): Promise<string[]> {
  const faults: string[] = [];
  for (const task of tasks) {
    const now = await getTask(client, task.id);
    if (!isDeepStrictEqual(now, task)) faults.push(`${task.id} of the run before has changed since it was over`);
  }
  return faults;
}
