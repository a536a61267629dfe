import { deviceAgentOptions } from "../device-agent/config.ts";
import { doctorOptions } from "../device-agent/doctor/options.ts";
import type { Command } from "./commands.ts";

const doctor: Command = {
  summary: "Looks at adb, the phones and the way to the gateway, and says which switch to flip.",
  options: doctorOptions,
  run: async (input) => (await import("../device-agent/doctor/run-doctor.ts")).runDoctor(input),
};

export const deviceAgentCommand: Command = {
  summary: "Starts the device agent: it runs next to the phones and dials out to a gateway.",
  options: deviceAgentOptions,
  // Loaded when it is wanted: the other commands start faster without it.
  run: async (input) => (await import("../device-agent/main.ts")).runDeviceAgent(input),
  subcommands: { doctor },
};
