import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditRecord } from "../../../device-agent/audit/audit.ts";
import { createPolicy } from "../../../device-agent/policy/policy.ts";
import { policySchema } from "../../../device-agent/policy/policy-schema.ts";
import { randomId } from "../../../device-agent/random-id.ts";
import { openSpool, type SpoolDeps } from "../../../device-agent/spool/file-spool.ts";
import { createFileStreams } from "../../../device-agent/spool/file-streams.ts";
import type { Spool } from "../../../device-agent/spool/spool.ts";
import { createSystemClock } from "../../../device-agent/system-clock.ts";
import { deviceTools } from "../../../shared/tools/catalog.ts";
import { toolDigests } from "../../../shared/tools/digest.ts";
import { createLogLines } from "../../device-agent/support/log-lines.ts";
import { createSmallDeviceAgent } from "../../device-agent/support/small-device-agent.ts";
import type { FakeDevice } from "../../support/fake-device.ts";
import type { FakePhones } from "../../support/fake-phones.ts";
import { listedDevices, until } from "../support/ready.ts";
import {
  ownerToken,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
  tokenFor,
} from "../support/start-test-gateway.ts";

/** A real gateway and a real device agent with one fake phone "a", joined by real sockets. */
export interface Joined {
  gateway: TestGateway;
  phones: FakePhones;
  device: FakeDevice;
  /** Of the device agent. */
  audited: AuditRecord[];
  spool(): Spool;
  /** Another process of the same installation; by `stop` alone it goes away. */
  stopDeviceAgent(): Promise<void>;
  startDeviceAgent(): Promise<void>;
  close(): Promise<void>;
}

export interface JoinedOptions {
  gateway?: TestGatewayOptions;
  spool?: Partial<SpoolDeps>;
  policy?: object;
}

/** May use every phone, and is somebody else. */
export const stranger = tokenFor("stranger", ["screen:read", "device:danger"]);
export const reader = tokenFor("reader", ["screen:read"]);

export async function joinGatewayAndDeviceAgent(options: JoinedOptions = {}): Promise<Joined> {
  const gateway = await startTestGateway({ tokens: [stranger, reader], ...options.gateway });
  const parent = await mkdtemp(join(tmpdir(), "farhand-spool-"));
  const rules = policySchema.parse(options.policy ?? { default: { "device:danger": "allow" } });
  const { log } = createLogLines();
  const audited: AuditRecord[] = [];
  const audit = { record: (record: AuditRecord) => void audited.push(record), close: async () => {} };
  const clock = createSystemClock();
  let connectSeq = 0;

  const start = async () => {
    const spool = await openSpool({ folder: join(parent, "spool"), clock, log, randomId, ...options.spool });
    const small = createSmallDeviceAgent(gateway.port, {
      tools: deviceTools,
      toolDigests: await toolDigests(deviceTools),
      identity: { installId: "install-0123456789", bootId: randomId(8), nextConnectSeq: async () => ++connectSeq },
      policy: createPolicy({ rules: () => rules, grants: { all: [], bySerial: {} }, path: "/policy.json" }),
      streamSources: createFileStreams({ spool, audit, clock }),
      spool,
      token: async () => ownerToken,
    });
    await small.deviceAgent.start();
    await until(async () => (await listedDevices(gateway)).some(({ state }) => state === "device"));
    return { spool, ...small };
  };
  let running = await start();

  const joined: Joined = {
    gateway,
    phones: running.phones,
    device: running.device,
    audited,
    spool: () => running.spool,
    async stopDeviceAgent() {
      await running.deviceAgent.stop();
      await running.spool.stop();
    },
    async startDeviceAgent() {
      running = await start();
      Object.assign(joined, { phones: running.phones, device: running.device });
    },
    async close() {
      await joined.stopDeviceAgent();
      await gateway.stop();
      await rm(parent, { recursive: true, force: true });
    },
  };
  return joined;
}

export interface FileAnswer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  json: any;
}

export interface FileRequest {
  method?: string;
  token?: string | null;
  headers?: Record<string, string>;
  body?: NonNullable<RequestInit["body"]>;
}

/** One request to `/files…`. */
export async function ask(gateway: TestGateway, path: string, request: FileRequest = {}): Promise<FileAnswer> {
  const { method = "GET", token = ownerToken, headers = {}, body } = request;
  const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const init = {
    method,
    headers: { ...authorization, ...headers },
    duplex: "half",
    ...(body === undefined ? {} : { body }),
  };
  const response = await fetch(`${gateway.url}/files${path}`, init as RequestInit);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && bytes.length > 0;
  const json = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
  return { status: response.status, headers: response.headers, bytes, json };
}
