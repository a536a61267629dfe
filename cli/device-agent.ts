import { deviceAgentOptions } from "../device-agent/config.ts";
import { runDeviceAgent } from "../device-agent/main.ts";
import type { Command } from "./commands.ts";

export const deviceAgentCommand: Command = {
  summary: "Starts the device agent: it runs next to the phones and dials out to a gateway.",
  options: deviceAgentOptions,
  run: runDeviceAgent,
};
