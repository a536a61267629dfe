import { expect, test } from "vitest";
import { CodedError } from "../../../shared/errors.ts";
import { settled } from "../../support/manual-clock.ts";
import { call, createDispatchBench, FakeConnection, hold } from "../support/dispatch-bench.ts";

test("a repeated id of a finished write gets the same answer and no second tap", async () => {
  const { dispatch, link, a } = createDispatchBench();
  const later = new FakeConnection();
  dispatch.call(call("c1", "tap"), link);
  await settled();
  dispatch.call(call("c1", "tap"), later);
  dispatch.recall("c1", later);
  await settled();
  const answer = { type: "result", id: "c1", output: { ok: true }, pictures: [] };
  expect(link.sent).toEqual([answer]);
  expect(later.sent).toEqual([answer, answer]);
  expect(a.writes).toHaveLength(1);
});

test("a repeated id of a running write waits for it and taps once", async () => {
  const { dispatch, link, a } = createDispatchBench();
  const later = new FakeConnection();
  const tapping = hold(a, "tap");
  dispatch.call(call("c1", "tap"), link);
  await settled();
  dispatch.call(call("c1", "tap"), later);
  tapping.letGo();
  await settled();
  expect(later.sent).toMatchObject([{ type: "result", id: "c1" }]);
  expect(a.writes).toHaveLength(1);
});

test("the same id for another call is an error", async () => {
  const { dispatch, link, a } = createDispatchBench();
  dispatch.call(call("c1", "tap"), link);
  await settled();
  dispatch.call(call("c1", "tap", { arguments: { x: 7, y: 7 } }), link);
  await settled();
  expect(link.sent[1]).toMatchObject({ type: "error", id: "c1", error: { code: "invalid_argument" } });
  expect(a.writes).toHaveLength(1);
});

test("nobody gets the answer of somebody else's call by its id", async () => {
  const { dispatch, link } = createDispatchBench();
  const other = new FakeConnection();
  dispatch.call(call("c1", "tap"), link);
  await settled();
  dispatch.call(call("c1", "tap", { principal: { tenant: "t", subject: "other" } }), other);
  await settled();
  expect(other.sent).toMatchObject([{ error: { code: "invalid_argument" } }]);
});

test("a failed write is remembered with its error", async () => {
  const { dispatch, link, a } = createDispatchBench();
  a.before = () => {
    throw new CodedError("input_permission_denied", "The phone refuses injected input.");
  };
  dispatch.call(call("c1", "tap"), link);
  await settled();
  a.before = () => {};
  dispatch.call(call("c1", "tap"), link);
  await settled();
  expect(link.sent).toMatchObject([
    { error: { code: "input_permission_denied" } },
    { error: { code: "input_permission_denied" } },
  ]);
  expect(a.writes).toEqual([]);
});

test("what an earlier process began is never repeated", async () => {
  const { dispatch, link, a, journal } = createDispatchBench();
  const { id, digest, tool, device } = call("c1", "tap");
  journal.entries.set(id, { id, digest, tool, device, principal: '["t","s"]', lost: true });
  dispatch.recall("c1", link);
  dispatch.call(call("c1", "tap"), link);
  await settled();
  expect(link.sent).toMatchObject([{ error: { code: "outcome_unknown" } }, { error: { code: "outcome_unknown" } }]);
  expect(a.done).toEqual([]);
});

test("a call that never came is unknown", () => {
  const { dispatch, link } = createDispatchBench();
  dispatch.recall("c9", link);
  expect(link.sent).toEqual([{ type: "call_state", id: "c9", state: "unknown" }]);
});

test("reads are not kept and may be repeated", async () => {
  const { dispatch, link, a } = createDispatchBench();
  dispatch.call(call("c1", "look"), link);
  await settled();
  dispatch.recall("c1", link);
  dispatch.call(call("c1", "look"), link);
  await settled();
  expect(a.done).toHaveLength(2);
  expect(link.sent.map(({ type }) => type)).toEqual(["result", "call_state", "result"]);
});

test("a write is in the journal before the phone is touched", async () => {
  const { dispatch, link, a, journal } = createDispatchBench();
  let known: unknown;
  a.before = () => {
    known = journal.find("c1")?.state;
  };
  dispatch.call(call("c1", "tap"), link);
  await settled();
  expect(known).toBe("started");
});

test("a write that cannot be written down is refused and not done", async () => {
  const { dispatch, link, a, journal } = createDispatchBench();
  journal.refusal = new CodedError("device_busy", "Full.", { retryAfterMs: 30_000 });
  dispatch.call(call("c1", "tap"), link);
  await settled();
  expect(link.sent).toMatchObject([{ error: { code: "device_busy", retryAfterMs: 30_000 } }]);
  expect(a.done).toEqual([]);
});
