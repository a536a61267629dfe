import { expect, test } from "vitest";
import { permitForeground, permitNamedApp } from "../../../device-agent/policy/app-limits.ts";

const address = { url: "https://example.org/" };
const refusal = expect.objectContaining({ code: "device_not_allowed" });

test("an address, which may lead into any app, is not opened where the owner limits the apps", () => {
  expect(() => permitNamedApp({ allowed: ["com.example.notes"], denied: [] }, address)).toThrow(refusal);
  expect(() => permitNamedApp({ allowed: undefined, denied: ["com.bank"] }, address)).toThrow(refusal);
  expect(() => permitNamedApp({ allowed: undefined, denied: [] }, address)).not.toThrow();
});

test("an app that is out of reach is so on every display, since keys go where the focus is", () => {
  const front = { packageName: "com.example.notes", activity: null, overlay: null };
  const limits = { allowed: ["com.example.notes"], denied: [] };
  expect(() => permitForeground(limits, front)).not.toThrow();
  expect(() => permitForeground(limits, { ...front, elsewhere: ["com.example.notes"] })).not.toThrow();
  expect(() => permitForeground(limits, { ...front, elsewhere: ["com.bank"] })).toThrow(refusal);
  expect(() =>
    permitForeground({ allowed: undefined, denied: ["com.bank"] }, { ...front, elsewhere: ["com.bank"] }),
  ).toThrow(refusal);
});
