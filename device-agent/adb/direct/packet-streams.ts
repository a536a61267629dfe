import type { Socket } from "node:net";
import { type AdbDaemonConnection, AdbPacket, AdbPacketSerializeStream } from "@yume-chan/adb";
import { Consumable, StructDeserializeStream, WrapWritableStream } from "@yume-chan/stream-extra";
import { socketStreams } from "../server/connector.ts";

/** A connected socket as streams of ADB packets. */
export function packetStreams(socket: Socket): AdbDaemonConnection {
  return {
    readable: socketStreams(socket).readable.pipeThrough(new StructDeserializeStream(AdbPacket)),
    writable: new WrapWritableStream(
      new Consumable.WritableStream<Uint8Array>({
        // Never rejects: the library sends acknowledgements without looking, and that the connection is lost shows on
        // the reading side.
        write: (chunk) =>
          new Promise((resolve) => {
            if (socket.destroyed) resolve();
            else socket.write(chunk, () => resolve());
          }),
        close: () => void socket.end(),
        abort: () => void socket.destroy(),
      }),
    ).bePipedThroughFrom(new AdbPacketSerializeStream()),
  };
}
