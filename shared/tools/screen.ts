import { z } from "zod";
import { atDisplay, tellDisplay } from "../screen/at-display.ts";
import { lookAtBoth, lookAtPicture, tellTree } from "../screen/look.ts";
import { leastScore, tellTexts } from "../screen/pixel-text.ts";
import { quoteScreenText } from "../screen/untrusted-text.ts";
import { defineDeviceTool } from "./define-tool.ts";
import { display, lines, ok, pictureOptions, space, treeFields } from "./fields.ts";
import { forPeople } from "./json-schema.ts";

const treeLimit = (most: number) =>
  z.number().int().min(1).max(300).default(most).meta(forPeople("Most elements to list."));

export const takeScreenshot = defineDeviceTool({
  name: "take_screenshot",
  title: "Take screenshot",
  description: "Takes a picture of the phone's screen. Coordinates for tap and swipe are in this picture.",
  permission: "screen:read",
  effect: "read",
  timeoutMs: 30_000,
  input: z.strictObject({
    ...pictureOptions,
    if_changed_since: z.string().max(32).optional().describe("A screenshot_id: no picture if nothing changed since."),
    display,
  }),
  output: z.object({
    ok,
    unchanged: z.boolean().optional(),
    ...space,
    native_width: z.number(),
    native_height: z.number(),
    quality: z.number(),
    screen_state: z.string(),
  }),
  async handle(call, { if_changed_since: since, display: id, ...input }) {
    const { output, pictures } = await lookAtPicture(atDisplay(call, id), input, since);
    return { output: { ok: true, ...output, ...tellDisplay(id) }, pictures };
  },
});

export const readUiTree = defineDeviceTool({
  name: "read_ui_tree",
  title: "Read UI tree",
  description:
    "Lists the elements, one line each: ref, class, text, id, [left,top,right,bottom], flags; clickable ones first.",
  permission: "screen:read",
  effect: "read",
  timeoutMs: 30_000,
  input: z.strictObject({
    limit: treeLimit(150),
    offset: z.number().int().min(0).default(0).meta(forPeople("next_offset of the page before.")),
    display,
  }),
  output: z.object({ ok, ...space, ...treeFields }),
  async handle(call, { limit, offset, display: id }) {
    const at = atDisplay(call, id);
    const tree = await at.device.readTree(call.signal);
    return { output: { ok: true, ...tellTree(at, tree, { offset, limit }), ...tellDisplay(id) } };
  },
});

export const readScreen = defineDeviceTool({
  name: "read_screen",
  title: "Read screen",
  description: "Picture and element list of one moment, with the app in front. The best first look.",
  permission: "screen:read",
  effect: "read",
  timeoutMs: 45_000,
  input: z.strictObject({ limit: treeLimit(120), display }),
  output: z.object({
    ok,
    ...z.object(space).partial().shape,
    ...z.object(treeFields).partial().shape,
    app: z.string().nullable(),
    unstable: z.boolean(),
    cost_ms: z.number(),
    summary: z.string(),
    picture_error: z.looseObject({}).optional(),
    tree_error: z.looseObject({}).optional(),
  }),
  async handle(call, { limit, display: id }) {
    const at = atDisplay(call, id);
    const { output, pictures } = await lookAtBoth(at, limit);
    const front = await at.device.foreground(call.signal);
    const app = front.packageName;
    const cover = front.overlay ? ` under ${front.overlay}` : "";
    const summary = `${app ?? "An unknown app"} is in front${cover}, ${output.total ?? "no"} elements.`;
    return { output: { ok: true, ...output, ...tellDisplay(id), app, summary }, pictures };
  },
});

export const readText = defineDeviceTool({
  name: "read_text",
  title: "Read text",
  description: "Reads text in pixels (OCR), one line each: text, score, bounds. For what read_ui_tree lacks; slower.",
  permission: "screen:read",
  effect: "read",
  timeoutMs: 45_000,
  input: z.strictObject({
    min_score: z.number().min(0).max(1).default(leastScore).meta(forPeople("Leaves out readings less sure than this.")),
    display,
  }),
  output: z.object({
    ok,
    ...space,
    texts: lines,
    total: z.number(),
    truncated: z.boolean(),
    note: z.string(),
    screen_state: z.string(),
  }),
  async handle(call, { min_score: minScore, display: id }) {
    const at = atDisplay(call, id);
    const read = await at.device.readText(call.signal);
    return { output: { ok: true, ...tellTexts(at, read, minScore), ...tellDisplay(id) } };
  },
});

export const foregroundApp = defineDeviceTool({
  name: "foreground_app",
  title: "Foreground app",
  description: "Says which app is in front, and whether a lock screen, shade or permission dialog covers it.",
  permission: "screen:read",
  effect: "read",
  timeoutMs: 15_000,
  input: z.strictObject({}),
  output: z.object({
    ok,
    package: z.string().nullable(),
    activity: z.string().nullable(),
    overlay: z.string().nullable(),
    awake: z.boolean(),
    locked: z.boolean(),
  }),
  async handle({ device, signal }) {
    const [front, status] = [await device.foreground(signal), await device.status(signal)];
    return {
      output: {
        ok: true,
        package: front.packageName,
        activity: front.activity,
        overlay: front.overlay,
        awake: status.awake,
        locked: status.locked,
      },
    };
  },
});

export const readClipboard = defineDeviceTool({
  name: "read_clipboard",
  title: "Read clipboard",
  description: "Reads the text on the phone's clipboard; empty is an empty text, not an error.",
  permission: "screen:read",
  effect: "read",
  timeoutMs: 20_000,
  input: z.strictObject({}),
  output: z.object({ ok, text: z.string(), shown: z.string() }),
  async handle({ device, signal }) {
    const text = await device.readClipboard(signal);
    return { output: { ok: true, text, shown: quoteScreenText(text) } };
  },
});
