import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "../../shared/log.ts";
import { OptionError, type OptionSources, readOptions } from "../../shared/options.ts";
import { findAdbProgram, readServerProtocol } from "../adb/server/adb-program.ts";
import { createWebSocketDial } from "../link/dial.ts";
import { GatewayUrlError, toLinkUrl } from "../link/gateway-url.ts";
import { openTokenSource } from "../link/token-source.ts";
import { openPhones } from "../open-phones.ts";
import { createPolicy } from "../policy/policy.ts";
import { openPolicyFile } from "../policy/policy-file.ts";
import { policySchema } from "../policy/policy-schema.ts";
import { StartError } from "../start-error.ts";
import { createSystemClock } from "../system-clock.ts";
import { checkAdb } from "./check-adb.ts";
import { checkGateway } from "./check-gateway.ts";
import { checkPhones } from "./check-phones.ts";
import type { Finding } from "./finding.ts";
import { type DoctorConfig, doctorOptions } from "./options.ts";
import { tellFindings, tellFindingsAsJson } from "./tell.ts";

export interface RunDoctorInput extends OptionSources {
  stdout: (line: string) => void;
  stderr: (line: string) => void;
  /** In place of the phones by ADB. */
  openPhones?: typeof openPhones;
  /** In place of the program of that name on the PATH. */
  adb?: string;
}

/** Timers of the clock keep no process alive. */
const aWhileMs = 60_000;

/**
 * Looks at everything that the device agent needs, beside one that may be running. Resolves with the exit code: 0 when
 * everything can be used, 1 when something failed, 2 for settings that make no sense.
 */
export async function runDoctor(input: RunDoctorInput): Promise<number> {
  const keepAlive = setInterval(() => {}, aWhileMs);
  try {
    const config = readOptions(doctorOptions, input);
    const url = config.gateway === undefined ? undefined : toLinkUrl(config.gateway, config.allowInsecureHttp);
    const parts = [lookAtAdb(config, input.adb), lookAtPhones(config, input), lookAtGateway(config, url)];
    const findings = (await Promise.all(parts)).flat();
    for (const line of (config.json ? tellFindingsAsJson : tellFindings)(findings)) input.stdout(line);
    return findings.some(({ level }) => level === "fail") ? 1 : 0;
  } catch (thrown) {
    if (!(thrown instanceof OptionError || thrown instanceof GatewayUrlError)) throw thrown;
    const problems = thrown instanceof OptionError ? thrown.problems : [thrown.message];
    for (const problem of problems) input.stderr(`farhand device-agent doctor: ${problem}`);
    return 2;
  } finally {
    clearInterval(keepAlive);
  }
}

async function lookAtAdb(config: DoctorConfig, program: string | undefined): Promise<Finding[]> {
  if (config.phones === "direct") return [];
  const { adbSocket, adbHost, adbPort } = config;
  const address = adbSocket === undefined ? { host: adbHost, port: adbPort } : { path: adbSocket };
  const where = adbSocket ?? `${adbHost}:${adbPort}`;
  const hasOtherWay = config.phones === "auto" && config.direct.length > 0;
  const [found, serverProtocol] = await Promise.all([findAdbProgram(program), readServerProtocol(address)]);
  return checkAdb({ program: found, serverProtocol, where, hasOtherWay });
}

async function lookAtPhones(config: DoctorConfig, input: RunDoctorInput): Promise<Finding[]> {
  const clock = createSystemClock();
  const log = createLogger({ source: "doctor", level: "error", write: input.stderr, now: clock.now });
  const path = join(config.dataDir, "policy.json");
  const broken: Finding[] = [];
  const file = await openPolicyFile({ file: path, clock, log }).catch((thrown: unknown) => {
    if (!(thrown instanceof StartError)) throw thrown;
    broken.push(brokenPolicy(thrown));
  });
  const rules = file?.rules ?? (() => policySchema.parse({}));
  const policy = createPolicy({ rules, grants: { all: config.allow, bySerial: config.allowFor }, path });
  const key = await borrowKey(config.dataDir);
  const open = input.openPhones ?? openPhones;
  const asConfig = { ...config, gateway: config.gateway ?? "" };
  const phones = await open(asConfig, { clock, random: Math.random, log, asGuest: true, keyFile: key.file });
  try {
    await phones.start();
    return [...broken, ...(await checkPhones(phones, policy))];
  } finally {
    file?.stop();
    await phones.stop();
    await key.giveBack();
  }
}

function brokenPolicy({ message }: StartError): Finding {
  const fix = "Correct the file; a device agent that runs already keeps to its last good rules.";
  return { level: "fail", subject: "device agent", check: "policy", message: `${message}.`, fix };
}

/** Phones that are dialled know the device agent by its key. Without one, a key for this look alone does. */
async function borrowKey(dataDir: string): Promise<{ file: string; giveBack(): Promise<void> }> {
  const own = join(dataDir, "adbkey");
  if (existsSync(own)) return { file: own, giveBack: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "farhand-doctor-"));
  return { file: join(folder, "adbkey"), giveBack: () => rm(folder, { recursive: true, force: true }) };
}

async function lookAtGateway(config: DoctorConfig, url: string | undefined): Promise<Finding[]> {
  if (url === undefined) {
    const message = "No gateway was named, so the way to it was not looked at.";
    return [{ level: "warn", subject: "gateway", check: "gateway", message, fix: "Give --gateway URL." }];
  }
  const sight = { clock: createSystemClock(), dial: createWebSocketDial(), fetch, url };
  const isGiven = config.token !== undefined || config.tokenFile !== undefined;
  const token = isGiven ? await readToken(config) : undefined;
  if (token instanceof StartError) {
    const fix = "Let --token-file name a file that this user can read and that holds the token alone.";
    const unreadable: Finding = {
      level: "fail",
      subject: "gateway",
      check: "token",
      message: `${token.message}.`,
      fix,
    };
    return [
      ...(await checkGateway({ ...sight, token: undefined })).filter(({ check }) => check !== "token"),
      unreadable,
    ];
  }
  return checkGateway({ ...sight, token });
}

async function readToken(config: DoctorConfig): Promise<string | StartError> {
  try {
    return await (await openTokenSource(config))();
  } catch (thrown) {
    if (thrown instanceof StartError) return thrown;
    throw thrown;
  }
}
