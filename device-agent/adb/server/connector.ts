import { createConnection, type Socket } from "node:net";
import type { AdbServerClient } from "@yume-chan/adb";
import { MaybeConsumable, ReadableStream, type ReadableStreamDefaultController } from "@yume-chan/stream-extra";

/** Where the adb server listens. */
export type AdbServerAddress = { host: string; port: number } | { path: string };

/**
 * Connects to the adb server. Unlike the library's own connector it reports a reset as an error, ends a connection at
 * once when its signal aborts, and gives up a connect after `connectTimeoutMs`.
 */
export function createServerConnector(
  address: AdbServerAddress,
  connectTimeoutMs = 3000,
): AdbServerClient.ServerConnector {
  const unsupported = () => {
    throw new TypeError("Reverse tunnels are not used.");
  };
  return {
    async connect({ signal } = {}) {
      signal?.throwIfAborted();
      const socket = createConnection({ noDelay: true, ...address });
      const abort = () => socket.destroy(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
      signal?.addEventListener("abort", abort);
      socket.once("close", () => signal?.removeEventListener("abort", abort));
      await connected(socket, connectTimeoutMs);
      return socketStreams(socket);
    },
    addReverseTunnel: unsupported,
    removeReverseTunnel: unsupported,
    clearReverseTunnels: unsupported,
  };
}

/** Resolves when the socket is connected; else it is destroyed and the promise rejects. */
export function connected(socket: Socket, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error("connect timeout"), { code: "ETIMEDOUT" })),
      timeoutMs,
    );
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    socket.once("error", fail);
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.off("error", fail);
      resolve();
    });
  });
}

/** A connected socket as web streams; a lost connection is an error of the readable, a FIN is its end. */
export function socketStreams(socket: Socket): AdbServerClient.ServerConnection {
  let failure: Error | undefined;
  socket.on("error", (error) => {
    failure = error;
  });
  const closed = new Promise<undefined>((resolve) => socket.once("close", () => resolve(undefined)));
  return {
    readable: readableOf(socket, () => failure),
    writable: new MaybeConsumable.WritableStream<Uint8Array>({
      // Never rejects: the library has writes that nobody looks at, and that the connection is lost shows on the
      // reading side.
      write: (chunk) =>
        new Promise((resolve) => {
          if (socket.destroyed) resolve();
          else socket.write(chunk, () => resolve());
        }),
      close: () => void socket.end(),
      abort: () => void socket.destroy(),
    }),
    closed,
    close: () => void socket.destroy(),
  };
}

function readableOf(socket: Socket, failure: () => Error | undefined): ReadableStream<Uint8Array> {
  let over = false;
  const finish = (controller: ReadableStreamDefaultController<Uint8Array>, ended: boolean) => {
    if (over) return;
    over = true;
    if (ended) controller.close();
    else controller.error(failure() ?? Object.assign(new Error("connection lost"), { code: "ECONNRESET" }));
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      socket.on("data", (chunk: Buffer) => {
        if (over) return;
        controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
        if ((controller.desiredSize ?? 0) <= 0) socket.pause();
      });
      socket.once("end", () => finish(controller, true));
      socket.once("close", () => finish(controller, false));
    },
    pull: () => void socket.resume(),
    cancel() {
      over = true;
      socket.destroy();
    },
  });
}
