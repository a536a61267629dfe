import { WebSocket } from "ws";
import { decodeFrame, encodeFrame } from "../../../shared/link/frame.ts";
import type { Call, DeviceReport, Hello, ToDeviceAgent, ToGateway } from "../../../shared/link/messages.ts";
import { toolDigests } from "../../../shared/tools/digest.ts";
import { toolSpecs } from "../../../shared/tools/specs.ts";
import { ownerToken } from "./start-test-gateway.ts";

export interface FakeDeviceAgentOptions {
  link: string;
  token?: string;
  installId?: string;
  connectSeq?: number;
  bootId?: string;
  devices?: Partial<DeviceReport>[];
  hello?: Partial<Hello>;
  /** What to do with each call; the default answers it at once. */
  onCall?: (call: Call, agent: FakeDeviceAgent) => void;
  onMessage?: (message: ToDeviceAgent, agent: FakeDeviceAgent) => void;
}

/** A device agent that speaks the link's messages over a real WebSocket and has no phones behind it. */
export interface FakeDeviceAgent {
  socket: WebSocket;
  /** Every message from the gateway, in order. */
  received: ToDeviceAgent[];
  calls(): Call[];
  send(message: ToGateway, body?: Uint8Array[]): void;
  report(devices: Partial<DeviceReport>[]): void;
  answer(call: { id: string }, output?: Record<string, unknown>, pictures?: Uint8Array[]): void;
  next<T extends ToDeviceAgent["type"]>(type: T): Promise<Extract<ToDeviceAgent, { type: T }>>;
  /** The close code and reason. */
  closed: Promise<{ code: number; reason: string }>;
  close(): void;
}

export const phone = (over: Partial<DeviceReport> = {}): DeviceReport => ({
  key: "serial-1",
  serial: "emulator-5554",
  name: "Pixel",
  model: "Pixel 8",
  androidRelease: "15",
  state: "device",
  foregroundApp: "com.android.settings",
  ...over,
});

/** An output that fits every tool that answers a plain write. */
export const plainOutput = { ok: true };

/** Dials, says hello, and, once welcome, reports its devices. Rejects when the upgrade is refused. */
export async function connectFakeDeviceAgent(options: FakeDeviceAgentOptions): Promise<FakeDeviceAgent> {
  const token = options.token ?? ownerToken;
  const socket = new WebSocket(options.link, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  });
  const received: ToDeviceAgent[] = [];
  const waiting = new Set<() => void>();
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  const agent: FakeDeviceAgent = {
    socket,
    received,
    calls: () => received.filter((message) => message.type === "call"),
    send(message, body = []) {
      if (socket.readyState === WebSocket.OPEN) socket.send(encodeFrame(message, body));
    },
    report(devices) {
      agent.send({ type: "devices", asOf: Date.now(), devices: devices.map(phone) });
    },
    answer(call, output = plainOutput, pictures = []) {
      const heads = pictures.map((bytes) => ({ mimeType: "image/jpeg", width: 10, height: 10, bytes: bytes.length }));
      agent.send({ type: "result", id: call.id, output, pictures: heads }, pictures);
    },
    next(type) {
      return waitFor(waiting, () => received.find((message) => message.type === type)) as never;
    },
    closed,
    close: () => socket.close(),
  };
  socket.on("message", (data: Buffer, isBinary) => {
    if (!isBinary) return;
    const message = decodeFrame(data).head as ToDeviceAgent;
    received.push(message);
    for (const look of [...waiting]) look();
    options.onMessage?.(message, agent);
    if (message.type === "welcome" && options.devices !== undefined) agent.report(options.devices);
    if (message.type === "call") (options.onCall ?? ((call) => agent.answer(call)))(message, agent);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  agent.send({
    type: "hello",
    protocol: 1,
    oldest: 1,
    version: "0.1.0",
    installId: options.installId ?? "install-0123456789",
    name: "desk",
    bootId: options.bootId ?? "boot-0001",
    connectSeq: options.connectSeq ?? 1,
    maxFrameBytes: 8 * 1024 * 1024,
    tools: await toolDigests(toolSpecs),
    streams: ["file"],
    heldTasks: [],
    ...options.hello,
  });
  return agent;
}

function waitFor<T>(waiting: Set<() => void>, find: () => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const look = () => {
      const found = find();
      if (found === undefined) return;
      waiting.delete(look);
      resolve(found);
    };
    waiting.add(look);
    look();
  });
}
