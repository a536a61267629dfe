import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deviceIdOf } from "../shared/device-id.ts";
import { type OptionValues, readOptions } from "../shared/options.ts";
import { countAdbPhones } from "./adb-server.ts";
import { announcement, type Ready } from "./announce.ts";
import { type Child, ChildEnded, startChild } from "./child.ts";
import type { Command, CommandInput } from "./commands.ts";
import { listDevices } from "./list-devices.ts";
import { type StartedPhone, startSimulatedPhones } from "./simulated-phones.ts";
import { upOptions } from "./up-options.ts";

type Options = OptionValues<typeof upOptions>;
type Env = Record<string, string | undefined>;

const program = fileURLToPath(new URL("main.js", import.meta.url));
const stopGraceMs = 8_000;
const startMs = 20_000;

export const up: Command = {
  summary: "Starts a gateway and a device agent here, with the phones of a local adb server or a simulated one.",
  options: upOptions,
  async run(input) {
    const children: Child[] = [];
    try {
      await start(readOptions(upOptions, input), input, (child) => children.push(child));
      return await Promise.race([stopped(input.stop), anyEnded(children, input)]);
    } catch (thrown) {
      if (input.stop.aborted) return 0;
      if (!(thrown instanceof ChildEnded)) throw thrown;
      return thrown.exitCode;
    } finally {
      // The device agent first: it says goodbye to the gateway, and to the phones.
      for (const child of children.reverse()) await child.stop(stopGraceMs);
    }
  },
};

async function start(options: Options, input: CommandInput, started: (child: Child) => void): Promise<void> {
  const env = childEnvironment(input.env);
  const gateway = startChild("gateway", [program, "gateway", "--json", ...gatewayArguments(options)], {
    ...env,
    ...(options.token === undefined ? {} : { FARHAND_TOKEN: options.token }),
  });
  started(gateway);
  const [listening, simulated] = await Promise.all([
    gateway.event(({ event }) => event === "listening", startMs),
    simulatedPhones(options, env, started),
  ]);
  const token = options.token ?? String(listening.token);
  const agentArguments = ["--json", "--gateway", String(listening.local), ...deviceAgentArguments(options, simulated)];
  const deviceAgent = startChild("device agent", [program, "device-agent", ...agentArguments], {
    ...env,
    FARHAND_TOKEN: token,
  });
  started(deviceAgent);
  const linked = await deviceAgent.event(({ event }) => event === "linked", startMs);
  const reported = await deviceAgent.event((event) => isComplete(event, simulated), startMs);
  const serials = await serialsOf(String(linked.device_agent_id), reported);
  const listed = await listDevices(String(listening.localMcp), token, serials.size, startMs);
  const ready: Ready = {
    event: "ready",
    url: String(listening.url),
    mcp: String(listening.mcp),
    a2a: String(listening.a2a),
    console: null,
    panel: null,
    token: options.token === undefined ? token : null,
    devices: listed.map(({ id, name, state }) => ({ id, name, serial: serials.get(id) ?? "", state })),
  };
  if (options.json) input.stdout(JSON.stringify(ready));
  else for (const line of announcement(ready, listed)) input.stdout(line);
}

/** Our own options go on as arguments; a setting of ours in the environment would be refused by the children. */
function childEnvironment(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([key]) => !key.startsWith("FARHAND_")));
}

function gatewayArguments(options: Options): string[] {
  const given = ["--host", options.host, "--port", String(options.port), "--log-level", options.logLevel];
  given.push("--data-dir", join(options.dataDir, "gateway"));
  if (options.publicUrl !== undefined) given.push("--public-url", options.publicUrl);
  if (options.allowInsecureHttp) given.push("--allow-insecure-http");
  return given;
}

async function simulatedPhones(options: Options, env: Env, started: (child: Child) => void): Promise<StartedPhone[]> {
  const { adbHost: host, adbPort: port, phones, latency, dataDir } = options;
  if (phones === "adb" || (phones === "auto" && (await countAdbPhones({ host, port })) > 0)) return [];
  const count = Number(phones.split(":")[1] ?? 1);
  return startSimulatedPhones({ count, latency, dataDir, env, started });
}

function deviceAgentArguments(options: Options, simulated: StartedPhone[]): string[] {
  const given = ["--data-dir", join(options.dataDir, "device-agent"), "--log-level", options.logLevel];
  given.push("--adb-host", options.adbHost, "--adb-port", String(options.adbPort));
  given.push("--phones", simulated.length === 0 ? "adb" : "direct");
  if (options.allow !== undefined) given.push("--allow", options.allow);
  if (options.installFrom !== undefined) given.push("--install-from", options.installFrom);
  if (simulated.length === 0) return given;
  given.push("--direct", simulated.map(({ address }) => address).join(","));
  // Allowed for these serials alone: no real phone is ever opened by starting a simulated one.
  given.push("--allow-for", simulated.map(({ serial }) => `${serial}=write,danger`).join(";"));
  return given;
}

interface Reported {
  key: string;
  serial: string;
  state: string;
}

function reportedDevices(event: { [field: string]: unknown }): Reported[] {
  return Array.isArray(event.devices) ? (event.devices as Reported[]) : [];
}

async function serialsOf(deviceAgentId: string, event: { [field: string]: unknown }): Promise<Map<string, string>> {
  const entries = reportedDevices(event).map(
    async ({ key, serial }) => [await deviceIdOf(deviceAgentId, key), serial] as const,
  );
  return new Map(await Promise.all(entries));
}

/** With simulated phones all of them must have come up; with an adb server its first list is enough. */
function isComplete(event: { event: string; [field: string]: unknown }, simulated: StartedPhone[]): boolean {
  if (event.event !== "devices") return false;
  return reportedDevices(event).filter(({ state }) => state === "device").length >= simulated.length;
}

function stopped(stop: AbortSignal): Promise<number> {
  if (stop.aborted) return Promise.resolve(0);
  return new Promise((resolve) => stop.addEventListener("abort", () => resolve(0), { once: true }));
}

/** One part alone is of no use: its end is the end of all. */
async function anyEnded(children: Child[], input: CommandInput): Promise<number> {
  const [name, code] = await Promise.race(children.map(async (child) => [child.name, await child.ended] as const));
  if (input.stop.aborted) return 0;
  input.stderr(`farhand up: the ${name} ended (exit code ${code}), so everything stops.`);
  return code === 0 ? 1 : code;
}
