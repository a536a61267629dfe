import { z } from "zod";
import { CodedError } from "../errors.ts";
import { atDisplay, pictureDisplay, type ScreenCall, tellDisplay } from "../screen/at-display.ts";
import { observeScreen } from "../screen/observe.ts";
import { awakeStatus, shownPoint, trySnap } from "../screen/reach.ts";
import { quoteScreenText } from "../screen/untrusted-text.ts";
import { type DeviceCall, defineDeviceTool } from "./define-tool.ts";
import { acted, coordinate, observe, route, screenshotId, snapSwitch, toldDisplay } from "./fields.ts";
import { forPeople } from "./json-schema.ts";

const place = { x: coordinate, y: coordinate, screenshot_id: screenshotId };
const touched = z.object({
  ...acted,
  x: z.number(),
  y: z.number(),
  snapped: z.boolean(),
  label: z.string().optional(),
  route,
  display: toldDisplay,
});

interface Place {
  x: number;
  y: number;
  screenshot_id?: string | undefined;
  snap: boolean;
}

/** The call for the display of the picture in which the coordinates are, and how that display is told. */
function atPicture(call: DeviceCall, screenshotId: string | undefined) {
  const display = pictureDisplay(call, screenshotId);
  return { at: atDisplay(call, display), told: tellDisplay(display) };
}

/** Where a touch at a picture's point really goes, and how that is told. */
async function aim(call: ScreenCall, input: Place) {
  const status = await awakeStatus(call);
  const point = call.pictures.locate(input, input.screenshot_id, status);
  const snapped = await trySnap(call, input.snap, point, status);
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
    const { at, told: where } = atPicture(call, input.screenshot_id);
    const { target, told } = await aim(at, input);
    const way = await at.device.tap(target, call.signal);
    const { observed, pictures } = await observeScreen(at, input.observe);
    return { output: { ok: true, ...told, ...where, route: way, observed }, pictures };
  },
});

export const doubleTap = defineDeviceTool({
  name: "double_tap",
  title: "Double tap",
  description: "Taps a point of a picture twice, quickly enough to count as one double tap.",
  permission: "screen:write",
  effect: "write",
  timeoutMs: 40_000,
  input: z.strictObject({ ...place, snap: snapSwitch, observe }),
  output: touched,
  async handle(call, input) {
    const { at, told: where } = atPicture(call, input.screenshot_id);
    const { target, told } = await aim(at, input);
    const way = await at.device.doubleTap(target, call.signal);
    const { observed, pictures } = await observeScreen(at, input.observe);
    return { output: { ok: true, ...told, ...where, route: way, observed }, pictures };
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
    const { at, told: where } = atPicture(call, input.screenshot_id);
    const { target, told } = await aim(at, input);
    const way = await at.device.swipe(target, target, input.duration_ms, call.signal);
    const { observed, pictures } = await observeScreen(at, input.observe);
    return { output: { ok: true, ...told, ...where, route: way, observed }, pictures };
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
  output: z.object({ ...acted, route, display: toldDisplay }),
  async handle(call, input) {
    const { at, told } = atPicture(call, input.screenshot_id);
    const status = await awakeStatus(at);
    const from = call.pictures.locate(input, input.screenshot_id, status);
    const to = call.pictures.locate({ x: input.to_x, y: input.to_y }, input.screenshot_id, status);
    const way = await at.device.swipe(from, to, input.duration_ms, call.signal);
    const { observed, pictures } = await observeScreen(at, input.observe);
    return { output: { ok: true, ...told, route: way, observed }, pictures };
  },
});

export const pinch = defineDeviceTool({
  name: "pinch",
  title: "Pinch",
  description: "Moves two fingers around a point of a picture: scale above 1 zooms in, below 1 out.",
  permission: "screen:write",
  effect: "write",
  timeoutMs: 40_000,
  input: z.strictObject({
    x: coordinate,
    y: coordinate,
    scale: z.number().min(0.1).max(10).meta(forPeople("How the fingers' distance changes, for example 2 or 0.5.")),
    screenshot_id: screenshotId,
    observe,
  }),
  output: z.object({ ...acted, route, display: toldDisplay }),
  async handle(call, input) {
    const { at, told } = atPicture(call, input.screenshot_id);
    const status = await awakeStatus(at);
    const centre = call.pictures.locate(input, input.screenshot_id, status);
    if (Math.abs(input.scale - 1) < 0.05) {
      throw new CodedError(
        "invalid_argument",
        "A scale of about 1 moves nothing: use more than 1.05 or less than 0.95.",
      );
    }
    const way = await at.device.pinch(centre, input.scale, call.signal);
    const { observed, pictures } = await observeScreen(at, input.observe);
    return { output: { ok: true, ...told, route: way, observed }, pictures };
  },
});
