import { runDeviceAgent } from "../../../device-agent/main.ts";

/** The whole device agent as a process of its own, with the phones of its options. Argument: flags as JSON. */
const [, , flags = "{}"] = process.argv;
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
process.exitCode = await runDeviceAgent({
  flags: JSON.parse(flags),
  env: process.env,
  file: {},
  version: "0.1.0",
  stdout: (line) => process.stdout.write(`${line}\n`),
  stderr: (line) => process.stderr.write(`${line}\n`),
  stop: stop.signal,
});
