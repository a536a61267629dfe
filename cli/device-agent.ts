import { deviceAgentOptions } from "../device-agent/config.ts";
import type { Command } from "./commands.ts";

export const deviceAgentCommand: Command = {
  summary: "Starts the device agent: it runs next to the phones and dials out to a gateway.",
  options: deviceAgentOptions,
  // Loaded when it is wanted: the other commands start faster without it.
  run: async (input) => (await import("../device-agent/main.ts")).runDeviceAgent(input),
};
