import { expect, test } from "vitest";
import { createProgress } from "../../../device-agent/calls/progress.ts";
import { createManualClock } from "../../support/manual-clock.ts";

test("the first report goes out at once, the newest of a burst a quarter of a second later", async () => {
  const clock = createManualClock();
  const sent: number[] = [];
  const progress = createProgress({ clock, send: (report) => void sent.push(report.progress) });
  for (const value of [1, 2, 3]) progress.report({ progress: value, total: 3, message: "" });
  expect(sent).toEqual([1]);
  await clock.advance(249);
  expect(sent).toEqual([1]);
  await clock.advance(1);
  expect(sent).toEqual([1, 3]);
});

test("nothing comes after the end", async () => {
  const clock = createManualClock();
  const sent: number[] = [];
  const progress = createProgress({ clock, send: (report) => void sent.push(report.progress) });
  progress.report({ progress: 1, total: 3, message: "" });
  progress.report({ progress: 2, total: 3, message: "" });
  progress.stop();
  await clock.advance(1_000);
  expect(sent).toEqual([1]);
});
