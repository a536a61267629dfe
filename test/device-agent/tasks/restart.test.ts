import { expect, test } from "vitest";
import type { TaskExecutor } from "../../../device-agent/tasks/task-executor.ts";
import type { TaskLine } from "../../../device-agent/tasks/task-line.ts";
import { settled } from "../../support/manual-clock.ts";
import { hold } from "../support/dispatch-bench.ts";
import { createTasksBench, tap, taskStart } from "../support/tasks-bench.ts";

const restarted = "The device agent restarted in the middle of this Task.";

test("after a restart a Task that had begun has failed, with what it had told, and nothing of it is repeated", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  await bench.say(taskStart("t1", [{ tool: "look" }, tap(1)]), link);
  const before = bench.a.writes.length;
  const looks = hold(bench.a, "tap");
  await bench.say(taskStart("t2", [{ tool: "look" }, tap(2)]), link);
  expect(bench.store.artifact("t2", "tool_calls")?.parts).toHaveLength(1);
  link.isUp = false;
  const next = bench.restart();
  expect(next.tasks.held()).toEqual(["t2"]);
  bench.connect();
  await settled();
  expect(bench.store.task("t2").state).toBe("TASK_STATE_FAILED");
  expect(bench.store.text("t2")).toBe(restarted);
  expect(bench.store.artifact("t2", "tool_calls")?.parts).toHaveLength(1);
  expect(next.tasks.held()).toEqual([]);
  expect(bench.a.writes).toHaveLength(before);
  looks.letGo();
});

test("a Task that had not begun is held on, and done after the restart", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  bench.phones.unplug("a");
  await bench.say(taskStart("t1"), link);
  link.isUp = false;
  await bench.tasks.stop(5_000);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_SUBMITTED");
  const next = bench.restart();
  expect(next.tasks.held()).toEqual(["t1"]);
  bench.connect();
  bench.phones.plug("a", bench.a);
  await settled();
  expect(bench.store.task("t1").state).toBe("TASK_STATE_COMPLETED");
  expect(bench.a.writes).toHaveLength(1);
});

test("what was told and not acknowledged is told again by the next process, in order", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  const tapping = hold(bench.a, "tap");
  await bench.say(taskStart("t1", [tap(1), tap(2)]), link);
  link.isUp = false;
  tapping.letGo();
  await settled();
  const next = bench.restart();
  await settled();
  expect(JSON.stringify(next.journal.lines)).not.toContain(restarted);
  bench.connect();
  await settled();
  expect(bench.store.task("t1").state).toBe("TASK_STATE_COMPLETED");
  expect(bench.store.artifact("t1", "result")?.parts[0]?.data).toMatchObject({ succeeded: 2 });
  expect(next.tasks.held()).toEqual([]);
});

test("lines that were lost keep no Task from its end: the numbers close up, and what the gateway has is skipped", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  hold(bench.a, "tap");
  await bench.say(taskStart("t1", [{ tool: "look" }, tap(1)]), link);
  expect(bench.store.task("t1").lastSourceSeq).toBe(4);
  link.isUp = false;
  const isAbout = (line: TaskLine, seq: number) => "sourceSeq" in line && line.sourceSeq === seq;
  for (const lost of [2, 3, 4]) {
    const { lines } = bench.journal;
    const kept = lines.filter((line) => !isAbout(line, lost) && !(line.kind === "acked" && lost === 4));
    lines.splice(0, lines.length, ...kept);
  }
  bench.restart();
  bench.connect();
  await settled();
  expect(bench.store.task("t1").state).toBe("TASK_STATE_FAILED");
  expect(bench.store.text("t1")).toBe(restarted);
});

test("a Task whose skill went away with the restart fails and says so", async () => {
  const bench = createTasksBench();
  bench.journal.lines.push({ kind: "start", at: bench.clock.now(), start: taskStart("t1", [], { skill: "dance" }) });
  bench.restart();
  bench.connect();
  await settled();
  expect(bench.store.text("t1")).toMatch(/^This device agent has no such skill any more\./);
});

test("when the process stops, the current step may finish, and the Task says that it was stopped", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  const tapping = hold(bench.a, "tap");
  await bench.say(taskStart("t1", [tap(1), tap(2)]), link);
  await bench.say(taskStart("t2", [tap(3)]), link);
  const stopped = bench.tasks.stop(5_000);
  await bench.say(taskStart("t3"), link);
  await bench.clock.advance(2_000);
  tapping.letGo();
  await stopped;
  expect(bench.a.writes.map(({ x }) => x)).toEqual([1]);
  expect(bench.store.text("t1")).toBe("The device agent was stopped.");
  expect(bench.store.task("t1").state).toBe("TASK_STATE_FAILED");
  expect(bench.store.artifact("t1", "result")?.parts[0]?.data).toMatchObject({ succeeded: 1, skipped: 1 });
  expect(bench.store.task("t2").state).toBe("TASK_STATE_SUBMITTED");
  expect(bench.store.task("t3")).toMatchObject({ accepted: false, refused: undefined });
});

test("a step that does not finish in the grace is cut, and without a link the end is told after the restart", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  hold(bench.a, "tap");
  await bench.say(taskStart("t1", [tap(1)]), link);
  link.isUp = false;
  const stopped = bench.tasks.stop(5_000);
  await bench.clock.advance(5_000);
  await stopped;
  expect(bench.a.writes).toEqual([]);
  bench.restart();
  bench.connect();
  await settled();
  expect(bench.store.text("t1")).toBe("The device agent was stopped.");
  expect(bench.store.artifact("t1", "result")?.parts[0]?.data).toMatchObject({
    failed: 1,
    evidence: { items: [{ outcome: "missing" }] },
  });
});

test("an executor that throws fails its Task: with its own sentences, or with an error id and nothing of the cause", async () => {
  const { CodedError } = await import("../../../shared/errors.ts");
  const throwing = (thrown: unknown): TaskExecutor => ({ check: () => {}, run: () => Promise.reject(thrown) });
  const coded = new CodedError("unsupported", "It cannot be done.", { hint: "Do something else." });
  const executors = { coded: throwing(coded), broken: throwing(new Error("secret path")) };
  const bench = createTasksBench({ executors });
  const link = bench.connect();
  await bench.say(taskStart("t1", [], { skill: "coded" }), link);
  await bench.say(taskStart("t2", [], { skill: "broken" }), link);
  expect(bench.store.text("t1")).toBe("It cannot be done. Do something else.");
  expect(bench.store.text("t2")).toMatch(/^Something went wrong on our side \(error id error-id-1\)\./);
  expect(bench.lines.join()).toContain("secret path");
});
