import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Child, startChild } from "../../../cli/child.ts";
import type { SimulatedPhoneOptions } from "../../../device-agent/simulated-phone/options.ts";
import { createSimulatedPhone, type SimulatedPhone } from "../../../device-agent/simulated-phone/simulated-phone.ts";
import { type AdbServer, startAdbServer } from "./adb-server.ts";
import { type CallResult, type ClientKind, type McpClient, sdkClient } from "./clients.ts";
import { createTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

export type Route = "direct" | "adb";

/** The product as users run it: gateway and device agent as two processes, and phones beside them. */
export interface House {
  mcp: string;
  token: string;
  phones: SimulatedPhone[];
  /** Between device agent and gateway. */
  link: TcpProxy;
  dataDir: string;
  connect(kind?: ClientKind): Promise<McpClient>;
  /** Resolves when the gateway lists so many phones that are ready. */
  ready(count?: number): Promise<void>;
  restartGateway(): Promise<void>;
  /** As by kill -9. */
  killDeviceAgent(): Promise<void>;
  startDeviceAgent(): Promise<void>;
  stop(): Promise<void>;
}

export interface HouseOptions {
  route?: Route;
  phones?: SimulatedPhoneOptions[];
  allow?: string;
  /** Origins that apps may come from besides the public internet. */
  installFrom?: string;
}

const program = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
const token = "e2e-token-0123456789-abcdefghijklmnop";

export async function openHouse({
  route = "direct",
  phones: wanted = [{}],
  allow = "write",
  installFrom,
}: HouseOptions = {}): Promise<House> {
  const dataDir = mkdtempSync(join(tmpdir(), "farhand-e2e-"));
  const phones = wanted.map((options) => createSimulatedPhone(options));
  const addresses = await Promise.all(
    phones.map(async (phone) => {
      const { host, port } = await phone.listen({ host: "127.0.0.1", port: 0 });
      return `${host}:${port}`;
    }),
  );
  const adb = route === "adb" ? await adbWith(addresses) : undefined;

  let gateway = await startGateway(dataDir, 0);
  const port = Number(new URL(gateway.url).port);
  const link = await createTcpProxy({ host: "127.0.0.1", port });
  const agentArguments = [
    "--gateway",
    `http://${link.address}`,
    "--data-dir",
    join(dataDir, "device-agent"),
    "--allow",
    allow,
  ];
  if (installFrom !== undefined) agentArguments.push("--install-from", installFrom);
  if (adb) agentArguments.push("--phones", "adb", "--adb-port", String(adb.port));
  else agentArguments.push("--phones", "direct", "--direct", addresses.join(","));
  const dial = () => start("device agent", ["device-agent", "--json", "--log-level", "error", ...agentArguments]);
  let deviceAgent = dial();

  const house: House = {
    mcp: `http://127.0.0.1:${port}/mcp`,
    token,
    phones,
    link,
    dataDir,
    connect: (kind = sdkClient) => kind.connect(house.mcp, token),
    ready: (count = phones.length) => untilReady(house, count),
    async restartGateway() {
      await gateway.child.stop(10_000);
      gateway = await startGateway(dataDir, port);
    },
    async killDeviceAgent() {
      await deviceAgent.stop(0);
    },
    async startDeviceAgent() {
      deviceAgent = dial();
      await deviceAgent.event(({ event }) => event === "linked", 20_000);
    },
    async stop() {
      await deviceAgent.stop(5_000);
      await gateway.child.stop(10_000);
      await link.close();
      await adb?.stop();
      await Promise.all(phones.map((phone) => phone.close()));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  await house.ready();
  return house;
}

async function adbWith(addresses: string[]): Promise<AdbServer> {
  const adb = await startAdbServer();
  for (const address of addresses) await adb.connect(address);
  return adb;
}

function start(name: string, args: string[]): Child {
  return startChild(name, [program, ...args], { PATH: process.env.PATH, HOME: process.env.HOME, FARHAND_TOKEN: token });
}

async function startGateway(dataDir: string, port: number): Promise<{ child: Child; url: string }> {
  const place = ["--port", String(port), "--data-dir", join(dataDir, "gateway")];
  const child = start("gateway", [
    "gateway",
    "--json",
    "--log-level",
    "error",
    "--allowed-hosts",
    "127.0.0.1",
    ...place,
  ]);
  const listening = await child.event(({ event }) => event === "listening", 20_000);
  return { child, url: String(listening.url) };
}

async function untilReady(house: House, count: number): Promise<void> {
  const client = await house.connect();
  const end = Date.now() + 20_000;
  for (;;) {
    const devices = devicesOf(await client.call("list_devices"));
    if (devices.filter(({ state }) => state === "device").length >= count) break;
    if (Date.now() > end) throw new Error(`The house did not get ready: ${JSON.stringify(devices)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await client.close();
}

export interface Listed {
  id: string;
  name: string;
  state: string;
}

export function devicesOf(result: CallResult): Listed[] {
  return (result.structuredContent?.devices ?? []) as Listed[];
}

/** The error that a failed call tells in its text. */
export function errorOf(result: CallResult): { code: string; message: string; hint: string } {
  const told = JSON.parse(result.content.find(({ type }) => type === "text")?.text ?? "{}");
  return told.error;
}
