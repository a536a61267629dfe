import type { Socket } from "node:net";
import { type DuplexStream, StreamClosedError } from "../phone/duplex-stream.ts";
import { createBytePipe } from "../shell/byte-pipe.ts";

/** A network socket as a stream of the phone. */
export function socketStream(socket: Socket): DuplexStream {
  const incoming = createBytePipe();
  const lifetime = new AbortController();
  socket.on("data", (chunk) => {
    socket.pause();
    incoming.write(chunk).then(
      () => socket.resume(),
      () => socket.destroy(),
    );
  });
  socket.on("end", () => incoming.closeWriter());
  // "close" follows and does the work.
  socket.on("error", () => {});
  socket.on("close", () => {
    incoming.closeWriter();
    lifetime.abort(new StreamClosedError());
  });
  return {
    signal: lifetime.signal,
    read: () => incoming.read(),
    write: (bytes) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) reject(new StreamClosedError());
        else socket.write(bytes, (error) => (error ? reject(new StreamClosedError()) : resolve()));
      }),
    end: () => new Promise((resolve) => (socket.destroyed ? resolve() : socket.end(() => resolve()))),
    destroy: () => void socket.destroy(),
  };
}
