import { expect, test } from "vitest";
import { settled } from "../../support/manual-clock.ts";
import { call, createDispatchBench, FakeConnection, hold } from "../support/dispatch-bench.ts";

test("answers a call with its result", async () => {
  const { dispatch, link } = createDispatchBench();
  dispatch.call(call("c1", "look"), link);
  await settled();
  expect(link.sent).toEqual([{ type: "result", id: "c1", output: { width: 1080 }, pictures: [] }]);
});

test("says which argument is wrong and touches nothing", async () => {
  const { dispatch, link, a } = createDispatchBench();
  dispatch.call(call("c1", "tap", { arguments: { x: "left", y: 2 } }), link);
  await settled();
  expect(link.sent).toMatchObject([{ type: "error", error: { code: "invalid_argument" } }]);
  expect(JSON.stringify(link.sent)).toContain("x:");
  expect(a.done).toEqual([]);
});

test("takes a number that came as text", async () => {
  const { dispatch, link, a } = createDispatchBench();
  dispatch.call(call("c1", "tap", { arguments: { x: "673", y: "2" } }), link);
  await settled();
  expect(a.writes).toEqual([{ action: "tap", x: 673, y: 2 }]);
});

test("an unknown tool is unsupported", async () => {
  const { dispatch, link } = createDispatchBench();
  dispatch.call(call("c1", "levitate"), link);
  await settled();
  expect(link.sent).toMatchObject([{ type: "error", error: { code: "unsupported" } }]);
});

test("a fault of ours shows an error id and nothing of its cause, which stands in the log once", async () => {
  const { dispatch, link, a, lines } = createDispatchBench();
  a.before = () => {
    throw new Error("secret of the phone");
  };
  dispatch.call(call("c1", "look"), link);
  await settled();
  expect(link.sent).toEqual([
    {
      type: "error",
      id: "c1",
      error: {
        code: "internal",
        message: "Something went wrong on our side (error id error-id-1).",
        hint: "Try again; the log has the details under the error id.",
      },
    },
  ]);
  expect(lines.filter((line) => line.includes("secret of the phone"))).toHaveLength(1);
});

test("a phone that is away answers with its own reason", async () => {
  const { dispatch, link, phones, a } = createDispatchBench();
  phones.plug("a", a, { state: "unauthorized" });
  dispatch.call(call("c1", "look"), link);
  await settled();
  expect(link.sent).toMatchObject([{ error: { code: "device_unauthorized" } }]);
});

test("a canceled call that still waited never touches the phone, and nobody gets an answer", async () => {
  const { dispatch, link, a } = createDispatchBench();
  const tapping = hold(a, "tap");
  dispatch.call(call("c1", "tap"), link);
  dispatch.call(call("c2", "tap", { arguments: { x: 9, y: 9 } }), link);
  await settled();
  dispatch.cancel("c2");
  tapping.letGo();
  await settled();
  expect(a.writes).toEqual([{ action: "tap", x: 1, y: 2 }]);
  expect(link.sent.map((message) => message.type === "result" && message.id)).toEqual(["c1"]);
});

test("cancel stops what runs and its late result is not sent", async () => {
  const { dispatch, link, a, audited } = createDispatchBench();
  hold(a, "tap");
  dispatch.call(call("c1", "tap"), link);
  await settled();
  dispatch.cancel("c1");
  await settled();
  expect(a.writes).toEqual([]);
  expect(link.sent).toEqual([]);
  expect(audited).toMatchObject([{ callId: "c1", outcome: "canceled" }]);
});

test("the deadline counts the wait for the phone, and says that nothing was sent", async () => {
  const { dispatch, link, a, clock } = createDispatchBench();
  hold(a, "tap");
  dispatch.call(call("c1", "tap", { timeoutMs: 30_000 }), link);
  dispatch.call(call("c2", "tap", { timeoutMs: 5_000, arguments: { x: 3, y: 3 } }), link);
  await clock.advance(5_000);
  expect(link.sent).toMatchObject([{ id: "c2", error: { code: "deadline_exceeded" } }]);
  expect(JSON.stringify(link.sent)).toContain("nothing was sent");
  await clock.advance(25_000);
  expect(link.about("c1")).toMatchObject([{ error: { code: "deadline_exceeded" } }]);
  expect(a.writes).toEqual([]);
});

test("a tool's own limit holds even if the gateway would wait longer", async () => {
  const { dispatch, link, a, clock } = createDispatchBench();
  hold(a, "status");
  dispatch.call(call("c1", "look", { timeoutMs: 300_000 }), link);
  await clock.advance(40_000);
  expect(link.sent).toMatchObject([{ error: { code: "deadline_exceeded" } }]);
});

test("a phone that does not let go even after the deadline blocks its queue for five seconds at most", async () => {
  const { dispatch, link, a, clock } = createDispatchBench();
  a.before = (action) => (action === "tap" ? new Promise(() => {}) : undefined);
  dispatch.call(call("c1", "tap", { timeoutMs: 1_000 }), link);
  await clock.advance(1_000);
  expect(link.about("c1")).toMatchObject([{ error: { code: "deadline_exceeded" } }]);
  a.before = () => {};
  dispatch.call(call("c2", "tap"), link);
  await clock.advance(4_999);
  expect(link.about("c2")).toEqual([]);
  await clock.advance(1);
  expect(link.about("c2")).toMatchObject([{ type: "result" }]);
});

test("progress grows strictly and comes at most four times a second, the newest last", async () => {
  const { dispatch, link, clock } = createDispatchBench();
  const values = [1, 1, 0, 2, 3, 4, 5, 6, 7, 8];
  dispatch.call(call("c1", "count", { wantsProgress: true, arguments: { values, every_ms: 50 } }), link);
  await clock.advance(1_000);
  const seen = link.about("c1").flatMap((message) => (message.type === "progress" ? [message.progress] : []));
  expect(seen).toEqual([1, 3, 8]);
  expect(link.about("c1").at(-1)?.type).toBe("result");
});

test("sends no progress to a caller that did not ask for it", async () => {
  const { dispatch, link, clock } = createDispatchBench();
  dispatch.call(call("c1", "count", { arguments: { values: [1, 2], every_ms: 500 } }), link);
  await clock.advance(2_000);
  expect(link.sent.map(({ type }) => type)).toEqual(["result"]);
});

test("audits every call with its outcome, refused ones included, and never what was typed", async () => {
  const { dispatch, link, audited, clock } = createDispatchBench();
  dispatch.call(call("c1", "type_text", { arguments: { text: "hunter2" } }), link);
  dispatch.call(call("c2", "tap", { scopes: ["screen:read"] }), link);
  await clock.advance(10);
  expect(audited.sort((one, other) => one.callId.localeCompare(other.callId))).toEqual([
    {
      at: 1_700_000_000_000,
      callId: "c1",
      principal: "t/s",
      device: "a",
      tool: "type_text",
      arguments: { text: { characters: 7 } },
      outcome: "ok",
      ms: 0,
    },
    {
      at: 1_700_000_000_000,
      callId: "c2",
      principal: "t/s",
      device: "a",
      tool: "tap",
      arguments: { x: 1, y: 2 },
      outcome: "permission_denied",
      ms: 0,
    },
  ]);
});

test("takes no more than 64 calls at once", async () => {
  const { dispatch, link, a, phones, clock } = createDispatchBench();
  hold(a, "status");
  for (let phone = 0; phone < 3; phone++) phones.plug(`extra${phone}`, a);
  for (let one = 0; one < 65; one++) dispatch.call(call(`c${one}`, "look", { device: `extra${one % 3}` }), link);
  await settled();
  expect(link.sent).toMatchObject([{ id: "c64", error: { code: "device_busy", retryAfterMs: 1_000 } }]);
  await clock.advance(30_000);
});

test("stopping lets the current step finish, sends away who waits, and takes nothing new", async () => {
  const { dispatch, link, a } = createDispatchBench();
  const tapping = hold(a, "tap");
  dispatch.call(call("c1", "tap"), link);
  dispatch.call(call("c2", "tap", { arguments: { x: 5, y: 5 } }), link);
  await settled();
  const stopped = dispatch.stop(5_000);
  dispatch.call(call("c3", "look"), link);
  await settled();
  expect(link.about("c2")).toMatchObject([{ error: { code: "device_offline" } }]);
  expect(link.about("c3")).toMatchObject([{ error: { code: "device_offline" } }]);
  tapping.letGo();
  await stopped;
  expect(link.about("c1")).toMatchObject([{ type: "result" }]);
});

test("stopping does not wait longer than it may, and says that the outcome is unknown", async () => {
  const { dispatch, link, a, clock } = createDispatchBench();
  hold(a, "tap");
  dispatch.call(call("c1", "tap"), link);
  await settled();
  const stopped = dispatch.stop(5_000);
  await clock.advance(5_000);
  await stopped;
  expect(link.about("c1")).toMatchObject([{ error: { code: "outcome_unknown" } }]);
});

test("an answer goes to the link that asked last", async () => {
  const { dispatch, link, a } = createDispatchBench();
  const newer = new FakeConnection();
  const tapping = hold(a, "tap");
  dispatch.call(call("c1", "tap"), link);
  await settled();
  dispatch.recall("c1", newer);
  expect(newer.sent).toEqual([{ type: "call_state", id: "c1", state: "running" }]);
  tapping.letGo();
  await settled();
  expect(link.sent).toEqual([]);
  expect(newer.about("c1").at(-1)).toMatchObject({ type: "result", output: { ok: true } });
});

test("an answer that its link does not take goes to the newer link that asks for it", async () => {
  const { dispatch, link, a } = createDispatchBench();
  const newer = new FakeConnection();
  let giveUp = () => {};
  link.send = () =>
    new Promise((resolve) => {
      giveUp = resolve;
    });
  dispatch.call(call("c1", "tap"), link);
  await settled();
  dispatch.recall("c1", newer);
  giveUp();
  await settled();
  expect(newer.about("c1").map(({ type }) => type)).toEqual(["call_state", "result"]);
  expect(a.writes).toHaveLength(1);
});
