import { expect, test } from "vitest";
import { CodedError, errorTable, toCodedError } from "../../shared/errors.ts";

test("the error codes, their meanings and hints are what clients were told", async () => {
  await expect(`${JSON.stringify(errorTable, null, 2)}\n`).toMatchFileSnapshot("./errors.json");
});

test("every code has a hint that says what to do next", () => {
  for (const [code, { hint }] of Object.entries(errorTable)) expect(hint, code).toMatch(/^[A-Z].{10,}\.$/);
});

test("a fault that is not ours to tell keeps its text to itself", () => {
  const secret = new Error("SQL token=abc at /srv/x");
  const told = toCodedError(secret, "e123").toBody();
  expect(told).toEqual({
    code: "internal",
    message: "Something went wrong on our side (error id e123).",
    hint: "Try again; the log has the details under the error id.",
  });
});

test("an error survives the way through the link", () => {
  const error = new CodedError("device_busy", "The queue is full.", { retryAfterMs: 500, cause: new Error("hidden") });
  const back = CodedError.fromBody(JSON.parse(JSON.stringify(error.toBody())));
  expect([back.code, back.message, back.hint, back.retryAfterMs, back.cause]).toEqual([
    "device_busy",
    "The queue is full.",
    "Wait a moment and call again.",
    500,
    undefined,
  ]);
});
