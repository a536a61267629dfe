import { expect, test } from "vitest";
import { acquireDevice, releaseDevice } from "../../../shared/tools/leases.ts";
import { settled } from "../../support/manual-clock.ts";
import { call, createDispatchBench, hold } from "../support/dispatch-bench.ts";
import { smallTools } from "../support/small-tools.ts";

const tools = [...smallTools, acquireDevice, releaseDevice];
const ann = { principal: { tenant: "t", subject: "ann" } };
const bob = { principal: { tenant: "t", subject: "bob" } };
type Bench = ReturnType<typeof createDispatchBench>;

async function ask(bench: Bench, ...given: Parameters<typeof call>) {
  bench.dispatch.call(call(...given), bench.link);
  await settled();
  const answer = bench.link.about(given[0]).at(-1);
  if (answer?.type === "result") return answer.output;
  return answer?.type === "error" ? answer.error : undefined;
}

test("a lease lets its holder write and look, lets others look, and is told with its end", async () => {
  const bench = createDispatchBench({ tools });
  const lease = await ask(bench, "c1", "acquire_device", { ...ann, arguments: { minutes: 5 } });
  expect(lease).toEqual({ ok: true, lease_id: "lease_0", expires_at: "2023-11-14T22:18:20.000Z" });
  const mine = { x: 1, y: 2, lease_id: "lease_0" };
  expect(await ask(bench, "c2", "tap", { ...ann, arguments: mine })).toEqual({ ok: true });
  expect(await ask(bench, "c3", "look", bob)).toEqual({ width: 1080 });
  expect(await ask(bench, "c4", "tap", bob)).toMatchObject({
    code: "device_busy",
    message: "The phone is leased to ann until 2023-11-14T22:18:20.000Z.",
    retryAfterMs: 300_000,
  });
  expect(bench.a.writes).toEqual([{ action: "tap", x: 1, y: 2 }]);
  expect(await ask(bench, "c5", "tap", { ...bob, device: "b" })).toEqual({ ok: true });
});

test("after the release others write again", async () => {
  const bench = createDispatchBench({ tools });
  await ask(bench, "c1", "acquire_device", ann);
  const id = { lease_id: "lease_0" };
  expect(await ask(bench, "c2", "release_device", { ...bob, arguments: id })).toMatchObject({
    code: "target_not_found",
  });
  expect(await ask(bench, "c3", "release_device", { ...ann, arguments: id })).toEqual({ ok: true });
  expect(await ask(bench, "c4", "tap", bob)).toEqual({ ok: true });
});

test("permission, policy and list of phones speak before the lease", async () => {
  const held = { id: "lease_0", phone: "a", caller: '["t","ann"]', holder: "ann", expiresAt: 1_800_000_000_000 };
  const bench = createDispatchBench({ tools, leases: [held], policy: { allowedSerials: ["serial-b"] } });
  expect(await ask(bench, "c1", "tap", { ...bob, scopes: ["screen:read"] })).toMatchObject({
    code: "permission_denied",
  });
  expect(await ask(bench, "c2", "tap", bob)).toMatchObject({ code: "write_disabled" });
  const listed = { default: { "screen:write": "allow" }, allowedSerials: ["serial-b"] };
  const unlisted = createDispatchBench({ tools, leases: [held], policy: listed });
  expect(await ask(unlisted, "c1", "tap", bob)).toMatchObject({ code: "device_not_allowed" });
  const open = createDispatchBench({ tools, leases: [held] });
  expect(await ask(open, "c1", "tap", { ...bob, arguments: { x: 1 } })).toMatchObject({ code: "invalid_argument" });
  expect(await ask(open, "c2", "tap", bob)).toMatchObject({ code: "device_busy" });
});

test("a write that waited for its turn is refused when the phone was leased meanwhile", async () => {
  const bench = createDispatchBench({ tools });
  const tapping = hold(bench.a, "tap");
  bench.dispatch.call(call("c1", "tap", bob), bench.link);
  bench.dispatch.call(call("c2", "tap", { ...bob, arguments: { x: 9, y: 9 } }), bench.link);
  await settled();
  expect(await ask(bench, "c3", "acquire_device", ann)).toMatchObject({ ok: true });
  tapping.letGo();
  await settled();
  expect(bench.link.about("c1")).toMatchObject([{ type: "result" }]);
  expect(bench.link.about("c2")).toMatchObject([{ error: { code: "device_busy" } }]);
  expect(bench.a.writes).toEqual([{ action: "tap", x: 1, y: 2 }]);
});

test("a phone that cannot be reached is not leased", async () => {
  const bench = createDispatchBench({ tools });
  bench.phones.plug("a", bench.a, { state: "offline" });
  expect(await ask(bench, "c1", "acquire_device", ann)).toMatchObject({ code: "device_offline" });
});

test("a lease can be released although its phone is away", async () => {
  const bench = createDispatchBench({ tools });
  await ask(bench, "c1", "acquire_device", ann);
  bench.phones.plug("a", bench.a, { state: "offline" });
  expect(await ask(bench, "c2", "release_device", { ...ann, arguments: { lease_id: "lease_0" } })).toEqual({
    ok: true,
  });
});

test("an acquire that is repeated with its call id gives the same answer and no second lease", async () => {
  const bench = createDispatchBench({ tools });
  const once = await ask(bench, "c1", "acquire_device", ann);
  await bench.clock.advance(60_000);
  expect(await ask(bench, "c1", "acquire_device", ann)).toEqual(once);
  expect(bench.written).toHaveLength(1);
});

test("an owner may forbid leases on a phone", async () => {
  const bench = createDispatchBench({ tools, policy: { default: { "device:lease": "deny" } } });
  expect(await ask(bench, "c1", "acquire_device", ann)).toMatchObject({ code: "write_disabled" });
});
