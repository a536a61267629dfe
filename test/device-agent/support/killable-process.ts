import { appendFileSync } from "node:fs";
import { runDeviceAgent } from "../../../device-agent/main.ts";
import { FakeDevice } from "../../support/fake-device.ts";
import { FakePhones } from "../../support/fake-phones.ts";

/**
 * The whole device agent as a process of its own, with a fake phone that notes each key press in a file. Pressing
 * `camera` never ends: the moment to kill the process. Arguments: gateway, data directory, file of presses.
 */
const [, , gateway = "", dataDir = "", presses = ""] = process.argv;
const device = new FakeDevice();
const pressKey = device.pressKey.bind(device);
device.pressKey = async (key, signal) => {
  const route = await pressKey(key, signal);
  appendFileSync(presses, `${key}\n`);
  if (key === "camera") await new Promise(() => {});
  return route;
};
const phones = new FakePhones();
phones.plug("a", device);

const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
process.exitCode = await runDeviceAgent({
  flags: { gateway, dataDir, allow: "write", json: true },
  env: process.env,
  file: {},
  version: "0.1.0",
  stdout: (line) => process.stdout.write(`${line}\n`),
  stderr: (line) => process.stderr.write(`${line}\n`),
  stop: stop.signal,
  openPhones: async () => phones,
});
