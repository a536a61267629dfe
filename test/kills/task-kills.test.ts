import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { performRuns } from "./many-runs.ts";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const runs = 20;

test("twenty times kill -9 while Tasks are at work: no event is lost or doubled, no Task hangs, no step is repeated", async () => {
  const seeds = Array.from({ length: runs }, (_, index) => 1 + index);
  const faults: string[] = [];
  let kills = 0;
  let ended = 0;
  for await (const report of performRuns(program, seeds)) {
    faults.push(...report.faults.map((fault) => `seed ${report.seed}: ${fault}`));
    kills += report.kills;
    ended += report.tasks.length;
  }
  expect(faults).toEqual([]);
  expect(kills).toBeGreaterThanOrEqual(runs);
  expect(ended).toBeGreaterThan(runs);
}, 600_000);
