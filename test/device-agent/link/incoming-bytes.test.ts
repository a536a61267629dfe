import { afterEach, expect, test, vi } from "vitest";
import type { ToDeviceAgent } from "../../../shared/link/messages.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { FakeGateway } from "../support/fake-gateway.ts";
import { createSmallDeviceAgent } from "../support/small-device-agent.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function startGateway() {
  const gateway = new FakeGateway();
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

const openStream: ToDeviceAgent = {
  type: "open_stream",
  streamId: "stream-0123456789",
  kind: "numbers",
  device: "a",
  arguments: {},
  timeoutMs: 5_000,
};

/** A source that takes what the gateway sends and answers with how many bytes came. */
function counter(taken: number[] = []) {
  return {
    permission: "screen:read" as const,
    async *read(_request: unknown, _signal: AbortSignal, incoming: AsyncIterable<Uint8Array>) {
      let total = 0;
      for await (const bytes of incoming) {
        total += bytes.length;
        taken.push(bytes.length);
      }
      yield new TextEncoder().encode(String(total));
    },
  };
}

async function openCounter(changes: Parameters<typeof createSmallDeviceAgent>[1] = {}, taken: number[] = []) {
  const gateway = await startGateway();
  const bench = await start(gateway.port, { streamSources: { numbers: counter(taken) }, ...changes });
  (await gateway.link(1)).send(openStream);
  const stream = await vi.waitFor(() => gateway.streams[0] ?? Promise.reject(new Error("no stream")));
  await vi.waitFor(() => expect(stream.texts).toEqual(['{"type":"credit","bytes":1048576}']));
  return { gateway, stream, ...bench };
}

test("a stream takes bytes within the credit that it gives, and answers after their end", async () => {
  const taken: number[] = [];
  const { stream } = await openCounter({}, taken);
  stream.socket.send('{"type":"credit","bytes":100}');
  stream.socket.send(new Uint8Array(256 * 1024));
  stream.socket.send(new Uint8Array(10));
  stream.socket.send('{"type":"end"}');
  await vi.waitFor(() => expect(stream.closed).toEqual({ code: 1000 }));
  expect(taken).toEqual([256 * 1024, 10]);
  expect(stream.texts.slice(1)).toEqual([
    '{"type":"credit","bytes":262144}',
    '{"type":"credit","bytes":10}',
    '{"type":"end"}',
  ]);
  expect(Buffer.concat(stream.chunks).toString()).toBe("262154");
});

test("a gateway that sends more than it may is left, and its source hears of it", async () => {
  let cut: unknown;
  const busy = {
    ...counter(),
    async *read(_request: unknown, signal: AbortSignal, incoming: AsyncIterable<Uint8Array>) {
      for await (const bytes of incoming) {
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        cut = signal.reason;
        yield bytes;
      }
    },
  };
  const { stream } = await openCounter({ streamSources: { numbers: busy } });
  for (let count = 0; count < 5; count++) stream.socket.send(new Uint8Array(256 * 1024));
  await vi.waitFor(() => expect(stream.closed).toBeDefined());
  await vi.waitFor(() => expect(cut).toMatchObject({ code: "internal" }));
});

test("a source that wants no bytes gets none: sending some ends the stream", async () => {
  const gateway = await startGateway();
  let cut: unknown;
  await start(gateway.port, {
    streamSources: {
      numbers: {
        permission: "screen:read",
        async *read(_request, signal) {
          await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
          cut = signal.reason;
        },
      },
    },
  });
  (await gateway.link(1)).send(openStream);
  const stream = await vi.waitFor(() => gateway.streams[0] ?? Promise.reject(new Error("no stream")));
  stream.socket.send(new Uint8Array(1));
  await vi.waitFor(() => expect(cut).toMatchObject({ code: "internal" }));
  expect(stream.texts).toEqual([]);
});

test("a gateway that goes away in the middle of its bytes cuts the source, never ends it", async () => {
  const { stream, lines } = await openCounter();
  stream.socket.send(new Uint8Array(10));
  stream.socket.terminate();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(stream.chunks).toEqual([]);
  expect(lines.join()).not.toContain("A stream failed");
});

test("a gateway that falls silent in the middle of its bytes is given up", async () => {
  const clock = createManualClock();
  const gateway = await startGateway();
  await start(gateway.port, { clock, streamSources: { numbers: counter() } });
  (await gateway.link(1)).send(openStream);
  const stream = await vi.waitFor(() => gateway.streams[0] ?? Promise.reject(new Error("no stream")));
  await vi.waitFor(() => expect(stream.texts).toHaveLength(1));
  await clock.advance(75_000);
  await vi.waitFor(() => expect(stream.closed).toBeDefined());
  expect(stream.chunks).toEqual([]);
});

test("stopping tells the gateway of every open stream why it ends", async () => {
  const { stream, deviceAgent } = await openCounter();
  await deviceAgent.stop();
  await vi.waitFor(() => expect(stream.closed).toBeDefined());
  expect(JSON.parse(stream.texts.at(-1) ?? "")).toMatchObject({ type: "error", error: { code: "device_offline" } });
});

test("a stream without a phone runs while the phone is away, under its owner's word", async () => {
  const gateway = await startGateway();
  const taken = { ...counter(), withoutPhone: true as const };
  const { phones } = await start(gateway.port, {
    streamSources: { numbers: taken, danger: { ...taken, permission: "device:danger" as const } },
  });
  const link = await gateway.link(1);
  phones.unplug("a");
  link.send(openStream);
  await vi.waitFor(() => expect(gateway.streams).toHaveLength(1));
  link.send({ ...openStream, kind: "danger" });
  expect(await link.wait("stream_refused")).toMatchObject({ error: { code: "write_disabled" } });
});
