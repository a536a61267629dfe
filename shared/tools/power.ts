import { z } from "zod";
import { CodedError } from "../errors.ts";
import { observeScreen } from "../screen/observe.ts";
import { defineDeviceTool } from "./define-tool.ts";
import { acted, observe, ok } from "./fields.ts";

export const wake = defineDeviceTool({
  name: "wake",
  title: "Wake",
  description: "Turns the screen on and opens a lock screen that has no secret.",
  permission: "screen:write",
  effect: "write",
  timeoutMs: 30_000,
  input: z.strictObject({ observe }),
  output: z.object({ ...acted, awake: z.boolean(), locked: z.boolean() }),
  async handle(call, input) {
    const { awake, locked, secureLock } = await call.device.wake(call.signal);
    if (locked && secureLock)
      throw new CodedError("locked", "The screen is on, but the phone is locked with a secret.");
    const { observed, pictures } = await observeScreen(call, input.observe);
    return { output: { ok: awake && !locked, awake, locked, observed }, pictures };
  },
});

export const sleep = defineDeviceTool({
  name: "sleep",
  title: "Sleep",
  description: "Turns the screen off.",
  permission: "screen:write",
  effect: "write",
  timeoutMs: 20_000,
  input: z.strictObject({}),
  output: z.object({ ok, awake: z.boolean() }),
  async handle({ device, signal }) {
    const { awake } = await device.sleep(signal);
    return { output: { ok: !awake, awake } };
  },
});
