import { expect, test } from "vitest";
import { CodedError } from "../../../shared/errors.ts";
import { FakeDevice } from "../../support/fake-device.ts";
import { toolCaller } from "../../support/tool-caller.ts";

const home = { tool: "press_key", arguments: { key: "home" } };
const look = { tool: "take_screenshot", arguments: {} };
const missing = { tool: "open_app", arguments: { package: "com.example.missing" } };

const run = (device: FakeDevice, steps: object[], more: object = {}) =>
  toolCaller(device).call("run_steps", { steps, ...more });

test("steps run in order, each with its result", async () => {
  const device = new FakeDevice();
  const { output } = await run(device, [{ tool: "wake" }, home, { tool: "foreground_app" }]);
  expect(output).toMatchObject({ ok: true, succeeded: 3, failed: 0, skipped: 0 });
  expect(output.results).toMatchObject([
    { tool: "wake", ok: true, ms: 0, output: { awake: true } },
    { tool: "press_key", ok: true, ms: 0, output: { ok: true } },
    { tool: "foreground_app", ok: true, ms: 0, output: { package: "com.example.notes" } },
  ]);
  expect(device.writes.map(({ action }) => action)).toEqual(["wake", "pressKey"]);
});

test("what follows a failed step is skipped, and says so", async () => {
  const device = new FakeDevice();
  const { output } = await run(device, [home, missing, home]);
  expect(output).toMatchObject({ ok: false, succeeded: 1, failed: 1, skipped: 1 });
  expect(output.results).toMatchObject([
    { ok: true },
    { ok: false, error: { code: "target_not_found", message: "This app is not installed.", hint: expect.any(String) } },
    { tool: "press_key", ok: false, skipped: true },
  ]);
  expect(device.writes).toHaveLength(2);
});

test("with stop_on_failure off every step is tried", async () => {
  const device = new FakeDevice();
  const { output } = await run(device, [missing, home], { stop_on_failure: false });
  expect(output).toMatchObject({ ok: false, succeeded: 1, failed: 1, skipped: 0 });
});

test("a step that did nothing, such as a text that is not there in time, counts as failed", async () => {
  const device = new FakeDevice();
  const waiting = { tool: "wait_for", arguments: { text: "Done", timeout_ms: 600 } };
  const { output } = await run(device, [waiting, home]);
  expect(output.results).toMatchObject([{ ok: false, output: { met: false } }, { skipped: true }]);
});

test("an unknown tool or a device of its own in any step stops the whole before anything runs", async () => {
  const device = new FakeDevice();
  await expect(run(device, [home, { tool: "levitate" }])).rejects.toMatchObject({
    code: "invalid_argument",
    message: expect.stringMatching(/^Step 2: .*levitate.* No step was run\.$/),
  });
  await expect(run(device, [home, { tool: "wake", arguments: { device: "b" } }])).rejects.toMatchObject({
    message: "Step 2: device is given once, for all steps. No step was run.",
  });
  expect(device.done).toEqual([]);
});

test("1 to 30 steps are taken", async () => {
  const device = new FakeDevice();
  await expect(run(device, [])).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(run(device, Array(31).fill(home))).rejects.toMatchObject({ code: "invalid_argument" });
  expect((await run(device, Array(30).fill(home))).output).toMatchObject({ succeeded: 30 });
});

test("by default only the newest picture comes, and the result that it belongs to says so", async () => {
  const device = new FakeDevice();
  const { output, pictures } = await run(device, [look, look, home]);
  expect(pictures).toHaveLength(1);
  const { results } = output as { results: Record<string, unknown>[] };
  expect(results.map((result) => result.pictures)).toEqual([undefined, 1, undefined]);
  expect((await run(device, [look, look], { pictures: "all" })).pictures).toHaveLength(2);
  expect((await run(device, [look, look], { pictures: "none" })).pictures).toHaveLength(0);
});

test("the caller hears of each step", async () => {
  const caller = toolCaller(new FakeDevice());
  await caller.call("run_steps", { steps: [home, { tool: "wake" }] });
  expect(caller.progress).toEqual([
    { done: 0, total: 2, message: "Step 1 of 2: press_key" },
    { done: 1, total: 2, message: "Step 2 of 2: wake" },
  ]);
});

test("steps for which no time is left are skipped", async () => {
  const device = new FakeDevice();
  const slow = { tool: "wait_for", arguments: { text: "Done", timeout_ms: 40_000 } };
  const { output } = await run(device, [slow, slow, home], { stop_on_failure: false });
  expect(output.results).toMatchObject([{ ok: false }, { ok: false }, { skipped: true }]);
});

test("a fault of ours in a step is not told as the phone's", async () => {
  const device = new FakeDevice();
  device.before = (action) => {
    if (action === "pressKey") throw new CodedError("internal", "Something went wrong on our side (error id e1).");
  };
  const { output } = await run(device, [home]);
  expect(output.results).toMatchObject([{ ok: false, error: { code: "internal" } }]);
});
