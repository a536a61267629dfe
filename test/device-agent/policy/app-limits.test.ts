import { expect, test } from "vitest";
import { permitNamedApp } from "../../../device-agent/policy/app-limits.ts";

const address = { url: "https://example.org/" };
const refusal = expect.objectContaining({ code: "device_not_allowed" });

test("an address, which may lead into any app, is not opened where the owner limits the apps", () => {
  expect(() => permitNamedApp({ allowed: ["com.example.notes"], denied: [] }, address)).toThrow(refusal);
  expect(() => permitNamedApp({ allowed: undefined, denied: ["com.bank"] }, address)).toThrow(refusal);
  expect(() => permitNamedApp({ allowed: undefined, denied: [] }, address)).not.toThrow();
});
