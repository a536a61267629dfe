import { describe, expect, it } from "vitest";
import { createLink } from "../../../gateway/relay/link.ts";
import { createPendingStreams } from "../../../gateway/relay/pending-streams.ts";
import { CodedError } from "../../../shared/errors.ts";
import { decodeFrame } from "../../../shared/link/frame.ts";
import type { LinkEvents, LinkSocket } from "../../../shared/link/socket.ts";
import { type ByteStream, createByteStream } from "../../../shared/link/stream.ts";
import { createManualClock, settled } from "../../support/manual-clock.ts";

/** Two ends in memory; what one sends arrives at the other in its own turn. */
function createPair() {
  const sizes: number[] = [];
  const closes: string[] = [];
  const ends: { left?: LinkEvents; right?: LinkEvents } = {};
  const socketTo = (other: "left" | "right"): LinkSocket => ({
    send(data) {
      if (typeof data !== "string") sizes.push(data.length);
      queueMicrotask(() => ends[other]?.message(data));
    },
    bufferedBytes: () => 0,
    close(code, reason) {
      closes.push(reason);
      queueMicrotask(() => ends[other]?.closed(code, reason));
    },
    terminate() {
      closes.push("terminated");
    },
  });
  const left = createByteStream(socketTo("right"));
  const right = createByteStream(socketTo("left"));
  ends.left = left.events;
  ends.right = right.events;
  return { left, right, sizes, closes, ends };
}

async function readAll(stream: ByteStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

const mebibyte = 1024 * 1024;

describe("a stream of bytes", () => {
  it("arrives whole and in order, in chunks of at most 256 KiB", async () => {
    const { left, right, sizes, closes } = createPair();
    const sent = new Uint8Array(5 * mebibyte + 17).map((_, index) => index % 251);
    const received = readAll(right);
    await left.write(sent.subarray(0, 3));
    await left.write(sent.subarray(3));
    left.end();
    right.end();
    expect(Buffer.compare(await received, sent)).toBe(0);
    expect(Math.max(...sizes)).toBe(256 * 1024);
    await settled();
    expect(closes).toContain("done");
  });

  it("waits at the source while nobody reads", async () => {
    const { left, right, sizes } = createPair();
    let written = false;
    const writing = left.write(new Uint8Array(3 * mebibyte)).then(() => {
      written = true;
    });
    await settled();
    expect(written).toBe(false);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(mebibyte);
    const received = readAll(right);
    await writing;
    left.end();
    expect((await received).length).toBe(3 * mebibyte);
  });

  it("can go both ways at once", async () => {
    const { left, right } = createPair();
    const received = [readAll(left), readAll(right)];
    await Promise.all([left.write(new Uint8Array([1])), right.write(new Uint8Array([2, 3]))]);
    left.end();
    right.end();
    expect(await Promise.all(received)).toEqual([new Uint8Array([2, 3]), new Uint8Array([1])]);
  });

  it("that fails tells the other end why", async () => {
    const { left, right } = createPair();
    const received = readAll(right).catch((error) => error);
    left.fail(new CodedError("target_not_found", "There is no such file."));
    expect((await received).code).toBe("target_not_found");
    await expect(left.write(new Uint8Array(1))).rejects.toThrow("There is no such file.");
  });

  it("that is cut before its end is an error, not a short file", async () => {
    const { left, right, ends } = createPair();
    const received = readAll(right).catch((error) => error);
    await left.write(new Uint8Array(10));
    await settled();
    ends.right?.closed(1006, "");
    expect((await received).code).toBe("device_offline");
  });

  it("stops at the source when its reader gives up", async () => {
    const { left, right, closes } = createPair();
    const writing = left.write(new Uint8Array(4 * mebibyte)).catch((error) => error);
    await settled();
    await right.readable.cancel();
    expect((await writing).code).toBe("device_offline");
    expect(closes).toContain("canceled");
  });

  it("is dropped when the other end sends more than it may", async () => {
    const { right, ends, closes } = createPair();
    const received = readAll(right).catch((error) => error);
    ends.right?.message(new Uint8Array(256 * 1024 + 1));
    expect((await received).code).toBe("internal");
    expect(closes).toContain("terminated");
  });

  it("ignores notices that it does not know", async () => {
    const { left, right, ends } = createPair();
    ends.right?.message('{"type":"from_the_future"}');
    ends.right?.message("no JSON");
    const received = readAll(right);
    left.end();
    expect((await received).length).toBe(0);
  });
});

describe("a stream that a device agent is asked for", () => {
  const request = { kind: "file", arguments: { path: "/sdcard/x" }, timeoutMs: 10_000 };
  const quiet: LinkSocket = { send() {}, bufferedBytes: () => 0, close() {}, terminate() {} };

  function ask(kind = "file", signal?: AbortSignal) {
    const clock = createManualClock();
    const sent: { type: string; streamId: string }[] = [];
    const link = createLink({
      deviceAgentId: "da_1",
      tenant: "default",
      hello: { streams: ["file"] } as never,
      socket: { ...quiet, send: (data) => sent.push(decodeFrame(data as Uint8Array).head as never) },
      onSent() {},
    });
    const streams = createPendingStreams({ clock, randomId: () => "0123456789abcdef" });
    const opened = (async () => streams.open(link, "phone", { ...request, kind }, signal))();
    const outcome = opened.then(
      () => "open",
      (error: CodedError) => error.code,
    );
    return { clock, sent, link, streams, opened, outcome };
  }

  it("belongs to the socket that brings its id and its tenant, once", async () => {
    const { streams, sent, outcome } = ask();
    const id = sent[0]?.streamId ?? "";
    expect(sent[0]).toMatchObject({ type: "open_stream", kind: "file", device: "phone", timeoutMs: 10_000 });
    expect(streams.expects(id, "elsewhere")).toBe(false);
    expect(streams.arrived(id, "elsewhere", quiet)).toBeNull();
    expect(streams.arrived("another-id-0123456789", "default", quiet)).toBeNull();
    expect(streams.arrived(id, "default", quiet)).not.toBeNull();
    expect(await outcome).toBe("open");
    expect(streams.arrived(id, "default", quiet)).toBeNull();
  });

  it("is given up when nobody dials in time", async () => {
    const { clock, outcome, streams, sent } = ask();
    await clock.advance(10_000);
    expect(await outcome).toBe("deadline_exceeded");
    expect(streams.arrived(sent[0]?.streamId ?? "", "default", quiet)).toBeNull();
  });

  it("may be refused by that device agent", async () => {
    const { link, outcome, streams, sent } = ask();
    streams.refused(link, sent[0]?.streamId ?? "", new CodedError("write_disabled", "Not allowed."));
    expect(await outcome).toBe("write_disabled");
  });

  it("is not asked for when the device agent has no such kind", async () => {
    const { outcome, sent } = ask("video");
    expect(await outcome).toBe("unsupported");
    expect(sent).toEqual([]);
  });

  it("ends when its caller gives up", async () => {
    const client = new AbortController();
    const { outcome, streams, sent } = ask("file", client.signal);
    client.abort();
    expect(await outcome).toBe("canceled");
    expect(streams.expects(sent[0]?.streamId ?? "", "default")).toBe(false);
  });
});
