import { z } from "zod";
import { observeScreen } from "../screen/observe.ts";
import { checkAddress } from "./address.ts";
import { defineDeviceTool } from "./define-tool.ts";
import { acted, observe } from "./fields.ts";
import { forPeople } from "./json-schema.ts";

export const openUrl = defineDeviceTool({
  name: "open_url",
  title: "Open address",
  description: "Opens a web, geo, mailto, tel, sms or market address in the app for it; nothing is called or sent.",
  permission: "screen:write",
  effect: "write",
  timeoutMs: 40_000,
  input: z.strictObject({ url: z.string().min(1).meta(forPeople("The address, with its scheme.")), observe }),
  output: z.object({
    ...acted,
    package: z.string().nullable(),
    activity: z.string().nullable(),
    overlay: z.string().nullable(),
    chooser: z.boolean(),
  }),
  async handle(call, input) {
    const front = await call.device.openUrl(checkAddress(input.url), call.signal);
    const { observed, pictures } = await observeScreen(call, input.observe);
    const { packageName, activity, overlay } = front;
    const told = { package: packageName, activity, overlay, chooser: overlay === "chooser" };
    return { output: { ok: true, ...told, observed }, pictures };
  },
});
