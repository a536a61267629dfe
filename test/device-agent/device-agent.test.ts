import type { Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import type { ToDeviceAgent } from "../../shared/link/messages.ts";
import { BlackholeProxy } from "./support/blackhole-proxy.ts";
import { call, hold } from "./support/dispatch-bench.ts";
import { FakeGateway } from "./support/fake-gateway.ts";
import { benchToken, createSmallDeviceAgent } from "./support/small-device-agent.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function startGateway(change: Partial<FakeGateway> = {}) {
  const gateway = Object.assign(new FakeGateway(), change);
  await gateway.start();
  stops.push(() => gateway.stop());
  return gateway;
}

async function start(port: number, changes: Parameters<typeof createSmallDeviceAgent>[1] = {}) {
  const bench = createSmallDeviceAgent(port, changes);
  stops.push(() => bench.deviceAgent.stop());
  await bench.deviceAgent.start();
  return bench;
}

test("shows its token in a header, uses no compression, and tells its phones right after the welcome", async () => {
  const gateway = await startGateway();
  await start(gateway.port);
  const link = await gateway.link(1);
  expect(link.authorization).toBe(`Bearer ${benchToken}`);
  expect(link.extensions).toBe("");
  expect(link.hello).toMatchObject({ name: "bench", bootId: "boot-0123", connectSeq: 1, tools: { tap: "abc" } });
  expect((await link.wait("devices")).devices).toMatchObject([{ key: "a", serial: "serial-a", state: "device" }]);
});

test("tells a burst of changes once, and nothing when nothing changed", async () => {
  const gateway = await startGateway();
  const { phones, device } = await start(gateway.port);
  const link = await gateway.link(1);
  await link.wait("devices");
  for (let again = 0; again < 5; again++) phones.plug("b", device);
  await new Promise((resolve) => setTimeout(resolve, 120));
  phones.plug("b", device);
  await new Promise((resolve) => setTimeout(resolve, 120));
  const lists = link.received.flatMap(({ message }) => (message.type === "devices" ? [message.devices.length] : []));
  expect(lists).toEqual([1, 2]);
});

test("carries calls, their answers and a picture's bytes", async () => {
  const gateway = await startGateway();
  const { device } = await start(gateway.port);
  const link = await gateway.link(1);
  link.send(call("c1", "tap"));
  expect(await link.wait("result", "c1")).toMatchObject({ output: { ok: true }, pictures: [] });
  expect(device.writes).toEqual([{ action: "tap", x: 1, y: 2 }]);
});

test("a link that a NAT forgot is given up within two intervals and dialled anew", async () => {
  const gateway = await startGateway({ pingMs: 300 });
  const proxy = new BlackholeProxy(gateway.port);
  await proxy.start();
  stops.push(() => proxy.stop());
  await start(proxy.port);
  await (await gateway.link(1)).wait("devices");
  const since = Date.now();
  proxy.swallow();
  const second = await gateway.link(2);
  expect(second.hello.connectSeq).toBe(2);
  expect(Date.now() - since).toBeLessThan(2 * 300 + 500);
});

test("a gateway that says goodbye but keeps the connection is left at once", async () => {
  const gateway = await startGateway();
  await start(gateway.port);
  const first = await gateway.link(1);
  // Only the close frame (0x88, two bytes, code 1001), and deaf from then on: a Durable Object does it so.
  const { _socket: raw } = first.socket as unknown as { _socket: Socket };
  raw.removeAllListeners().on("error", () => {});
  raw.write(Buffer.from([0x88, 0x02, 0x03, 0xe9]));
  const since = Date.now();
  await gateway.link(2);
  expect(Date.now() - since).toBeLessThan(1_500);
});

test("after a lost link the answer of a running call comes by the new one, and the phone is touched once", async () => {
  const gateway = await startGateway();
  const { device } = await start(gateway.port);
  const first = await gateway.link(1);
  const tapping = hold(device, "tap");
  first.send(call("c1", "tap"));
  await new Promise((resolve) => setTimeout(resolve, 50));
  first.socket.terminate();
  const second = await gateway.link(2);
  second.send({ type: "recall", id: "c1" });
  expect(await second.wait("call_state", "c1")).toMatchObject({ state: "running" });
  tapping.letGo();
  expect(await second.wait("result", "c1")).toMatchObject({ output: { ok: true } });
  second.send(call("c1", "tap"));
  await vi.waitFor(() => expect(second.received.filter(({ message }) => message.type === "result")).toHaveLength(2));
  expect(device.writes).toHaveLength(1);
});

test("an answer finished while there was no link is there when it is recalled", async () => {
  const gateway = await startGateway();
  const { device } = await start(gateway.port);
  const first = await gateway.link(1);
  const tapping = hold(device, "tap");
  first.send(call("c1", "tap"));
  await new Promise((resolve) => setTimeout(resolve, 50));
  first.socket.terminate();
  tapping.letGo();
  const second = await gateway.link(2);
  second.send({ type: "recall", id: "c1" });
  expect(await second.wait("result", "c1")).toMatchObject({ output: { ok: true } });
  expect(device.writes).toHaveLength(1);
});

test("a refused token is told, not repeated in the log, and not tried again soon", async () => {
  const gateway = await startGateway({ declines: 401 });
  const retries: number[] = [];
  const unlinked = (_reason: string, retryInMs: number) => void retries.push(retryInMs);
  const { lines } = await start(gateway.port, { events: { linked: () => {}, devices: () => {}, unlinked } });
  await vi.waitFor(() => expect(retries).toHaveLength(1));
  expect(retries[0]).toBeGreaterThanOrEqual(60_000);
  expect(lines.join()).toContain("The gateway refused the token");
  expect(lines.join()).not.toContain(benchToken);
});

test("a gateway that is not there yet is found when it comes", async () => {
  const gateway = await startGateway();
  const { port } = gateway;
  await gateway.stop();
  stops.pop();
  await start(port);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const later = new FakeGateway();
  await later.start(port);
  stops.push(() => later.stop());
  expect((await later.link(1)).hello.connectSeq).toBeGreaterThan(1);
});

test("stopping says goodbye with 1001", async () => {
  const gateway = await startGateway();
  const { deviceAgent } = await start(gateway.port);
  const link = await gateway.link(1);
  await deviceAgent.stop();
  await vi.waitFor(() => expect(link.closed).toEqual({ code: 1001 }));
});

const openStream: ToDeviceAgent = {
  type: "open_stream",
  streamId: "stream-0123456789",
  kind: "numbers",
  device: "a",
  arguments: {},
  timeoutMs: 5_000,
};

test("a kind of stream that it does not have is refused as unsupported", async () => {
  const gateway = await startGateway();
  await start(gateway.port);
  const link = await gateway.link(1);
  link.send(openStream);
  expect(await link.wait("stream_refused")).toMatchObject({ error: { code: "unsupported" } });
});

test("a stream has its own socket, sends as much as it is allowed to, and says when it ends", async () => {
  const gateway = await startGateway();
  let asked = 0;
  await start(gateway.port, {
    streamSources: {
      numbers: {
        permission: "screen:read",
        async *read() {
          for (; asked < 3; asked++) yield new Uint8Array(200_000).fill(asked);
        },
      },
    },
  });
  const link = await gateway.link(1);
  expect(link.hello.streams).toEqual(["numbers"]);
  link.send(openStream);
  const stream = await vi.waitFor(() => gateway.streams[0] ?? Promise.reject(new Error("no stream")));
  expect(stream).toMatchObject({ url: "/link/stream/stream-0123456789", authorization: `Bearer ${benchToken}` });
  stream.socket.send('{"type":"credit","bytes":250000}');
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(stream.chunks.map((chunk) => chunk.length)).toEqual([200_000, 50_000]);
  expect(asked).toBe(1);
  stream.socket.send('{"type":"credit","bytes":1000000}');
  await vi.waitFor(() => expect(stream.closed).toEqual({ code: 1000 }));
  expect(stream.chunks.reduce((sum, chunk) => sum + chunk.length, 0)).toBe(600_000);
  expect(stream.texts).toEqual(['{"type":"end"}']);
});

test("a stream that fails says why", async () => {
  const gateway = await startGateway();
  await start(gateway.port, {
    streamSources: {
      numbers: {
        permission: "screen:read",
        read: () => {
          throw new Error("secret");
        },
      },
    },
  });
  (await gateway.link(1)).send(openStream);
  const stream = await vi.waitFor(() => gateway.streams[0] ?? Promise.reject(new Error("no stream")));
  await vi.waitFor(() => expect(stream.texts).toHaveLength(1));
  expect(JSON.parse(stream.texts[0] ?? "")).toMatchObject({ type: "error", error: { code: "internal" } });
  expect(stream.texts.join()).not.toContain("secret");
});

test("a stream needs the owner's permission like a call", async () => {
  const gateway = await startGateway();
  await start(gateway.port, {
    streamSources: { numbers: { permission: "device:danger", read: async function* () {} } },
  });
  const link = await gateway.link(1);
  link.send(openStream);
  expect(await link.wait("stream_refused")).toMatchObject({ error: { code: "write_disabled" } });
});
