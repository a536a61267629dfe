import { expect, test } from "vitest";
import type { TaskExecutor } from "../../../device-agent/tasks/task-executor.ts";
import { settled } from "../../support/manual-clock.ts";
import { hold } from "../support/dispatch-bench.ts";
import { createTasksBench, type StoreLink, tap, taskStart } from "../support/tasks-bench.ts";

/** Taps every ten seconds, for ever. */
const steady: TaskExecutor = {
  check: () => {},
  async run(work) {
    for (let n = 1; ; n++) {
      work.signal.throwIfAborted();
      work.say(`Tap ${n}`);
      await work.tools.run(tap(n));
      await work.tools.run({ tool: "count", arguments: { values: [1], every_ms: 10_000 } });
    }
  },
};
const cut = (link: StoreLink) => {
  link.isUp = false;
};

test("a link that is lost for less than the lease costs nothing: the Task goes on, and all is told in order, once", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  const tapping = hold(bench.a, "tap");
  await bench.say(taskStart("t1", [tap(1), tap(2)]), link);
  cut(link);
  tapping.letGo();
  await settled();
  expect(bench.a.writes).toHaveLength(2);
  expect(bench.store.task("t1").lastSourceSeq).toBe(2);
  expect(bench.tasks.held()).toEqual(["t1"]);
  await bench.clock.advance(30_000);
  const next = bench.connect();
  await settled();
  expect(bench.store.task("t1").state).toBe("TASK_STATE_COMPLETED");
  const numbers = next.sent.flatMap((message) => (message.type === "task_event" ? [message.sourceSeq] : []));
  expect(numbers).toEqual([3, 4, 5, 6, 7]);
  expect(bench.tasks.held()).toEqual([]);
});

test("beats keep a Task alive for as long as the link is up", async () => {
  const bench = createTasksBench({ executors: { steady } });
  const link = bench.connect();
  await bench.say(taskStart("t1", [], { skill: "steady" }), link);
  await bench.clock.advance(10 * 60_000);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_WORKING");
  expect(bench.a.writes.length).toBeGreaterThan(50);
  expect(link.sent.filter(({ type }) => type === "task_beat").length).toBeGreaterThanOrEqual(30);
});

test("without an acknowledgement the phone is let go 15 s before the lease ends, and the end is told later", async () => {
  const bench = createTasksBench({ executors: { steady } });
  const link = bench.connect();
  await bench.say(taskStart("t1", [], { skill: "steady" }), link);
  const begun = bench.clock.now();
  cut(link);
  await bench.clock.advance(74_000);
  expect(bench.turns.on("a")?.taskId).toBe("t1");
  await bench.clock.advance(2_000);
  const taps = bench.a.writes.length;
  expect(bench.turns.on("a")).toBeUndefined();
  await bench.clock.advance(60_000);
  expect(bench.a.writes).toHaveLength(taps);
  expect(begun).toBeLessThan(bench.clock.now());
  bench.connect();
  await settled();
  expect(bench.store.task("t1").state).toBe("TASK_STATE_FAILED");
  expect(bench.store.text("t1")).toBe("The link was lost for too long.");
});

test("an answer prolongs the lease from when it was asked for, not from when it came", async () => {
  const bench = createTasksBench({ executors: { steady } });
  const link = bench.connect();
  await bench.say(taskStart("t1", [], { skill: "steady" }), link);
  link.isMute = true;
  // The beat at 20 s is answered at 70 s.
  await bench.clock.advance(70_000);
  await bench.say({ type: "task_leases", alive: ["t1"], ended: [], leaseMs: 90_000 }, link);
  await bench.clock.advance(24_000);
  expect(bench.turns.on("a")?.taskId).toBe("t1");
  await bench.clock.advance(2_000);
  expect(bench.turns.on("a")).toBeUndefined();
});

test("a Task that ended at the gateway meanwhile stops in the middle of its step, and nothing more is told", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  hold(bench.a, "tap");
  await bench.say(taskStart("t1", [tap(1), tap(2)]), link);
  bench.store.end("t1", "TASK_STATE_FAILED");
  await bench.clock.advance(20_000);
  expect(bench.tasks.held()).toEqual([]);
  expect(bench.turns.on("a")).toBeUndefined();
  expect(bench.a.writes).toEqual([]);
  const { sent } = link;
  await bench.clock.advance(60_000);
  expect(sent.filter(({ type }) => type === "task_event")).toHaveLength(2);
});

test("an acknowledgement that never comes has its event sent again on the same link", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  link.isMute = true;
  await bench.say(taskStart("t1"), link);
  link.isMute = false;
  await bench.clock.advance(20_000);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_COMPLETED");
  const first = bench.store.task("t1").events.filter((event) => event.kind === "status" && event.message === undefined);
  expect(first).toHaveLength(1);
});

test("a Task whose turn comes while there is no link waits for it before it touches the phone", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  bench.phones.unplug("a");
  await bench.say(taskStart("t1"), link);
  cut(link);
  bench.phones.plug("a", bench.a);
  await bench.clock.advance(10 * 60_000);
  expect(bench.a.done).toEqual([]);
  bench.connect();
  await settled();
  expect(bench.store.task("t1").state).toBe("TASK_STATE_COMPLETED");
});
