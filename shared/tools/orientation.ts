import { z } from "zod";
import { observeScreen } from "../screen/observe.ts";
import { defineDeviceTool } from "./define-tool.ts";
import { acted, observe } from "./fields.ts";
import { forPeople } from "./json-schema.ts";

const orientations = ["portrait", "landscape", "reverse_portrait", "reverse_landscape", "auto"] as const;

export const setOrientation = defineDeviceTool({
  name: "set_orientation",
  title: "Set orientation",
  description: "Turns the screen and holds it so, or lets it follow the phone again (auto).",
  permission: "screen:write",
  effect: "write",
  timeoutMs: 30_000,
  input: z.strictObject({ orientation: z.enum(orientations).meta(forPeople("How the screen is to stand.")), observe }),
  output: z.object({
    ...acted,
    orientation: z.string(),
    rotation: z.number(),
    width: z.number(),
    height: z.number(),
    warning: z.string().optional(),
  }),
  async handle(call, input) {
    const reached = await call.device.setOrientation(input.orientation, call.signal);
    const { observed, pictures } = await observeScreen(call, input.observe);
    const ok = input.orientation === "auto" || reached.orientation === input.orientation;
    const { orientation, rotation, size } = reached;
    const output = { ok, orientation, rotation, width: size.width, height: size.height, observed };
    return { output: ok ? output : { ...output, warning: kept }, pictures };
  },
});

const kept = "The setting was made, but the app in front or the phone keeps its own orientation.";
