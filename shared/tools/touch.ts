import { z } from "zod";
import { observeScreen } from "../screen/observe.ts";
import { awakeStatus, shownPoint, trySnap } from "../screen/reach.ts";
import { quoteScreenText } from "../screen/untrusted-text.ts";
import { type DeviceCall, defineDeviceTool } from "./define-tool.ts";
import { acted, coordinate, observe, screenshotId, snapSwitch } from "./fields.ts";
import { forPeople } from "./json-schema.ts";

const place = { x: coordinate, y: coordinate, screenshot_id: screenshotId };
const touched = z.object({
  ...acted,
  x: z.number(),
  y: z.number(),
  snapped: z.boolean(),
  label: z.string().optional(),
});

interface Place {
  x: number;
  y: number;
  screenshot_id?: string | undefined;
  snap: boolean;
}

/** Where a touch at a picture's point really goes, and how that is told. */
async function aim(call: DeviceCall, input: Place) {
  const status = await awakeStatus(call);
  const point = call.pictures.locate(input, input.screenshot_id, status);
  const snapped = await trySnap(call, input.snap, point);
  const target = snapped?.point ?? point;
  const told = { ...shownPoint(call, target, status), snapped: snapped?.moved ?? false };
  return { target, told: snapped ? { ...told, label: quoteScreenText(snapped.element.label) } : told };
}

export const tap = defineDeviceTool({
  name: "tap",
  title: "Tap",
  description: "Taps a point of a picture you got. Prefer tap_text or tap_element.",
  permission: "screen:write",
  effect: "write",
  timeoutMs: 40_000,
  input: z.strictObject({ ...place, snap: snapSwitch, observe }),
  output: touched,
  async handle(call, input) {
    const { target, told } = await aim(call, input);
    await call.device.tap(target, call.signal);
    const { observed, pictures } = await observeScreen(call, input.observe);
    return { output: { ok: true, ...told, observed }, pictures };
  },
});

export const longPress = defineDeviceTool({
  name: "long_press",
  title: "Long press",
  description: "Presses and holds a point of a picture you got.",
  permission: "screen:write",
  effect: "write",
  timeoutMs: 40_000,
  input: z.strictObject({
    ...place,
    duration_ms: z.number().int().min(300).max(10_000).default(800).meta(forPeople("How long to hold.")),
    snap: snapSwitch,
    observe,
  }),
  output: touched,
  async handle(call, input) {
    const { target, told } = await aim(call, input);
    await call.device.swipe(target, target, input.duration_ms, call.signal);
    const { observed, pictures } = await observeScreen(call, input.observe);
    return { output: { ok: true, ...told, observed }, pictures };
  },
});

export const swipe = defineDeviceTool({
  name: "swipe",
  title: "Swipe",
  description: "Swipes between two points of a picture you got; from low to high scrolls down.",
  permission: "screen:write",
  effect: "write",
  timeoutMs: 40_000,
  input: z.strictObject({
    x: coordinate,
    y: coordinate,
    to_x: coordinate,
    to_y: coordinate,
    duration_ms: z
      .number()
      .int()
      .min(50)
      .max(10_000)
      .default(400)
      .meta(forPeople("How long the way takes; short is a fling.")),
    screenshot_id: screenshotId,
    observe,
  }),
  output: z.object(acted),
  async handle(call, input) {
    const status = await awakeStatus(call);
    const from = call.pictures.locate(input, input.screenshot_id, status);
    const to = call.pictures.locate({ x: input.to_x, y: input.to_y }, input.screenshot_id, status);
    await call.device.swipe(from, to, input.duration_ms, call.signal);
    const { observed, pictures } = await observeScreen(call, input.observe);
    return { output: { ok: true, observed }, pictures };
  },
});
