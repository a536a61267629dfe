import { expect, test } from "vitest";
import { settled } from "../../support/manual-clock.ts";
import { call, hold } from "../support/dispatch-bench.ts";
import { createTasksBench, tap, taskStart } from "../support/tasks-bench.ts";

const states = (bench: ReturnType<typeof createTasksBench>, id: string) =>
  bench.store.statuses(id).map(({ state }) => state.replace("TASK_STATE_", ""));

test("a Task of steps is accepted, worked on and completed, and its result is told", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  await bench.say(taskStart("t1", [tap(1), { tool: "look" }, tap(3)]), link);
  expect(bench.store.task("t1")).toMatchObject({ accepted: true, state: "TASK_STATE_COMPLETED" });
  expect(bench.store.text("t1")).toBe("All 3 steps succeeded.");
  expect(bench.a.writes.map(({ x }) => x)).toEqual([1, 3]);
  expect(bench.store.statuses("t1").map(({ message }) => message?.parts[0]?.text)).toEqual([
    undefined,
    "Step 1 of 3: tap",
    "Step 2 of 3: look",
    "Step 3 of 3: tap",
    "All 3 steps succeeded.",
  ]);
  expect(bench.store.artifact("t1", "result")?.parts[0]?.data).toMatchObject({
    steps: [
      { tool: "tap", ok: true, ms: 0, output: { ok: true } },
      { tool: "look", ok: true, output: { width: 1080 } },
      { tool: "tap", ok: true },
    ],
    succeeded: 3,
    failed: 0,
    skipped: 0,
    failed_tools: [],
    evidence: { total: 3, truncated: false, items: [{ tool: "tap", call_id: "t1/1", outcome: "ok" }, {}, {}] },
    build_identity: { version: expect.any(String) },
  });
  expect(bench.tasks.held()).toEqual([]);
});

test("the phone is touched only after the gateway has said that the Task is still wanted", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  link.isMute = true;
  await bench.say(taskStart("t1"), link);
  expect(states(bench, "t1")).toEqual(["WORKING"]);
  expect(bench.a.done).toEqual([]);
  bench.connect();
  await settled();
  expect(bench.a.writes).toHaveLength(1);
  expect(states(bench, "t1").at(-1)).toBe("COMPLETED");
});

test("a Task that ended at the gateway before it began here never touches the phone", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  bench.store.end("t1", "TASK_STATE_CANCELED");
  await bench.say(taskStart("t1"), link);
  expect(bench.a.done).toEqual([]);
  expect(bench.store.task("t1").events).toEqual([]);
  expect(bench.tasks.held()).toEqual([]);
});

test("every step is judged for itself, and leaves its line in the audit without what was typed", async () => {
  const bench = createTasksBench({ policy: { default: { "screen:write": "allow" } } });
  const link = bench.connect();
  await bench.say(
    taskStart("t1", [{ tool: "type_text", arguments: { text: "hunter2" } }, { tool: "wipe" }, tap(3)]),
    link,
  );
  expect(bench.store.task("t1").state).toBe("TASK_STATE_FAILED");
  expect(bench.store.text("t1")).toMatch(/^Step 2 of 3 \(wipe\) failed: .*device:danger/);
  expect(bench.store.artifact("t1", "result")?.parts[0]?.data).toMatchObject({
    steps: [
      { ok: true },
      { tool: "wipe", ok: false, error: { code: "write_disabled" } },
      { tool: "tap", skipped: true },
    ],
    succeeded: 1,
    failed: 1,
    skipped: 1,
    failed_tools: ["wipe"],
  });
  expect(bench.audited.map(({ callId, tool, outcome }) => [callId, tool, outcome])).toEqual([
    ["t1/1", "type_text", "ok"],
    ["t1/2", "wipe", "write_disabled"],
  ]);
  expect(bench.audited[0]?.principal).toBe("t/s");
  expect(JSON.stringify([bench.audited, bench.store.artifact("t1", "tool_calls")])).not.toContain("hunter2");
});

test("a step needs the permissions of the Task's creator", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  await bench.say(taskStart("t1", [tap(1)], { scopes: ["screen:read", "task:run"] }), link);
  expect(bench.store.text("t1")).toContain("This call needs the permission screen:write.");
  expect(bench.a.writes).toEqual([]);
});

test("with stop_on_failure off all steps run, and the end says which failed", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  const parts = [{ data: { steps: [tap(1), tap(2)], stop_on_failure: false } }];
  bench.a.before = () => {
    bench.a.before = () => {};
    throw new Error("broken");
  };
  await bench.say(taskStart("t1", [], { message: { messageId: "m", role: "ROLE_USER", parts } }), link);
  expect(bench.store.task("t1").state).toBe("TASK_STATE_COMPLETED");
  expect(bench.store.text("t1")).toMatch(
    /^All 2 steps ran; 1 failed\. Step 1 of 2 \(tap\) failed: Something went wrong/,
  );
  expect(bench.a.writes).toEqual([{ action: "tap", x: 2, y: 1 }]);
});

test("each tool call is told as it ends, and the last one says that it is the last", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  await bench.say(taskStart("t1", [tap(1), { tool: "look" }]), link);
  const pieces = bench.store
    .task("t1")
    .events.flatMap((event) =>
      event.kind === "artifact" && event.artifact.artifactId === "tool_calls" ? [event] : [],
    );
  expect(pieces.map(({ append, lastChunk }) => [append, lastChunk])).toEqual([
    [false, false],
    [true, true],
  ]);
  expect(bench.store.artifact("t1", "tool_calls")?.parts.map(({ data }) => data)).toEqual([
    { tool: "tap", call_id: "t1/1", ok: true, ms: 0 },
    { tool: "look", call_id: "t1/2", ok: true, ms: 0 },
  ]);
});

test("what does not fit is refused, and begins nothing", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  const refused = async (
    id: string,
    ...given: Parameters<typeof taskStart> extends [string, ...infer R] ? R : never
  ) => {
    await bench.say(taskStart(id, ...given), link);
    return bench.store.task(id).refused;
  };
  expect(await refused("t1", [tap(1)], { skill: "dance" })).toBe("unsupported");
  expect(await refused("t2", [tap(1)], { device: "nobody" })).toBe("device_not_found");
  expect(await refused("t3", [{ tool: "tap", arguments: { x: "left", y: 1 } }])).toBe("invalid_argument");
  expect(await refused("t4", [{ tool: "levitate" }])).toBe("invalid_argument");
  expect(await refused("t5", [{ tool: "look", arguments: { device: "b" } }])).toBe("invalid_argument");
  expect(await refused("t6", [])).toBe("invalid_argument");
  const words = { messageId: "m", role: "ROLE_USER" as const, parts: [{ text: "Tap it." }] };
  expect(await refused("t7", [], { message: words })).toBe("invalid_argument");
  expect(bench.a.done).toEqual([]);
  expect(bench.tasks.held()).toEqual([]);
  expect(bench.journal.lines.filter(({ kind }) => kind === "start")).toEqual([]);
});

test("a start that is repeated is accepted again and begins nothing", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  const tapping = hold(bench.a, "tap");
  await bench.say(taskStart("t1"), link);
  await bench.say(taskStart("t1"), link);
  tapping.letGo();
  await settled();
  await bench.say(taskStart("t1"), link);
  expect(link.sent.filter(({ type }) => type === "task_accepted")).toHaveLength(3);
  expect(bench.a.writes).toHaveLength(1);
  expect(states(bench, "t1")).toEqual(["WORKING", "WORKING", "COMPLETED"]);
});

test("a Task is accepted only when it is on the disk, and refused when the disk takes nothing", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  let written = () => {};
  bench.journal.disk = new Promise((resolve) => {
    written = resolve;
  });
  await bench.say(taskStart("t1"), link);
  expect(bench.store.task("t1").accepted).toBe(false);
  expect(bench.tasks.held()).toEqual([]);
  written();
  await settled();
  expect(bench.store.task("t1")).toMatchObject({ accepted: true, state: "TASK_STATE_COMPLETED" });
  bench.journal.refusal = new Error("ENOSPC");
  await bench.say(taskStart("t2"), link);
  expect(bench.store.task("t2").refused).toBe("internal");
  expect(bench.a.writes).toHaveLength(1);
  expect(bench.lines.join()).toContain("ENOSPC");
});

test("the seventeenth Task is refused, and one that waits counts", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  const tapping = hold(bench.a, "tap");
  for (let n = 1; n <= 17; n++) await bench.say(taskStart(`t${n}`), link);
  expect(bench.store.task("t16").accepted).toBe(true);
  expect(bench.store.task("t17")).toMatchObject({ accepted: false, refused: "rate_limited" });
  tapping.letGo();
  bench.a.before = () => {};
  await settled();
  await bench.clock.advance(0);
  expect(bench.a.writes).toHaveLength(16);
  await bench.say(taskStart("t18"), link);
  expect(bench.store.task("t18").state).toBe("TASK_STATE_COMPLETED");
});

test("direct writes on a phone with a Task are refused, reads and other phones are not, and afterwards all is free", async () => {
  const bench = createTasksBench();
  const link = bench.connect();
  const tapping = hold(bench.a, "tap");
  const about = { principal: { tenant: "t", subject: "ann" } };
  await bench.say(taskStart("t1", [tap(1)], about), link);
  const answer = async (id: string, tool: string, more: object = {}) => {
    bench.dispatch.call(call(id, tool, more), bench.direct);
    await settled();
    return bench.direct.about(id).at(-1);
  };
  expect(await answer("c1", "tap")).toMatchObject({
    error: { code: "device_busy", message: "A Task of ann is at work on this phone; nothing was sent." },
  });
  expect(await answer("c2", "tap", about)).toMatchObject({
    error: { code: "device_busy", message: expect.stringMatching(/^Your own Task is at work/) },
  });
  expect(await answer("c3", "look")).toMatchObject({ type: "result" });
  expect(await answer("c4", "tap", { device: "b" })).toMatchObject({ type: "result" });
  tapping.letGo();
  await settled();
  expect(await answer("c5", "tap")).toMatchObject({ type: "result" });
});
