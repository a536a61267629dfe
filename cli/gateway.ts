import { gatewayOptions } from "../gateway/node/config.ts";
import type { Command } from "./commands.ts";

export const gatewayCommand: Command = {
  summary: "Starts the gateway: the address that AI clients and device agents connect to.",
  options: gatewayOptions,
  // Loaded when it is wanted: the other commands start faster without it.
  run: async (input) => (await import("../gateway/node/main.ts")).runGateway(input),
};
