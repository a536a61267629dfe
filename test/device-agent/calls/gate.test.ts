import { expect, test } from "vitest";
import { settled } from "../../support/manual-clock.ts";
import { call, createDispatchBench } from "../support/dispatch-bench.ts";

async function codeOf(bench: ReturnType<typeof createDispatchBench>, ...given: Parameters<typeof call>) {
  bench.dispatch.call(call(...given), bench.link);
  await settled();
  const [answer] = bench.link.sent;
  return answer?.type === "error" ? answer.error.code : answer?.type;
}

const everything = { default: { "screen:write": "allow", "device:danger": "allow" } };

test("without a policy reading is allowed, writing must be asked for and danger is denied", async () => {
  expect(await codeOf(createDispatchBench({ policy: {} }), "c1", "look")).toBe("result");
  expect(await codeOf(createDispatchBench({ policy: {} }), "c1", "tap")).toBe("write_disabled");
  expect(await codeOf(createDispatchBench({ policy: {} }), "c1", "wipe")).toBe("write_disabled");
});

test("a refused write says how its owner allows it", async () => {
  const bench = createDispatchBench({ policy: {} });
  await codeOf(bench, "c1", "tap");
  expect(bench.link.sent).toEqual([
    {
      type: "error",
      id: "c1",
      error: {
        code: "write_disabled",
        message: "The phone's owner wants to be asked before screen:write on this phone, and cannot be asked yet.",
        hint: 'Ask the phone\'s owner to start the device agent with --allow write, or to set "screen:write" to "allow" in /data/policy.json on the device agent\'s machine.',
      },
    },
  ]);
  expect(bench.a.done).toEqual([]);
});

test("the token's permission is checked before anything that the owner said", async () => {
  const bench = createDispatchBench({ policy: { default: { "screen:write": "deny" } } });
  expect(await codeOf(bench, "c1", "tap", { scopes: ["screen:read"] })).toBe("permission_denied");
});

test("the policy is checked before the list of phones, and both before the arguments", async () => {
  const denied = { default: { "screen:write": "deny" }, allowedSerials: [] };
  expect(await codeOf(createDispatchBench({ policy: denied }), "c1", "tap")).toBe("write_disabled");
  const unlisted = { ...everything, allowedSerials: ["serial-b"] };
  expect(await codeOf(createDispatchBench({ policy: unlisted }), "c1", "tap", { arguments: {} })).toBe(
    "device_not_allowed",
  );
  expect(await codeOf(createDispatchBench({ policy: unlisted }), "c1", "tap", { device: "b" })).toBe("result");
});

test("a phone that is not on the list cannot even be read", async () => {
  expect(await codeOf(createDispatchBench({ policy: { allowedSerials: ["serial-b"] } }), "c1", "look")).toBe(
    "device_not_allowed",
  );
});

test("an unknown phone is not found", async () => {
  expect(await codeOf(createDispatchBench({ policy: everything }), "c1", "tap", { device: "z" })).toBe(
    "device_not_found",
  );
});

test("an app that the owner did not allow is neither opened nor stopped", async () => {
  const policy = { ...everything, allowedApps: ["com.example.notes"] };
  const allowed = createDispatchBench({ policy });
  expect(await codeOf(allowed, "c1", "open_app", { arguments: { package: "com.example.notes" } })).toBe("result");
  const other = createDispatchBench({ policy });
  expect(await codeOf(other, "c1", "open_app", { arguments: { package: "com.bank" } })).toBe("device_not_allowed");
  expect(other.a.done).toEqual([]);
});

test("a tap in an app that the owner did not allow is refused after a look at what is in front", async () => {
  const bench = createDispatchBench({ policy: { ...everything, allowedApps: ["com.example.notes"] } });
  bench.a.front = { packageName: "com.bank", activity: null, overlay: null };
  expect(await codeOf(bench, "c1", "tap")).toBe("device_not_allowed");
  expect(bench.a.done).toEqual([{ action: "foreground" }]);
});

test.each([
  [{ packageName: "com.example.notes", activity: null, overlay: null }, "result"],
  [{ packageName: "com.example.notes", activity: null, overlay: "permission_dialog" }, "result"],
  [{ packageName: "com.example.notes", activity: null, overlay: "notification_shade" }, "device_not_allowed"],
  [{ packageName: null, activity: null, overlay: null }, "device_not_allowed"],
] as const)("with a list of apps, what is in front decides on a tap: %j", async (front, code) => {
  const bench = createDispatchBench({ policy: { ...everything, allowedApps: ["com.example.notes"] } });
  bench.a.front = front;
  expect(await codeOf(bench, "c1", "tap")).toBe(code);
});

test("a denied app in front is not touched, and every other one is", async () => {
  const policy = { ...everything, deniedApps: ["com.bank"] };
  const bank = createDispatchBench({ policy });
  bank.a.front = { packageName: "com.bank", activity: null, overlay: null };
  expect(await codeOf(bank, "c1", "tap")).toBe("device_not_allowed");
  expect(await codeOf(createDispatchBench({ policy }), "c1", "tap")).toBe("result");
});

test("without lists of apps nobody looks at what is in front", async () => {
  const bench = createDispatchBench();
  expect(await codeOf(bench, "c1", "tap")).toBe("result");
  expect(bench.a.done).toEqual([{ action: "tap", x: 1, y: 2 }]);
});
