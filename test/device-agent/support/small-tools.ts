import { z } from "zod";
import { type DeviceTool, defineDeviceTool } from "../../../shared/tools/define-tool.ts";

const rest = { title: "Small", description: "For tests.", timeoutMs: 40_000 };

/** A read, a write, one that names an app, and one that is dangerous. */
export const smallTools: readonly DeviceTool[] = [
  defineDeviceTool({
    ...rest,
    name: "look",
    permission: "screen:read",
    effect: "read",
    input: z.strictObject({}),
    output: z.object({ width: z.number() }),
    handle: async ({ device, signal }) => ({ output: { width: (await device.status(signal)).size.width } }),
  }),
  defineDeviceTool({
    ...rest,
    name: "tap",
    permission: "screen:write",
    effect: "write",
    input: z.strictObject({ x: z.number(), y: z.number() }),
    output: z.object({ ok: z.boolean() }),
    async handle({ device, signal }, { x, y }) {
      await device.tap({ x, y }, signal);
      return { output: { ok: true } };
    },
  }),
  defineDeviceTool({
    ...rest,
    name: "open_app",
    permission: "screen:write",
    effect: "write",
    input: z.strictObject({ package: z.string() }),
    output: z.object({ ok: z.boolean() }),
    async handle({ device, signal }, input) {
      await device.startApp(input.package, signal);
      return { output: { ok: true } };
    },
  }),
  defineDeviceTool({
    ...rest,
    name: "type_text",
    permission: "screen:write",
    effect: "write",
    input: z.strictObject({ text: z.string() }),
    output: z.object({ ok: z.boolean() }),
    async handle({ device, signal }, { text }) {
      await device.typeText(text, signal);
      return { output: { ok: true } };
    },
  }),
  defineDeviceTool({
    ...rest,
    name: "count",
    permission: "screen:read",
    effect: "read",
    input: z.strictObject({ values: z.array(z.number()), every_ms: z.number() }),
    output: z.object({ ok: z.boolean() }),
    async handle({ progress, pause }, input) {
      for (const value of input.values) {
        progress(value, 100, `at ${value}`);
        await pause(input.every_ms);
      }
      return { output: { ok: true } };
    },
  }),
  defineDeviceTool({
    ...rest,
    name: "wipe",
    permission: "device:danger",
    effect: "destroy",
    input: z.strictObject({}),
    output: z.object({ ok: z.boolean() }),
    handle: async () => ({ output: { ok: true } }),
  }),
];
