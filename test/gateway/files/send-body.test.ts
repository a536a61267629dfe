import { describe, expect, test } from "vitest";
import { receiveBytes } from "../../../gateway/files/receive-bytes.ts";
import { sendBody } from "../../../gateway/files/send-body.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { LinkEvents, LinkSocket } from "../../../shared/link/socket.ts";
import { type ByteStream, createByteStream } from "../../../shared/link/stream.ts";
import { createManualClock, settled } from "../../support/manual-clock.ts";

/** Two ends in memory: the gateway's, and the device agent's. */
function createPair(): { gateway: ByteStream; deviceAgent: ByteStream } {
  const ends: { gateway?: LinkEvents; deviceAgent?: LinkEvents } = {};
  const socketTo = (other: "gateway" | "deviceAgent"): LinkSocket => ({
    send: (data) => queueMicrotask(() => ends[other]?.message(data)),
    bufferedBytes: () => 0,
    close: (code, reason) => queueMicrotask(() => ends[other]?.closed(code, reason)),
    terminate: () => queueMicrotask(() => ends[other]?.closed(1006, "")),
  });
  const gateway = createByteStream(socketTo("deviceAgent"));
  const deviceAgent = createByteStream(socketTo("gateway"));
  ends.gateway = gateway.events;
  ends.deviceAgent = deviceAgent.events;
  return { gateway, deviceAgent };
}

const text = (value: string) => new TextEncoder().encode(value);
const tooMany = () => new CodedError("too_large", "Too many bytes.");

function begin(body: ReadableStream<Uint8Array> | null, mostBytes = Number.MAX_SAFE_INTEGER) {
  const clock = createManualClock();
  const pair = createPair();
  const answer = sendBody(body, pair.gateway, { clock, randomId: () => "id", mostBytes, tooMany });
  const outcome = answer.then(
    (bytes) => new TextDecoder().decode(bytes),
    ({ code, message }: CodedError) => `${code}: ${message}`,
  );
  return { clock, outcome, ...pair };
}

/** A client's body that never ends by itself, and what was taken of it. */
function endless(): { body: ReadableStream<Uint8Array>; taken(): number; canceled(): boolean } {
  let taken = 0;
  let canceled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        taken += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
      cancel() {
        canceled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, taken: () => taken, canceled: () => canceled };
}

const silent = () => new ReadableStream<Uint8Array>({});

describe("a body on its way to a device agent", () => {
  test("is answered after its last byte", async () => {
    const { outcome, deviceAgent } = begin(new Blob([new Uint8Array(3_000_000)]).stream());
    let bytes = 0;
    for await (const chunk of deviceAgent.readable as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
    await deviceAgent.write(text(String(bytes)));
    deviceAgent.end();
    expect(await outcome).toBe("3000000");
  });

  test("waits at the client while the device agent takes nothing: a little more than a mebibyte is on its way", async () => {
    const { body, taken } = endless();
    begin(body);
    for (let turn = 0; turn < 100; turn++) await settled();
    expect(taken()).toBeGreaterThanOrEqual(1_048_576);
    expect(taken()).toBeLessThanOrEqual(1_048_576 + 2 * 65_536);
  });

  test("that is larger than it may be is refused and left unread, so that the client hears of it", async () => {
    const { body, canceled } = endless();
    const { outcome, deviceAgent } = begin(body, 100_000);
    const seen = new Response(deviceAgent.readable as never).arrayBuffer().catch((error: CodedError) => error.code);
    expect(await outcome).toBe("too_large: Too many bytes.");
    expect(await seen).toBe("too_large");
    expect(canceled()).toBe(false);
  });

  test("ends at once when the device agent refuses it, also while the client is silent", async () => {
    const { outcome, deviceAgent } = begin(silent());
    deviceAgent.fail(new CodedError("too_large", "The spool is full."));
    expect(await outcome).toBe("too_large: The spool is full.");
  });

  test("needs no more bytes once the device agent has answered", async () => {
    const { outcome, deviceAgent } = begin(silent());
    await deviceAgent.write(text("known"));
    deviceAgent.end();
    expect(await outcome).toBe("known");
  });

  test("whose client goes away tells the device agent so", async () => {
    let fail: (error: Error) => void = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        fail = (error) => controller.error(error);
      },
    });
    const { outcome, deviceAgent } = begin(body);
    const seen = new Response(deviceAgent.readable as never).arrayBuffer().catch((error: CodedError) => error.code);
    await settled();
    fail(new Error("aborted"));
    expect(await outcome).toMatch(/^canceled/);
    expect(await seen).toBe("canceled");
  });

  test.each([
    ["client that sends nothing", silent, 50_000, "The client sent nothing"],
    ["device agent that takes nothing", () => endless().body, 50_000, "The device agent took nothing"],
    ["device agent that never answers", () => null, 100_000, "The device agent did not answer"],
  ])("is given up with a %s", async (_, body, ms, message) => {
    const { clock, outcome } = begin(body());
    for (let turn = 0; turn < 100; turn++) await settled();
    await clock.advance(ms);
    expect(await outcome).toContain(`deadline_exceeded: ${message}`);
  });

  test("an answer without end is no answer", async () => {
    const { outcome, deviceAgent } = begin(null);
    await deviceAgent.write(new Uint8Array(100_000));
    expect(await outcome).toMatch(/^internal/);
  });
});

describe("bytes of a device agent", () => {
  const receive = (length: number) => {
    const clock = createManualClock();
    const pair = createPair();
    return { clock, ...pair, received: receiveBytes(pair.gateway, { length, clock }) };
  };
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => "ok",
      ({ code }) => code,
    );

  test("come whole, and are not asked for before they are wanted", async () => {
    const { received, deviceAgent } = receive(3_000_000);
    let written = 0;
    const writing = (async () => {
      for (; written < 3_000_000; written += 100_000) await deviceAgent.write(new Uint8Array(100_000));
      deviceAgent.end();
    })();
    const body = await received;
    for (let turn = 0; turn < 50; turn++) await settled();
    expect(written).toBeLessThan(1_700_000);
    expect((await new Response(body as never).arrayBuffer()).byteLength).toBe(3_000_000);
    await writing;
  });

  test("that are refused are so before anything is answered", async () => {
    const { received, deviceAgent } = receive(10);
    deviceAgent.fail(new CodedError("target_not_found", "There is no such file."));
    expect(await codeOf(received)).toBe("target_not_found");
  });

  test.each([
    ["fewer", 11],
    ["more", 9],
  ])("that are %s than the file has are an error", async (_, length) => {
    const { received, deviceAgent } = receive(length);
    await deviceAgent.write(new Uint8Array(10));
    deviceAgent.end();
    expect(await codeOf(received.then((body) => new Response(body as never).arrayBuffer()))).toBe("internal");
  });

  test("that stop coming are given up", async () => {
    const { received, clock } = receive(10);
    const code = codeOf(received);
    await clock.advance(50_000);
    expect(await code).toBe("deadline_exceeded");
  });

  test("that nobody wants any more stop at their source", async () => {
    const { received, deviceAgent } = receive(10_000_000);
    const writing = codeOf(deviceAgent.write(new Uint8Array(10_000_000)));
    await (await received).cancel();
    expect(await writing).toBe("device_offline");
  });
});
