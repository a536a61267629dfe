import { expect, test } from "vitest";
import { acquireDevice } from "../../../shared/tools/leases.ts";
import { runSteps } from "../../../shared/tools/steps.ts";
import { settled } from "../../support/manual-clock.ts";
import { call, createDispatchBench, hold } from "../support/dispatch-bench.ts";
import { smallTools } from "../support/small-tools.ts";

const tools = [...smallTools, acquireDevice, runSteps];
type Bench = ReturnType<typeof createDispatchBench>;

const tap = (x: number, more: object = {}) => ({ tool: "tap", arguments: { x, y: 1, ...more } });
const steps = (id: string, given: object[], about: Partial<Parameters<typeof call>[2]> & { more?: object } = {}) => {
  const { more, ...rest } = about;
  return call(id, "run_steps", { ...rest, arguments: { steps: given, ...more } });
};
async function answer(bench: Bench, ...given: Parameters<typeof steps>) {
  bench.dispatch.call(steps(...given), bench.link);
  await settled();
  const told = bench.link.about(given[0]).at(-1);
  if (told?.type === "result") return told.output;
  return told?.type === "error" ? told.error : undefined;
}

test("each step is judged for itself: what the token or the owner does not allow fails alone", async () => {
  const bench = createDispatchBench({ tools, policy: { default: { "screen:write": "allow" } } });
  const given = [tap(1), { tool: "wipe" }, { tool: "look" }];
  const output = await answer(bench, "c1", given, { more: { stop_on_failure: false } });
  expect(output).toMatchObject({
    results: [{ ok: true }, { ok: false, error: { code: "write_disabled" } }, { ok: true, output: { width: 1080 } }],
  });
  const reader = { scopes: ["screen:read", "task:run"], more: { stop_on_failure: false } };
  expect(await answer(bench, "c2", given, reader)).toMatchObject({
    results: [{ error: { code: "permission_denied" } }, { error: { code: "permission_denied" } }, { ok: true }],
  });
  expect(await answer(bench, "c3", given, { scopes: ["screen:read", "screen:write"] })).toMatchObject({
    code: "permission_denied",
  });
  expect(bench.a.writes).toEqual([{ action: "tap", x: 1, y: 1 }]);
});

test("all steps' arguments are checked before the first one runs", async () => {
  const bench = createDispatchBench({ tools });
  expect(await answer(bench, "c1", [tap(1), { tool: "tap", arguments: { x: "left", y: 1 } }])).toMatchObject({
    code: "invalid_argument",
    message: expect.stringMatching(/^Step 2: These arguments do not fit: x: .* No step was run\.$/),
  });
  expect(bench.a.done).toEqual([]);
});

test("steps inside of steps, and tools that are not of this phone, are refused", async () => {
  const bench = createDispatchBench({ tools });
  for (const tool of ["run_steps", "list_devices", "levitate"]) {
    expect(await answer(bench, `c-${tool}`, [tap(1), { tool, arguments: { steps: [tap(2)] } }])).toMatchObject({
      code: "invalid_argument",
      message: "Step 2: This tool cannot be a step. No step was run.",
    });
  }
  expect(bench.a.done).toEqual([]);
});

test("every step takes its turn, so that another caller's write may come between", async () => {
  const bench = createDispatchBench({ tools });
  const tapping = hold(bench.a, "tap");
  bench.dispatch.call(steps("c1", [tap(1), tap(2)]), bench.link);
  await settled();
  bench.dispatch.call(call("c2", "tap", { arguments: { x: 9, y: 9 } }), bench.link);
  await settled();
  tapping.letGo();
  await settled();
  expect(bench.a.writes.map(({ x }) => x)).toEqual([1, 9, 2]);
});

test("a lease given once holds for all steps", async () => {
  const bench = createDispatchBench({ tools });
  bench.dispatch.call(call("c0", "acquire_device"), bench.link);
  await settled();
  const given = [tap(1), { tool: "look" }, tap(2)];
  expect(await answer(bench, "c1", given)).toMatchObject({ results: [{ error: { code: "device_busy" } }, {}, {}] });
  expect(await answer(bench, "c2", given, { more: { lease_id: "lease_0" } })).toMatchObject({ succeeded: 3 });
  expect(bench.a.writes.map(({ x }) => x)).toEqual([1, 2]);
});

test("the whole is in the journal once: repeated with its call id it replays, and nothing is done again", async () => {
  const bench = createDispatchBench({ tools });
  const first = await answer(bench, "c1", [tap(1), tap(2)]);
  expect(first).toMatchObject({ ok: true, succeeded: 2 });
  expect(await answer(bench, "c1", [tap(1), tap(2)])).toEqual(first);
  expect([...bench.journal.entries.keys()]).toEqual(["c1"]);
  expect(bench.a.writes).toHaveLength(2);
});

test("each step is a line of the audit, and nowhere stands what was typed", async () => {
  const bench = createDispatchBench({ tools });
  await answer(bench, "c1", [tap(1), { tool: "type_text", arguments: { text: "hunter2" } }]);
  expect(bench.audited.map(({ callId, tool, outcome }) => [callId, tool, outcome])).toEqual([
    ["c1/1", "tap", "ok"],
    ["c1/2", "type_text", "ok"],
    ["c1", "run_steps", "ok"],
  ]);
  expect(JSON.stringify(bench.audited)).not.toContain("hunter2");
  expect(bench.audited[2]?.arguments).toEqual({
    steps: [
      { tool: "tap", arguments: { x: 1, y: 1 } },
      { tool: "type_text", arguments: { text: { characters: 7 } } },
    ],
  });
});

test("after 45 s the step at the phone is given up, the others are skipped, and all of it is told", async () => {
  const bench = createDispatchBench({ tools });
  bench.a.before = (action, signal) =>
    action === "tap"
      ? new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }))
      : undefined;
  const slow = { timeoutMs: 49_000, more: { stop_on_failure: false } };
  bench.dispatch.call(steps("c1", [{ tool: "look" }, tap(1), tap(2), tap(3)], slow), bench.link);
  await bench.clock.advance(44_999);
  expect(bench.link.sent).toEqual([]);
  await bench.clock.advance(1);
  expect(bench.link.about("c1")).toMatchObject([
    {
      output: {
        succeeded: 1,
        results: [
          { ok: true },
          { error: { code: "deadline_exceeded" }, ms: 40_000 },
          { error: { code: "deadline_exceeded" }, ms: 5_000 },
          { skipped: true },
        ],
      },
    },
  ]);
});

test("with less time from the caller the steps end two seconds earlier than that", async () => {
  const bench = createDispatchBench({ tools });
  hold(bench.a, "tap");
  bench.dispatch.call(steps("c1", [tap(1), tap(2)], { timeoutMs: 10_000 }), bench.link);
  await bench.clock.advance(8_000);
  expect(bench.link.about("c1")).toMatchObject([{ output: { failed: 1, skipped: 1 } }]);
});

test("cancel stops at the step that runs, and no later one begins", async () => {
  const bench = createDispatchBench({ tools });
  hold(bench.a, "tap");
  bench.dispatch.call(steps("c1", [{ tool: "look" }, tap(1), tap(2)]), bench.link);
  await settled();
  bench.dispatch.cancel("c1");
  await settled();
  await bench.clock.advance(10_000);
  expect(bench.a.writes).toEqual([]);
  expect(bench.link.sent).toEqual([]);
  expect(bench.audited.map(({ callId, outcome }) => [callId, outcome])).toContainEqual(["c1", "canceled"]);
  expect(bench.audited).toHaveLength(3);
});

test("the caller hears which step begins", async () => {
  const bench = createDispatchBench({ tools });
  bench.dispatch.call(
    steps("c1", [{ tool: "count", arguments: { values: [90], every_ms: 300 } }, tap(1)], { wantsProgress: true }),
    bench.link,
  );
  await bench.clock.advance(1_000);
  expect(bench.link.about("c1").flatMap((one) => (one.type === "progress" ? [one.message] : []))).toEqual([
    "Step 1 of 2: count",
    "Step 2 of 2: tap",
  ]);
});
