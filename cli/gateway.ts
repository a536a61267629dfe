import { gatewayOptions } from "../gateway/node/config.ts";
import { runGateway } from "../gateway/node/main.ts";
import type { Command } from "./commands.ts";

export const gatewayCommand: Command = {
  summary: "Starts the gateway: the address that AI clients and device agents connect to.",
  options: gatewayOptions,
  run: runGateway,
};
