import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:net";
import type { AdbSocket } from "@yume-chan/adb";
import { ReadableStream } from "@yume-chan/stream-extra";
import { describe, expect, onTestFinished, test } from "vitest";
import { startPhone } from "./support/running-phone.ts";

const streamOf = (bytes: Uint8Array, chunkBytes = 50_000) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += chunkBytes) controller.enqueue(bytes.subarray(at, at + chunkBytes));
      controller.close();
    },
  });

function createDeferred() {
  let resolve: (text: string) => void = () => {};
  const promise = new Promise<string>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

describe("a host without an adb server", () => {
  test("gets output, errors and status apart", async () => {
    const { run } = await startPhone();
    expect(await run("echo out; echo err >&2; exit 3")).toEqual({ stdout: "out\n", stderr: "err\n", status: 3 });
  });

  test("sends standard input until it closes it", async () => {
    const { adb } = await startPhone();
    const process = await adb.subprocess.shellProtocol?.spawn("wc -c");
    if (!process) throw new Error("no shell protocol");
    const writer = process.stdin.getWriter();
    await writer.write(Buffer.from("twelve bytes"));
    await writer.close();
    expect((await collect(process.stdout)).toString()).toBe("12\n");
    expect(await process.exited).toBe(0);
  });

  test("pushes and pulls 5 MB unchanged, and the phone agrees on the sum", async () => {
    const { adb, text } = await startPhone();
    const data = randomBytes(5 * 1024 * 1024);
    const sync = await adb.sync();
    await sync.write({ filename: "/sdcard/Download/big.bin", file: streamOf(data) });
    expect(await text("sha256sum -b /sdcard/Download/big.bin")).toBe(
      `${createHash("sha256").update(data).digest("hex")}\n`,
    );
    expect((await collect(sync.read("/sdcard/Download/big.bin"))).equals(data)).toBe(true);
    expect(Number((await sync.stat("/sdcard/Download/big.bin")).size)).toBe(data.length);
    await sync.dispose();
  });

  test("is told what cannot be written or read, and can go on with the same conversation", async () => {
    const { adb } = await startPhone();
    const sync = await adb.sync();
    await expect(sync.write({ filename: "/system/bin/x", file: streamOf(Buffer.from("x")) })).rejects.toThrow(
      "Read-only file system",
    );
    await expect(collect(sync.read("/sdcard/none"))).rejects.toThrow("No such file or directory");
    expect((await sync.readdir("/sdcard")).map(({ name }) => name)).toContain("Download");
    expect(await sync.isDirectory("/sdcard/")).toBe(true);
    await sync.dispose();
  });

  test.each([
    ["a path that is too long", Buffer.concat([Buffer.from("STAT"), uint32(5_000)]), "invalid namelen"],
    [
      "an unknown request",
      Buffer.concat([Buffer.from("WHAT"), uint32(1), Buffer.from("x")]),
      "unknown command 54414857",
    ],
    [
      "more data than one message may hold",
      Buffer.concat([
        Buffer.from("SEND"),
        uint32(14),
        Buffer.from("/sdcard/x,3326"),
        Buffer.from("DATA"),
        uint32(65_537),
      ]),
      "oversize data message",
    ],
  ])("ends the transfer after %s", async (_, bytes, reason) => {
    const { adb } = await startPhone();
    const socket = await adb.createSocket("sync:");
    await socket.writable.getWriter().write(bytes);
    expect((await collect(socket.readable)).toString("latin1").slice(8)).toBe(reason);
  });

  test("reads the framebuffer", async () => {
    const { adb } = await startPhone({ width: 360, height: 640, density: 160 });
    const frame = await adb.framebuffer();
    expect(frame).toMatchObject({ width: 360, height: 640, bpp: 32 });
    expect(frame.data.length).toBe(360 * 640 * 4);
  });

  test("is reached by the phone through a reversed name", async () => {
    const { adb } = await startPhone();
    const received = createDeferred();
    const talk = async (socket: AdbSocket) => {
      await socket.writable.getWriter().write(Buffer.from("from host"));
      for await (const chunk of socket.readable) received.resolve(Buffer.from(chunk).toString());
    };
    await adb.reverse.add("localabstract:meeting", (socket) => void talk(socket));
    expect((await adb.reverse.list()).map(({ localName }) => localName)).toEqual(["localabstract:meeting"]);
    const socket = await adb.createSocket("localabstract:meeting");
    const writer = socket.writable.getWriter();
    await writer.write(Buffer.from("from phone"));
    expect(await received.promise).toBe("from phone");
    const answer = await socket.readable.getReader().read();
    expect(Buffer.from(answer.value ?? []).toString()).toBe("from host");
  });

  test("opens a port of the phone, and is refused where nothing listens", async () => {
    const { adb } = await startPhone();
    const server = createServer((socket) => socket.end("hello"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    expect((await collect((await adb.createSocket(`tcp:${address.port}`)).readable)).toString()).toBe("hello");
    await expect(adb.createSocket("tcp:1")).rejects.toThrow();
    await expect(adb.createSocket("localabstract:nobody")).rejects.toThrow();
  });

  test("runs 100 commands at once", async () => {
    const { text } = await startPhone();
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => text(`echo ${index}`)));
    expect(answers).toEqual(Array.from({ length: 100 }, (_, index) => `${index}\n`));
  });
});
