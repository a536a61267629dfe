import { expect, test } from "vitest";
import type { TaskExecutor } from "../../../device-agent/tasks/task-executor.ts";
import { acquireDevice } from "../../../shared/tools/leases.ts";
import { settled } from "../../support/manual-clock.ts";
import { call, hold } from "../support/dispatch-bench.ts";
import { smallTools } from "../support/small-tools.ts";
import { createTasksBench, tap, taskStart } from "../support/tasks-bench.ts";

const minute = 60_000;

test("Tasks on one phone come one after another in the order of their arrival, on two phones side by side", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  const tapping = hold(bench.a, "tap");
  await bench.say(taskStart("a1", [tap(1)]), link);
  await bench.say(taskStart("a2", [tap(2)]), link);
  await bench.say(taskStart("b1", [tap(3)], { device: "b" }), link);
  await bench.say(taskStart("a3", [tap(4)]), link);
  expect(bench.store.task("a2").state).toBe("TASK_STATE_SUBMITTED");
  expect(bench.store.task("b1").state).toBe("TASK_STATE_COMPLETED");
  expect(bench.turns.on("a")?.taskId).toBe("a1");
  tapping.letGo();
  await settled();
  expect(bench.a.writes.map(({ x }) => x)).toEqual([1, 2, 4]);
  expect(bench.turns.on("a")).toBeUndefined();
});

test("Tasks of one context come one after another, whatever their phones, and those of another person beside them", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  const tapping = hold(bench.a, "tap");
  await bench.say(taskStart("t1", [tap(1)], { contextId: "c" }), link);
  await bench.say(taskStart("t2", [tap(2)], { contextId: "c", device: "b" }), link);
  const other = { contextId: "c", device: "b", principal: { tenant: "t", subject: "other" } };
  await bench.say(taskStart("t3", [tap(3)], other), link);
  expect(bench.b.writes.map(({ x }) => x)).toEqual([3]);
  tapping.letGo();
  await settled();
  expect(bench.b.writes.map(({ x }) => x)).toEqual([3, 2]);
});

test("a Task whose phone is away waits for it, and is done when it is back", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  bench.phones.unplug("a");
  await bench.say(taskStart("t1"), link);
  expect(bench.store.task("t1")).toMatchObject({ accepted: true, state: "TASK_STATE_SUBMITTED" });
  await bench.clock.advance(14 * minute);
  bench.phones.plug("a", bench.a, { state: "unauthorized" });
  await settled();
  expect(bench.a.done).toEqual([]);
  bench.phones.plug("a", bench.a);
  await settled();
  expect(bench.store.task("t1").state).toBe("TASK_STATE_COMPLETED");
});

test("a phone that was seen once is known after a restart too, though it is away", async () => {
  const bench = createTasksBench();
  await settled();
  bench.phones.unplug("a");
  bench.restart();
  const link = bench.connect();
  await bench.say(taskStart("t1"), link);
  expect(bench.store.task("t1").accepted).toBe(true);
});

test("a phone that does not come back in time fails its Task", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  bench.phones.unplug("a");
  await bench.say(taskStart("t1"), link);
  await bench.clock.advance(15 * minute);
  expect(bench.store.text("t1")).toBe("The phone did not come back in time.");
  expect(bench.store.task("t1").state).toBe("TASK_STATE_FAILED");
  bench.phones.plug("a", bench.a);
  await settled();
  expect(bench.a.done).toEqual([]);
});

test("a Task whose turn does not come in time fails and says why", async () => {
  const endless: TaskExecutor = { check: () => {}, run: () => new Promise(() => {}) };
  const bench = createTasksBench({ executors: { endless } });
  const link = bench.connect();
  await bench.say(taskStart("t1", [], { skill: "endless" }), link);
  await bench.say(taskStart("t2"), link);
  await bench.clock.advance(15 * minute);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_WORKING");
  expect(bench.store.text("t2")).toContain("turn did not come in time");
  expect(bench.store.task("t2").state).toBe("TASK_STATE_FAILED");
});

test("a Task that waits is canceled at once, one that works after its current step, and what was done is said", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  await bench.say(taskStart("t0", [{ tool: "look" }]), link);
  const tapping = hold(bench.a, "tap");
  await bench.say(taskStart("t1", [{ tool: "look" }, tap(1), tap(2)]), link);
  await bench.say(taskStart("t2", [tap(3)]), link);
  await bench.say({ type: "task_cancel", taskId: "t2" }, link);
  expect(bench.store.task("t2").state).toBe("TASK_STATE_CANCELED");
  expect(bench.store.text("t2")).toBe("Canceled. Nothing had been done on the phone.");
  await bench.say({ type: "task_cancel", taskId: "t1" }, link);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_WORKING");
  await bench.clock.advance(8_000);
  tapping.letGo();
  await settled();
  expect(bench.store.task("t1").state).toBe("TASK_STATE_CANCELED");
  expect(bench.store.text("t1")).toBe("Canceled. One call had been carried out (tap) and is not undone.");
  expect(bench.store.artifact("t1", "result")?.parts[0]?.data).toMatchObject({ succeeded: 2, failed: 0, skipped: 1 });
  expect(bench.a.writes.map(({ x }) => x)).toEqual([1]);
});

test("an executor that does not notice that it was canceled is left behind, and can call nothing any more", async () => {
  const caught: unknown[] = [];
  let callAgain = async () => {};
  const deaf: TaskExecutor = {
    check: () => {},
    run(work) {
      callAgain = async () => void (await work.tools.run(tap(9)).catch((thrown) => caught.push(thrown)));
      return new Promise(() => {});
    },
  };
  const bench = createTasksBench({ executors: { deaf } });
  const link = bench.connect();
  await bench.say(taskStart("t1", [], { skill: "deaf" }), link);
  await bench.say({ type: "task_cancel", taskId: "t1" }, link);
  await bench.clock.advance(10_000);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_CANCELED");
  await callAgain();
  expect(caught).toMatchObject([{ code: "canceled" }]);
  expect(bench.a.done).toEqual([]);
});

test("a lease of the Task's creator is used by itself; the lease of another keeps the Task's writes out", async () => {
  const bench = createTasksBench({ tools: [...smallTools, acquireDevice] });
  const link = bench.connect();
  const direct = async (id: string, tool: string, about: object = {}) => {
    bench.dispatch.call(call(id, tool, about), bench.direct);
    await settled();
    return bench.direct.about(id).at(-1);
  };
  await direct("c1", "acquire_device");
  await bench.say(taskStart("t1", [tap(1)]), link);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_COMPLETED");

  const looking = hold(bench.a, "status");
  const bob = { principal: { tenant: "t", subject: "bob" } };
  await bench.say(taskStart("t2", [{ tool: "look" }, tap(2)], bob), link);
  const own = await direct("c2", "tap", { arguments: { x: 8, y: 8, lease_id: "lease_1" } });
  expect(own).toMatchObject({ type: "result" });
  looking.letGo();
  await settled();
  expect(bench.store.text("t2")).toMatch(/^Step 2 of 2 \(tap\) failed: The phone is leased to s until /);
  expect(bench.a.writes.map(({ x }) => x)).toEqual([1, 8]);
});

test("a phone on which a Task works cannot be leased by another, and is no free phone for its own creator", async () => {
  const bench = createTasksBench({ tools: [...smallTools, acquireDevice] });
  const link = bench.connect();
  hold(bench.a, "tap");
  await bench.say(taskStart("t1", [tap(1)]), link);
  const acquire = async (id: string, about: object) => {
    bench.dispatch.call(call(id, "acquire_device", about), bench.direct);
    await settled();
    return bench.direct.about(id).at(-1);
  };
  const bob = { principal: { tenant: "t", subject: "bob" } };
  expect(await acquire("c1", bob)).toMatchObject({ error: { code: "device_busy" } });
  expect(await acquire("c2", { arguments: { any: true } })).toMatchObject({ error: { code: "device_busy" } });
  expect(await acquire("c3", {})).toMatchObject({ type: "result" });
});

test("coordinates of a Task are in pictures that this Task saw", async () => {
  const { takeScreenshot } = await import("../../../shared/tools/screen.ts");
  const touch = await import("../../../shared/tools/touch.ts");
  const bench = createTasksBench({ tools: [takeScreenshot, touch.tap] });
  const link = bench.connect();
  await bench.say(taskStart("t1", [{ tool: "take_screenshot" }]), link);
  await bench.say(taskStart("t2", [{ tool: "tap", arguments: { x: 5, y: 5 } }]), link);
  expect(bench.store.text("t2")).toContain("take a screenshot first");
  const both = [{ tool: "take_screenshot" }, { tool: "tap", arguments: { x: 5, y: 5, snap: false } }];
  await bench.say(taskStart("t3", both), link);
  expect(bench.store.task("t3").state).toBe("TASK_STATE_COMPLETED");
});
