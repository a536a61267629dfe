import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TaskState, taskStates } from "../../../shared/tasks/task-state.ts";
import { createTaskBench, type TaskBench } from "./support/task-bench.ts";
import { chunk, fromSource, owner, status, userMessage } from "./support/task-entries.ts";

let bench: TaskBench;

beforeEach(async () => {
  bench = await createTaskBench();
});
afterEach(() => bench.remove());

const begun = taskStates.filter((state) => state !== "TASK_STATE_SUBMITTED");
const over = ["TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_REJECTED"];

/** What may reach the store about one Task, in any order, from whomever. */
const attempts = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant("source" as const),
        /** Before, at or beyond the number that is expected. */
        ahead: fc.constantFrom(0, 0, 0, 0, -1, -2, 1),
        link: fc.constantFrom("newest", "newest", "newest", "newest", "older", "unknown"),
        deviceAgentId: fc.constantFrom("da_1", "da_1", "da_1", "da_1", "da_2"),
        state: fc.constantFrom<TaskState | null>(null, null, null, "TASK_STATE_WORKING", ...taskStates),
        text: fc.string({ unit: "grapheme", maxLength: 12 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("relink" as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("answer" as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const), from: fc.subarray([...taskStates]) }) },
  ),
  { maxLength: 30 },
);

it("a log is exactly what was accepted, in its order, whatever is repeated, early, late, foreign or of an old link", async () => {
  let run = 0;
  let connectSeq = 1;
  await fc.assert(
    fc.asyncProperty(attempts, async (all) => {
      const id = `p${run++}`;
      await bench.begin(id);
      // The model: what a list and three variables would do.
      const log: unknown[] = [{ kind: "message", message: userMessage(`m-${id}`) }];
      let state: TaskState = "TASK_STATE_SUBMITTED";
      let lastSource = 0;
      for (const [index, attempt] of all.entries()) {
        if (attempt.kind === "relink") await bench.relink(++connectSeq);
        if (attempt.kind === "answer") {
          const message = userMessage(`${id}-${index}`, "ja ✓");
          const entry = { task: { id, ...owner }, message, digest: "d", now: index, leaseEndsAt: 9 };
          const isIn = state === "TASK_STATE_INPUT_REQUIRED" || state === "TASK_STATE_AUTH_REQUIRED";
          expect(await bench.store.appendMessage(entry)).toBe(isIn);
          if (isIn) log.push({ kind: "message", message });
          if (isIn) state = "TASK_STATE_WORKING";
        }
        if (attempt.kind === "cancel") {
          const event = status("TASK_STATE_CANCELED", "end");
          const from = attempt.from.filter((one) => !over.includes(one));
          const isIn = from.includes(state);
          expect(await bench.store.appendStatus({ taskId: id, from, event, now: index })).toBe(isIn);
          if (isIn) log.push(event);
          if (isIn) state = "TASK_STATE_CANCELED";
        }
        if (attempt.kind === "source") {
          const event = attempt.state === null ? chunk(attempt.text) : status(attempt.state, attempt.text || undefined);
          const link = { newest: connectSeq, older: connectSeq - 1, unknown: connectSeq + 1 }[attempt.link] ?? 0;
          const { deviceAgentId } = attempt;
          const isIn =
            attempt.ahead === 0 &&
            attempt.link === "newest" &&
            deviceAgentId === "da_1" &&
            !over.includes(state) &&
            (attempt.state !== "TASK_STATE_SUBMITTED" || state === "TASK_STATE_SUBMITTED");
          const entry = fromSource(id, lastSource + 1 + attempt.ahead, event);
          const told = await bench.store.appendFromSource({ ...entry, deviceAgentId, connectSeq: link });
          if (isIn) log.push(event);
          if (isIn) lastSource += 1;
          if (isIn && attempt.state !== null) state = attempt.state;
          const standing = { state, lastSourceSeq: lastSource, stored: isIn, tooLarge: false };
          expect(told).toEqual(deviceAgentId === "da_1" ? standing : null);
        }
      }
      const events = await bench.store.events(id, 0, 1_000);
      expect(events.map(({ seq, at: _, ...event }) => [seq, event])).toEqual(log.map((event, at) => [at + 1, event]));
      const open = over.includes(state) ? 0 : 1;
      expect(await bench.read("SELECT state, open, last_seq, last_source_seq FROM tasks WHERE id = ?", [id])).toEqual([
        { state, open, last_seq: log.length, last_source_seq: lastSource },
      ]);
      // What counts against the limits is what is in the file.
      const [sizes] = await bench.read(
        "SELECT t.bytes AS told, sum(length(CAST(e.body AS blob))) AS kept FROM tasks t JOIN task_events e ON e.task_id = t.id WHERE t.id = ?",
        [id],
      );
      expect(sizes?.told).toBe(sizes?.kept);
      await bench.store.appendStatus({ taskId: id, from: taskStates, event: status("TASK_STATE_FAILED"), now: 99 });
    }),
    { numRuns: 120 },
  );
}, 120_000);

it.each(begun)("a Task that is %s is never SUBMITTED again", async (state) => {
  await bench.begin("t1");
  expect(await bench.store.appendFromSource(fromSource("t1", 1, status("TASK_STATE_SUBMITTED")))).toMatchObject({
    stored: true,
  });
  await bench.store.appendFromSource(fromSource("t1", 2, status(state)));
  const back = await bench.store.appendFromSource(fromSource("t1", 3, status("TASK_STATE_SUBMITTED")));
  expect(back).toEqual({ state, lastSourceSeq: 2, stored: false, tooLarge: false });
  expect((await bench.store.events("t1", 0, 9)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

it("a status of the gateway that ends nothing is the Task's state from then on", async () => {
  await bench.begin("t1");
  const event = status("TASK_STATE_WORKING", "goes on");
  expect(await bench.store.appendStatus({ taskId: "t1", from: ["TASK_STATE_SUBMITTED"], event, now: 5 })).toBe(true);
  const task = await bench.store.find(owner, "t1");
  expect(task).toMatchObject({ state: "TASK_STATE_WORKING", statusAt: 5, statusMessage: event.message, lastSeq: 2 });
  expect(await bench.store.unfinished("da_1")).toHaveLength(1);
});
