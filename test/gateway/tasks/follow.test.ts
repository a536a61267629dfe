import { afterEach, beforeEach, expect, it } from "vitest";
import type { TaskUpdate } from "../../../gateway/tasks/task.ts";
import { settled } from "../../support/manual-clock.ts";
import { chunk, status, userMessage } from "../store/support/task-entries.ts";
import { until } from "../support/ready.ts";
import { collect, openStoreBench, principal, type Started, type StoreBench } from "./support/store-bench.ts";

let bench: StoreBench;
let gateway: Started;
const never = new AbortController().signal;

beforeEach(async () => {
  bench = await openStoreBench();
  gateway = await bench.start();
});
afterEach(() => bench.remove());

const begin = async () => {
  const request = { message: userMessage("m1"), skill: "chat", device: undefined };
  return (await gateway.service.send(principal(), request)).id;
};
const follow = (id: string, signal = never, afterSeq?: number) =>
  gateway.service.follow(principal(), id, { requireOpen: false, signal, afterSeq });
const words = (updates: readonly TaskUpdate[]) =>
  updates.map((update) => (update.kind === "artifact" ? update.artifact.parts[0]?.text : update.kind));

it("several who follow a Task hear the same in the same order, and its whole at the end", async () => {
  const id = await begin();
  const all = Array.from({ length: 5 }, () => collect(follow(id)));
  await gateway.tell(id, 1, status("TASK_STATE_WORKING"));
  for (let n = 2; n <= 9; n++) await gateway.tell(id, n, chunk(String(n)));
  const late = collect(follow(id, never, 1));
  await gateway.tell(id, 10, status("TASK_STATE_COMPLETED"));
  const [first, ...others] = await Promise.all(all);
  for (const other of others) expect(other).toEqual(first);
  expect(words(first ?? [])).toEqual(["task", "status", "2", "3", "4", "5", "6", "7", "8", "9", "status", "task"]);
  expect(first?.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11]);
  expect(first?.at(-1)).toMatchObject({
    task: { status: { state: "TASK_STATE_COMPLETED" }, artifacts: [{ parts: Array(8).fill({}) }] },
  });
  expect(await late).toEqual(first);
});

it("one who comes back after a restart gets no chunk twice and misses none, wherever the stream broke", async () => {
  const id = await begin();
  await gateway.tell(id, 1, status("TASK_STATE_WORKING"));
  for (let n = 2; n <= 4; n++) await gateway.tell(id, n, chunk(String(n)));
  await gateway.close();
  gateway = await bench.start();
  const resumed = [1, 2, 3, 4, 5].map((seq) => ({ seq, updates: collect(follow(id, never, seq)) }));
  await gateway.tell(id, 5, chunk("5"));
  await gateway.tell(id, 6, status("TASK_STATE_COMPLETED"));
  for (const { seq, updates } of resumed) {
    const [snapshot, ...rest] = await updates;
    const seen = snapshot?.kind === "task" ? snapshot.task.artifacts?.flatMap(({ parts }) => parts) : [];
    const texts = [...(seen ?? []).map(({ text }) => text), ...words(rest.filter(({ kind }) => kind === "artifact"))];
    expect(texts, `after ${seq}`).toEqual(["2", "3", "4", "5"]);
    expect([snapshot?.seq, rest.at(-1)?.kind], `after ${seq}`).toEqual([seq, "task"]);
  }
});

it("a bell that is missed delays the news, and loses none", async () => {
  const id = await begin();
  const updates = collect(follow(id));
  await settled();
  const { store, clock } = gateway;
  const event = status("TASK_STATE_CANCELED");
  await store.appendStatus({ taskId: id, from: ["TASK_STATE_SUBMITTED"], event, now: clock.now() });
  await until(() => gateway.clock.waiting() > 0);
  await gateway.clock.advance(5_000);
  expect(words(await updates)).toEqual(["task", "status", "task"]);
});

it("a stream ends where the Task asks something, and goes on from there once it is answered", async () => {
  const id = await begin();
  const first = collect(follow(id));
  await gateway.tell(id, 1, status("TASK_STATE_INPUT_REQUIRED", "which?"));
  expect(words(await first)).toEqual(["task", "status", "task"]);
  const second = collect(follow(id));
  const request = { message: { ...userMessage("m2"), taskId: id }, skill: "chat", device: undefined };
  await gateway.service.send(principal(), request);
  await gateway.tell(id, 2, status("TASK_STATE_COMPLETED"));
  expect(words(await second)).toEqual(["task", "status", "status", "task"]);
});

it("one who goes away leaves nothing behind: no timer, no ear at the bell", async () => {
  const id = await begin();
  const gone = new AbortController();
  const following = collect(follow(id, gone.signal));
  await until(() => gateway.clock.waiting() > 0);
  gone.abort();
  expect(words(await following)).toEqual(["task"]);
  const reading = follow(id)[Symbol.asyncIterator]();
  await reading.next();
  await reading.return?.(undefined);
  expect(gateway.clock.waiting()).toBe(0);
  const listeners: (() => void)[] = [];
  gateway.bell.listen(id, () => listeners.push(() => {}));
  gateway.bell.ring(id);
  expect(listeners).toHaveLength(1);
});

it("who waits gets the Task as it is when the time is up, when it goes away, and when the gateway stops", async () => {
  const id = await begin();
  await gateway.tell(id, 1, status("TASK_STATE_WORKING", "at it"));
  const waiting = (options = {}) => gateway.service.settled(principal(), id, { waitMs: 45_000, ...options });
  const timed = waiting();
  await until(() => gateway.clock.waiting() === 2);
  await gateway.clock.advance(45_000);
  const gone = new AbortController();
  const left = waiting({ signal: gone.signal });
  gone.abort();
  const stopped = waiting();
  await until(() => gateway.clock.waiting() === 2);
  gateway.ringStop();
  for (const task of await Promise.all([timed, left, stopped])) {
    expect(task.status).toMatchObject({ state: "TASK_STATE_WORKING", message: { parts: [{ text: "at it" }] } });
  }
  expect(gateway.clock.waiting()).toBe(0);
});
