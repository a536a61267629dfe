import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildIdentity, readBuildIdentity } from "../../shared/build-identity.ts";
import { createLogger } from "../../shared/log.ts";
import { OptionError, type OptionSources } from "../../shared/options.ts";
import { staticTokenPattern } from "../auth/static-token.ts";
import { type GatewayConfig, readGatewayConfig } from "./config.ts";
import { keepSecret, prepareDataDirectory } from "./data-directory.ts";
import { locateDatabase } from "./database-file.ts";
import { takeLock } from "./lock.ts";
import { type RunningGateway, startGateway } from "./start.ts";
import { StartError } from "./start-error.ts";
import { systemClock } from "./system-clock.ts";

export interface RunGatewayOptions extends OptionSources {
  version: string;
  stdout: (line: string) => void;
  stderr: (line: string) => void;
  /** Aborts when the process is asked to stop (SIGTERM, Ctrl-C). */
  stop: AbortSignal;
}

/** Runs the Node gateway until `stop` aborts; resolves with the exit code: 0, or 2 for what the user can put right. */
export async function runGateway(options: RunGatewayOptions): Promise<number> {
  const { stderr, stop } = options;
  try {
    const config = readGatewayConfig(options);
    const log = createLogger({ source: "gateway", level: config.logLevel, write: stderr, now: () => Date.now() });
    await prepareDataDirectory(config.dataDir);
    const locks = [await takeLock(join(config.dataDir, "gateway.lock"), "The data directory")];
    try {
      const { file } = await locateDatabase(config);
      if (file !== null) locks.push(await takeLock(`${file}.lock`, "The database"));
      const token = await tokenOf(config);
      const running = await startGateway({
        config,
        token: token.value,
        version: options.version,
        build: await buildOf(options.version),
        log,
        clock: systemClock,
      });
      announce(config.json, options.stdout, running, token);
      await aborted(stop);
      await running.stop();
      return 0;
    } finally {
      for (const unlock of locks.reverse()) await unlock();
    }
  } catch (error) {
    return explain(error, stderr);
  }
}

function buildOf(version: string): Promise<BuildIdentity> {
  const { argv, platform, arch, version: nodeVersion } = process;
  const about = { version, file: argv[1], platform, arch, nodeVersion, userId: process.getuid?.() };
  const stampFile = fileURLToPath(new URL("../../build.json", import.meta.url));
  return readBuildIdentity({ ...about, stampFile, read: readFile });
}

interface Token {
  value: string;
  /** A token that the operator gave is never printed. */
  given: boolean;
}

async function tokenOf({ token, dataDir }: GatewayConfig): Promise<Token> {
  if (token !== undefined) return { value: token, given: true };
  const path = join(dataDir, "token");
  const value = await keepSecret(path, () => randomBytes(32).toString("base64url"));
  if (staticTokenPattern.test(value)) return { value, given: false };
  throw new StartError(`The file ${path} does not hold a token; remove it, and a new one is made.`);
}

function announce(
  json: boolean,
  stdout: (line: string) => void,
  { url, local }: RunningGateway,
  { value, given }: Token,
): void {
  const mcp = `${url}/mcp`;
  const a2a = `${url}/a2a`;
  if (json) {
    stdout(
      JSON.stringify({
        event: "listening",
        url,
        mcp,
        a2a,
        local,
        localMcp: `${local}/mcp`,
        ...(given ? {} : { token: value }),
      }),
    );
    return;
  }
  stdout(`Gateway:  ${url}`);
  stdout(`MCP:      ${mcp}`);
  stdout(`A2A:      ${a2a}`);
  if (!given) stdout(`Token:    ${value}`);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    // A timer keeps the process alive should nothing else do so.
    const alive = setInterval(() => {}, 60_000);
    signal.addEventListener(
      "abort",
      () => {
        clearInterval(alive);
        resolve();
      },
      { once: true },
    );
  });
}

function explain(error: unknown, stderr: (line: string) => void): number {
  if (error instanceof OptionError) {
    for (const problem of error.problems) stderr(`farhand gateway: ${problem}`);
    return 2;
  }
  if (error instanceof StartError) {
    stderr(`farhand gateway: ${error.message}`);
    return 2;
  }
  throw error;
}
