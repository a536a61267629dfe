import { join } from "node:path";
import type { Clock } from "../shared/clock.ts";
import type { Logger } from "../shared/log.ts";
import { createAdbPhones } from "./adb/adb-phones.ts";
import { bundledScrcpyServer } from "./adb/text/scrcpy-server-file.ts";
import type { DeviceAgentConfig } from "./config.ts";
import type { Phones } from "./phones.ts";
import { createPictureEncoder } from "./pictures/create-picture-encoder.ts";

export interface OpenPhonesDeps {
  clock: Clock;
  random: () => number;
  log: Logger;
}

/** The phones that the configuration asks for, by ADB. */
export async function openPhones(config: DeviceAgentConfig, deps: OpenPhonesDeps): Promise<Phones> {
  const { clock, random, log } = deps;
  const encoder = await createPictureEncoder((cause) =>
    log.warn("sharp cannot be used; pictures take longer", { cause }),
  );
  const { adbSocket, adbHost, adbPort } = config;
  const server = adbSocket === undefined ? { host: adbHost, port: adbPort } : { path: adbSocket };
  const scrcpyServerFile = config.scrcpyServer ?? bundledScrcpyServer();
  return createAdbPhones({
    clock,
    random,
    logger: log,
    encoder,
    ...(config.phones === "direct" ? {} : { server, startAdbServer: true }),
    direct: config.phones === "adb" ? [] : config.direct,
    keyFile: join(config.dataDir, "adbkey"),
    memoryFile: join(config.dataDir, "phones.json"),
    ...(scrcpyServerFile === undefined ? {} : { scrcpyServerFile }),
  });
}
