import { lookup } from "node:dns/promises";
import { join } from "node:path";
import type { Clock } from "../shared/clock.ts";
import { limits } from "../shared/limits.ts";
import type { Logger } from "../shared/log.ts";
import { isPublicAddress } from "../shared/outgoing/public-address.ts";
import { createAdbPhones } from "./adb/adb-phones.ts";
import { bundledScrcpyServer } from "./adb/scrcpy/scrcpy-server-file.ts";
import type { DeviceAgentConfig } from "./config.ts";
import { defaultOcrDir } from "./ocr/add-on.ts";
import { createProcessTextReader } from "./ocr/process-text-reader.ts";
import { createDownloads } from "./outgoing/downloads.ts";
import { createSafeFetch } from "./outgoing/safe-fetch.ts";
import type { Phones } from "./phones.ts";
import { createPictureEncoder } from "./pictures/create-picture-encoder.ts";

export interface OpenPhonesDeps {
  clock: Clock;
  random: () => number;
  log: Logger;
  /** Nothing is started and nothing is written: another device agent may be at work with the same phones. */
  asGuest?: true;
  /** In place of the one in the data directory. */
  keyFile?: string;
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
  const safeFetch = createSafeFetch({
    clock,
    resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    isPublic: isPublicAddress,
    trustedOrigins: new Set(config.installFrom),
  });
  const folder = join(config.dataDir, "downloads");
  return createAdbPhones({
    downloads: createDownloads({ folder, safeFetch, now: clock.now, maxBytes: limits.downloadBytes }),
    clock,
    random,
    logger: log,
    encoder,
    textReader: createProcessTextReader({ ocrDir: config.ocrDir ?? defaultOcrDir(), clock, logger: log }),
    ...(config.phones === "direct" ? {} : { server, startAdbServer: !deps.asGuest }),
    direct: config.phones === "adb" ? [] : config.direct,
    keyFile: deps.keyFile ?? join(config.dataDir, "adbkey"),
    ...(deps.asGuest
      ? {}
      : { memoryFile: join(config.dataDir, "phones.json"), putBackFile: join(config.dataDir, "put-back.json") }),
    ...(config.helperKeyboard === undefined ? {} : { helperKeyboard: config.helperKeyboard }),
    ...(scrcpyServerFile === undefined ? {} : { scrcpyServerFile }),
  });
}
