import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { connect, type Socket } from "node:net";
import {
  Adb,
  type AdbCredentialStore,
  AdbDaemonTransport,
  AdbPacket,
  AdbPacketSerializeStream,
  type AdbPrivateKey,
} from "@yume-chan/adb";
import { Consumable, PushReadableStream, StructDeserializeStream, WrapWritableStream } from "@yume-chan/stream-extra";

/** A host without an adb server: ya-webadb on a TCP socket. */
export async function openDirectAdb(port: number, store: AdbCredentialStore = createMemoryKeys()): Promise<Adb> {
  const socket = await openSocket(port);
  const readable = new PushReadableStream<Uint8Array>((controller) => {
    socket.on("data", (chunk) => {
      socket.pause();
      controller.enqueue(chunk).then(
        () => socket.resume(),
        () => socket.destroy(),
      );
    });
    socket.on("close", () => {
      try {
        controller.close();
      } catch {
        // Closed from the other side already.
      }
    });
    socket.on("error", () => {});
  }).pipeThrough(new StructDeserializeStream(AdbPacket));
  const writable = new WrapWritableStream(
    new Consumable.WritableStream<Uint8Array>({
      // A write on a lost socket is no news: the end of the readable side tells it.
      write: (chunk) => new Promise((resolve) => socket.write(chunk, () => resolve())),
      close: () => void socket.end(),
      abort: () => void socket.destroy(),
    }),
  ).bePipedThroughFrom(new AdbPacketSerializeStream());
  const transport = await AdbDaemonTransport.authenticate({
    serial: `127.0.0.1:${port}`,
    connection: { readable, writable },
    credentialStore: store,
  });
  return new Adb(transport);
}

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    socket.once("error", reject);
    socket.once("connect", () => resolve(socket));
  });
}

export function createMemoryKeys(): AdbCredentialStore {
  const keys: AdbPrivateKey[] = [];
  return {
    generateKey() {
      const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent: 65537 });
      const pem = privateKey.export({ type: "pkcs8", format: "pem" });
      const key = {
        buffer: new Uint8Array(createPrivateKey(pem).export({ type: "pkcs8", format: "der" })),
        name: "desk@example",
      };
      keys.push(key);
      return key;
    },
    *iterateKeys() {
      yield* keys;
    },
  };
}
