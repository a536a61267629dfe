import { expect, test } from "vitest";
import { createPolicy, type Grants } from "../../../device-agent/policy/policy.ts";
import { policySchema } from "../../../device-agent/policy/policy-schema.ts";

const phone = { key: "k1", serial: "R58M", name: "Desk phone" };

function policyOf(file: object, grants: Partial<Grants> = {}) {
  const rules = policySchema.parse(file);
  return createPolicy({ rules: () => rules, grants: { all: [], bySerial: {}, ...grants }, path: "/p/policy.json" });
}

test.each([
  ["screen:read", "allow"],
  ["screen:write", "ask"],
  ["device:danger", "deny"],
  ["device:lease", "allow"],
  ["task:run", "allow"],
] as const)("without a file %s is %s", (permission, verdict) => {
  expect(policyOf({}).verdict(phone, permission)).toBe(verdict);
});

test("the file's default is for every phone, its entry for one", () => {
  const policy = policyOf({
    default: { "screen:write": "deny" },
    devices: { R58M: { "screen:write": "allow" }, "Kitchen phone": { "screen:read": "deny" } },
  });
  expect(policy.verdict(phone, "screen:write")).toBe("allow");
  expect(policy.verdict({ ...phone, serial: "X" }, "screen:write")).toBe("deny");
  expect(policy.verdict({ key: "k2", serial: "Y", name: "Kitchen phone" }, "screen:read")).toBe("deny");
});

test("what is allowed on the command line for all phones does not undo what the file says of one", () => {
  const policy = policyOf(
    { default: { "screen:write": "deny" }, devices: { R58M: { "screen:write": "ask" } } },
    { all: ["screen:write"] },
  );
  expect(policy.verdict(phone, "screen:write")).toBe("ask");
  expect(policy.verdict({ ...phone, serial: "X" }, "screen:write")).toBe("allow");
  expect(policy.verdict({ ...phone, serial: "X" }, "device:danger")).toBe("deny");
});

test("a grant for one serial is for that serial alone", () => {
  const policy = policyOf({}, { bySerial: { SIM1: ["screen:write", "device:danger"] } });
  expect(policy.verdict({ ...phone, serial: "SIM1" }, "device:danger")).toBe("allow");
  expect(policy.verdict(phone, "device:danger")).toBe("deny");
  expect(policy.verdict({ ...phone, name: "SIM1" }, "screen:write")).toBe("ask");
});

test("names from JavaScript's own objects are no phones", () => {
  const policy = policyOf({});
  expect(policy.verdict({ key: "", serial: "constructor", name: "__proto__" }, "screen:write")).toBe("ask");
});

test("a list of serials keeps every other phone out of reach", () => {
  expect(policyOf({}).allowsPhone(phone)).toBe(true);
  expect(policyOf({ allowedSerials: ["R58M"] }).allowsPhone(phone)).toBe(true);
  expect(policyOf({ allowedSerials: [] }).allowsPhone(phone)).toBe(false);
});

test.each([
  { defaults: {} },
  { default: { "screen:write": "yes" } },
  { default: { "screen:draw": "allow" } },
  { devices: { R58M: { "screen:read": true } } },
  { allowedApps: ["not a package"] },
])("refuses a policy that says something else: %j", (file) => {
  expect(policySchema.safeParse(file).success).toBe(false);
});
