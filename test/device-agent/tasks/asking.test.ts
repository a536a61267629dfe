import { expect, test } from "vitest";
import type { InterruptedState, TaskExecutor } from "../../../device-agent/tasks/task-executor.ts";
import type { Message } from "../../../shared/tasks/message.ts";
import { settled } from "../../support/manual-clock.ts";
import { hold } from "../support/dispatch-bench.ts";
import { createTasksBench, tap, taskStart } from "../support/tasks-bench.ts";

const minute = 60_000;

/** Asks, then taps where the answer says. */
const asking = (state: InterruptedState = "TASK_STATE_INPUT_REQUIRED"): TaskExecutor => ({
  check: () => {},
  async run({ ask, tools }) {
    await tools.run(tap(1));
    const { parts } = await ask(state, "Where?");
    const call = await tools.run(tap(Number(parts[0]?.text)));
    return { state: call.ok ? "TASK_STATE_COMPLETED" : "TASK_STATE_FAILED", text: "Tapped there." };
  },
});
const reply = (taskId: string, messageId: string, text: string) => {
  const message: Message = { messageId, role: "ROLE_USER", taskId, parts: [{ text }] };
  return { type: "task_message" as const, taskId, message };
};
const start = (id: string, about: object = {}) => taskStart(id, [], { skill: "ask", ...about });

test("a Task that asks gives the phone back, and goes on with the answer when its turn has come again", async () => {
  const bench = createTasksBench({ executors: { ask: asking() } });
  const link = bench.connect();
  await bench.say(start("t1"), link);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_INPUT_REQUIRED");
  expect(bench.store.text("t1")).toBe("Where?");
  expect(bench.turns.on("a")).toBeUndefined();
  const tapping = hold(bench.a, "tap");
  await bench.say(taskStart("t2", [tap(2)]), link);
  await bench.say(reply("t1", "m2", "3"), link);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_INPUT_REQUIRED");
  tapping.letGo();
  await settled();
  expect(bench.store.task("t1").state).toBe("TASK_STATE_COMPLETED");
  expect(bench.a.writes.map(({ x }) => x)).toEqual([1, 2, 3]);
});

test("it touches the phone again only when the gateway has said that it goes on", async () => {
  const bench = createTasksBench({ executors: { ask: asking("TASK_STATE_AUTH_REQUIRED") } });
  const link = bench.connect();
  await bench.say(start("t1"), link);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_AUTH_REQUIRED");
  bench.store.end("t1", "TASK_STATE_FAILED");
  await bench.say(reply("t1", "m2", "3"), link);
  expect(bench.a.writes.map(({ x }) => x)).toEqual([1]);
  expect(bench.tasks.held()).toEqual([]);
});

test("a message that came already, or that nobody asked for, changes nothing", async () => {
  const twice: TaskExecutor = {
    check: () => {},
    async run({ ask }) {
      const first = await ask("TASK_STATE_INPUT_REQUIRED", "First?");
      const second = await ask("TASK_STATE_INPUT_REQUIRED", "Second?");
      return { state: "TASK_STATE_COMPLETED", text: `${first.parts[0]?.text} ${second.parts[0]?.text}` };
    },
  };
  const bench = createTasksBench({ executors: { ask: twice } });
  const link = bench.connect();
  await bench.say(reply("t1", "m0", "early"), link);
  await bench.say(start("t1"), link);
  await bench.say(reply("t1", "m-t1", "the first message again"), link);
  for (const [id, text] of [
    ["m1", "one"],
    ["m1", "one"],
    ["m2", "two"],
    ["m3", "late"],
  ] as const)
    await bench.say(reply("t1", id, text), link);
  expect(bench.store.text("t1")).toBe("one two");
});

test("a question may wait for as long as the gateway likes, and holds the place in its context", async () => {
  const bench = createTasksBench({ executors: { ask: asking() } });
  const link = bench.connect();
  await bench.say(start("t1", { contextId: "c" }), link);
  await bench.say(taskStart("t2", [tap(2)], { contextId: "c", waitMs: 60 * minute }), link);
  await bench.clock.advance(14 * minute);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_INPUT_REQUIRED");
  expect(bench.store.task("t2").state).toBe("TASK_STATE_SUBMITTED");
  bench.store.end("t1", "TASK_STATE_FAILED");
  await bench.clock.advance(20_000);
  expect(bench.tasks.held()).toEqual([]);
  expect(bench.a.writes.map(({ x }) => x)).toEqual([1, 2]);
});

test("a Task that asks can be canceled, and says what it did before", async () => {
  const bench = createTasksBench({ executors: { ask: asking() } });
  const link = bench.connect();
  await bench.say(start("t1"), link);
  await bench.say({ type: "task_cancel", taskId: "t1" }, link);
  expect(bench.store.text("t1")).toBe("Canceled. One call had been carried out (tap) and is not undone.");
  await bench.say(reply("t1", "m2", "3"), link);
  expect(bench.a.writes.map(({ x }) => x)).toEqual([1]);
});

test("an answer for a phone that went away meanwhile waits for it, but not for ever", async () => {
  const bench = createTasksBench({ executors: { ask: asking() } });
  const link = bench.connect();
  await bench.say(start("t1", { waitMs: 5 * minute }), link);
  bench.phones.unplug("a");
  await bench.clock.advance(10 * minute);
  await bench.say(reply("t1", "m2", "3"), link);
  await bench.clock.advance(4 * minute);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_INPUT_REQUIRED");
  await bench.clock.advance(minute);
  expect(bench.store.text("t1")).toBe("The phone did not come back in time.");
});
