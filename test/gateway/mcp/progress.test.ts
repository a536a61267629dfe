import { beforeEach, describe, expect, it } from "vitest";
import { createProgressReporter, type ProgressNotification } from "../../../gateway/mcp/progress.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";

let clock: ManualClock;
let sent: ProgressNotification[];
const reporter = () => createProgressReporter({ clock, progressToken: 0, send: (one) => sent.push(one) });

beforeEach(() => {
  clock = createManualClock();
  sent = [];
});

describe("a call that says nothing", () => {
  it("gives a first sign of life within ten seconds", async () => {
    reporter();
    await clock.advance(7_999);
    expect(sent).toEqual([]);
    await clock.advance(1);
    expect(sent).toEqual([{ progressToken: 0, progress: 0, message: "Working" }]);
    await clock.advance(60_000);
    expect(sent).toHaveLength(1);
  });

  it("gives none once it has ended", async () => {
    reporter().stop();
    await clock.advance(60_000);
    expect(sent).toEqual([]);
  });
});

it("what is told grows strictly, and nothing follows the end", () => {
  const progress = reporter();
  for (const value of [1, 1, 0.5, 2, Number.NaN, Number.POSITIVE_INFINITY, 3]) {
    progress.report({ progress: value, total: 10, message: "Pressing" });
  }
  progress.stop();
  progress.report({ progress: 4 });
  expect(sent.map(({ progress: value }) => value)).toEqual([1, 2, 3]);
  expect(sent[0]).toEqual({ progressToken: 0, progress: 1, total: 10, message: "Pressing" });
});
