import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildIdentity, readBuildIdentity } from "../shared/build-identity.ts";
import type { Clock } from "../shared/clock.ts";
import { createLogger, type Logger } from "../shared/log.ts";
import { OptionError, type OptionSources, readOptions } from "../shared/options.ts";
import { deviceTools } from "../shared/tools/catalog.ts";
import { toolDigests } from "../shared/tools/digest.ts";
import { createAnnouncer } from "./announcer.ts";
import { openAuditFile } from "./audit/audit-file.ts";
import { type DeviceAgentConfig, deviceAgentOptions } from "./config.ts";
import { createDeviceAgent } from "./device-agent.ts";
import { prepareDataDir } from "./identity/data-dir.ts";
import { openIdentityFile } from "./identity/identity-file.ts";
import { acquireLock } from "./identity/lock-file.ts";
import { openFileJournal } from "./journal/file-journal.ts";
import { createLeaseFile } from "./leases/lease-file.ts";
import { createLeases } from "./leases/leases.ts";
import { createWebSocketDial } from "./link/dial.ts";
import { GatewayUrlError, toLinkUrl } from "./link/gateway-url.ts";
import { openTokenSource, type TokenSource } from "./link/token-source.ts";
import { openPhones } from "./open-phones.ts";
import type { Phones } from "./phones.ts";
import { createPolicy } from "./policy/policy.ts";
import { openPolicyFile } from "./policy/policy-file.ts";
import { randomId } from "./random-id.ts";
import { openSpool } from "./spool/file-spool.ts";
import { createFileStreams } from "./spool/file-streams.ts";
import type { Spool } from "./spool/spool.ts";
import { StartError } from "./start-error.ts";
import { createSystemClock } from "./system-clock.ts";
import { createChatExecutor } from "./tasks/executors/chat.ts";
import { createStepsExecutor } from "./tasks/executors/steps.ts";
import { openTaskJournal } from "./tasks/task-journal.ts";

export interface RunDeviceAgentInput extends OptionSources {
  version: string;
  stdout: (line: string) => void;
  stderr: (line: string) => void;
  /** Aborts when the process is asked to stop. */
  stop: AbortSignal;
  /** In place of the phones by ADB. */
  openPhones?: typeof openPhones;
}

/** Timers of the clock keep no process alive, and between two attempts to dial there is nothing else. */
const aWhileMs = 60_000;

/** Runs the device agent until it is asked to stop. Resolves with the exit code: 0, or 2 when it cannot start. */
export async function runDeviceAgent(input: RunDeviceAgentInput): Promise<number> {
  const keepAlive = setInterval(() => {}, aWhileMs);
  try {
    const config = readOptions(deviceAgentOptions, input);
    const url = toLinkUrl(config.gateway, config.allowInsecureHttp);
    const token = await openTokenSource(config);
    await prepareDataDir(config.dataDir);
    const lock = await acquireLock(join(config.dataDir, "device-agent.lock"));
    try {
      await runLocked(input, config, url, token);
    } finally {
      await lock.release();
    }
    return 0;
  } catch (thrown) {
    for (const problem of problemsOf(thrown)) input.stderr(`farhand device-agent: ${problem}`);
    return 2;
  } finally {
    clearInterval(keepAlive);
  }
}

async function runLocked(
  input: RunDeviceAgentInput,
  config: DeviceAgentConfig,
  url: string,
  token: TokenSource,
): Promise<void> {
  const clock = createSystemClock();
  const log = createLogger({ source: "device-agent", level: config.logLevel, write: input.stderr, now: clock.now });
  const inDataDir = (name: string) => join(config.dataDir, name);
  const identity = await openIdentityFile({ file: inDataDir("device-agent.json"), randomId });
  const policyFile = await openPolicyFile({ file: inDataDir("policy.json"), clock, log });
  const journal = await openFileJournal({
    file: inDataDir("journal.jsonl"),
    now: clock.now,
    bootId: identity.bootId,
    log,
  });
  const taskJournal = await openTaskJournal({ file: inDataDir("tasks.jsonl"), log });
  const audit = await openAuditFile({ file: inDataDir("audit.jsonl"), log });
  const leaseFile = createLeaseFile({ path: inDataDir("leases.json"), log });
  const leases = createLeases({
    clock,
    log,
    file: leaseFile,
    kept: await leaseFile.read(),
    newId: () => `lease_${randomId(20)}`,
  });
  const spool = await openSpoolIn(inDataDir("spool"), { clock, log });
  const announcer = createAnnouncer({ json: config.json, gateway: config.gateway, stdout: input.stdout, log });
  const deviceAgent = createDeviceAgent({
    clock,
    random: Math.random,
    randomId,
    log,
    version: input.version,
    build: await buildOf(input.version),
    name: config.name,
    identity,
    phones: await phonesOf(input, config, log),
    tools: deviceTools,
    toolDigests: await toolDigests(deviceTools),
    streamSources: createFileStreams({ spool, audit, clock }),
    spool,
    policy: createPolicy({
      rules: policyFile.rules,
      grants: { all: config.allow, bySerial: config.allowFor },
      path: inDataDir("policy.json"),
    }),
    leases,
    journal,
    taskJournal,
    executors: new Map([
      ["steps", createStepsExecutor()],
      ["chat", createChatExecutor()],
    ]),
    audit,
    dial: createWebSocketDial(),
    url,
    token,
    events: announcer,
  });
  announcer.started(input.version, config.dataDir);
  await deviceAgent.start();
  await untilStopped(input.stop);
  await deviceAgent.stop();
  policyFile.stop();
  await spool.stop();
  await Promise.all([journal.close(), taskJournal.close(), audit.close()]);
}

async function openSpoolIn(folder: string, { clock, log }: { clock: Clock; log: Logger }): Promise<Spool> {
  return openSpool({ folder, clock, log, randomId }).catch((cause: unknown) => {
    throw new StartError(`cannot use the folder ${folder}`, cause);
  });
}

function buildOf(version: string): Promise<BuildIdentity> {
  const { argv, platform, arch, version: nodeVersion } = process;
  const about = { version, file: argv[1], platform, arch, nodeVersion, userId: process.getuid?.() };
  const stampFile = fileURLToPath(new URL("../build.json", import.meta.url));
  return readBuildIdentity({ ...about, stampFile, read: readFile });
}

function phonesOf(input: RunDeviceAgentInput, config: DeviceAgentConfig, log: Logger): Promise<Phones> {
  const open = input.openPhones ?? openPhones;
  return open(config, { clock: createSystemClock(), random: Math.random, log });
}

function untilStopped(stop: AbortSignal): Promise<void> {
  if (stop.aborted) return Promise.resolve();
  return new Promise((resolve) => stop.addEventListener("abort", () => resolve(), { once: true }));
}

/** What a person can do something about, a line each; anything else is a fault of ours and thrown on. */
function problemsOf(thrown: unknown): string[] {
  if (thrown instanceof OptionError) return thrown.problems;
  if (thrown instanceof StartError || thrown instanceof GatewayUrlError) return [thrown.message];
  throw thrown;
}
