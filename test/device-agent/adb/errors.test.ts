import { describe, expect, test } from "vitest";
import { abortError, adbFailure, commandFailure } from "../../../device-agent/adb/errors.ts";
import { CodedError } from "../../../shared/errors.ts";
import { capture, hasCaptures } from "./captures.ts";

const errno = (code: string) => Object.assign(new Error(`connect ${code} 127.0.0.1:5037`), { code });

test.each([
  [new Error("device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set"), "device_unauthorized"],
  [new Error("device still authorizing"), "device_unauthorized"],
  [new Error("more than one device/emulator"), "device_offline"],
  [new Error("device offline"), "device_offline"],
  [new Error("device 'R58M' not found"), "device_offline"],
  [new Error("insufficient permissions for device: no permissions"), "device_offline"],
  [errno("ECONNREFUSED"), "device_offline"],
  [errno("ECONNRESET"), "device_offline"],
  [errno("EHOSTUNREACH"), "device_offline"],
  [new Error("Connection closed unexpectedly"), "device_offline"],
  [new Error("closed"), "unsupported"],
  [new Error("Socket open failed"), "unsupported"],
  ["something nobody has seen", "device_offline"],
])("%s is %s", (thrown, code) => {
  const failure = adbFailure(thrown);
  expect(failure.code).toBe(code);
  expect(failure.cause).toBe(thrown);
});

test("what adb says never becomes our sentence", () => {
  expect(adbFailure(new Error("device 'secret-serial' not found")).message).not.toContain("secret-serial");
});

test("an error of ours passes through", () => {
  const own = new CodedError("screen_off", "The screen is off.");
  expect(adbFailure(own)).toBe(own);
});

test("an aborted call says why", () => {
  const own = new CodedError("deadline_exceeded", "Too late.");
  expect(abortError(AbortSignal.abort(own))).toBe(own);
  expect(abortError(AbortSignal.abort()).code).toBe("canceled");
  expect(abortError(AbortSignal.abort(new DOMException("x", "TimeoutError"))).code).toBe("deadline_exceeded");
});

test("texts of finished commands are failures whatever the exit code", () => {
  expect(commandFailure("Can't find service: window")?.code).toBe("unsupported");
  expect(commandFailure("Permission Denial: can't dump PowerManagerService")?.code).toBe("unsupported");
  expect(commandFailure("")).toBeUndefined();
});

describe.runIf(hasCaptures)("recorded failures", () => {
  test.each([
    ["input-inject-events-xiaomi-android10", "input_permission_denied"],
    ["input-inject-events-android13", "input_permission_denied"],
    ["input-text-unicode-npe", "unsupported"],
  ])("%s is %s", (name, code) => {
    expect(commandFailure(capture(`failures/${name}.txt`))?.code).toBe(code);
  });
});
