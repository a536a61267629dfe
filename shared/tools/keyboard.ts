import { z } from "zod";
import { CodedError } from "../errors.ts";
import { limits } from "../limits.ts";
import { atDisplay, tellDisplay } from "../screen/at-display.ts";
import { observeScreen } from "../screen/observe.ts";
import { awakeStatus } from "../screen/reach.ts";
import { defineDeviceTool } from "./define-tool.ts";
import { acted, key, keyDisplay, observe, ok, route, toldDisplay } from "./fields.ts";
import { forPeople } from "./json-schema.ts";

export const pressKey = defineDeviceTool({
  name: "press_key",
  title: "Press key",
  description: "Presses a key, for example back, home, recent, enter, delete or volume_up.",
  permission: "screen:write",
  effect: "write",
  timeoutMs: 40_000,
  input: z.strictObject({
    key,
    times: z.number().int().min(1).max(50).default(1).meta(forPeople("How often.")),
    display: keyDisplay,
    observe,
  }),
  output: z.object({ ...acted, route, display: toldDisplay }),
  async handle(anywhere, input) {
    const call = atDisplay(anywhere, input.display);
    let way = "";
    for (let pressed = 0; pressed < input.times; pressed++) {
      way = await call.device.pressKey(input.key, call.signal);
      if (input.times > 1) call.progress(pressed + 1, input.times, "Pressing the key");
    }
    const { observed, pictures } = await observeScreen(call, input.observe);
    return { output: { ok: true, route: way, ...tellDisplay(input.display), observed }, pictures };
  },
});

export const typeText = defineDeviceTool({
  name: "type_text",
  title: "Type text",
  description: "Types a text, any language and emoji, into the focused field exactly as given and reads it back.",
  permission: "screen:write",
  effect: "write",
  timeoutMs: 45_000,
  input: z.strictObject({
    text: z.string().min(1).max(limits.typedTextChars).meta(forPeople("Any Unicode, newlines too.")),
    submit: z.boolean().default(false).describe("Press enter afterwards."),
    display: keyDisplay,
    observe,
  }),
  output: z.object({
    ...acted,
    verified: z.string(),
    characters: z.number(),
    route: z.string(),
    display: toldDisplay,
  }),
  async handle(anywhere, input) {
    const call = atDisplay(anywhere, input.display);
    await awakeStatus(call);
    const typed = await call.device.typeText(input.text, call.signal);
    if (input.submit) await call.device.pressKey("enter", call.signal);
    const { observed, pictures } = await observeScreen(call, input.observe);
    const characters = [...input.text].length;
    const route = typed.clipboardEmptied ? `${typed.route}, which held no text before and is empty now` : typed.route;
    const told = { verified: typed.verified, characters, route, ...tellDisplay(input.display) };
    return { output: { ok: typed.verified !== "false", ...told, observed }, pictures };
  },
});

export const setClipboard = defineDeviceTool({
  name: "set_clipboard",
  title: "Set clipboard",
  description: "Puts a text on the phone's clipboard and reads it back.",
  permission: "screen:write",
  effect: "write",
  timeoutMs: 20_000,
  input: z.strictObject({ text: z.string().max(limits.typedTextChars).meta(forPeople("Any Unicode; may be empty.")) }),
  output: z.object({ ok, verified: z.boolean(), characters: z.number() }),
  async handle(call, { text }) {
    const held = await call.device.writeClipboard(text, call.signal);
    if (held !== text)
      throw new CodedError("clipboard_unavailable", "The phone's clipboard does not hold the text that was written.");
    return { output: { ok: true, verified: true, characters: [...text].length } };
  },
});
