import type { DuplexStream } from "../phone/duplex-stream.ts";
import { StreamClosedError } from "../phone/duplex-stream.ts";

/** What a stream needs of its connection. */
export interface StreamTransport {
  readonly maxPayloadBytes: number;
  readonly hasDelayedAck: boolean;
  sendWrite(localId: number, remoteId: number, payload: Buffer): Promise<void>;
  sendReady(localId: number, remoteId: number, acknowledgedBytes: number): void;
  sendClose(localId: number, remoteId: number): void;
  forget(localId: number): void;
}

/** One stream of the adb protocol, seen from the phone. */
export interface AdbStream extends DuplexStream {
  readonly localId: number;
  /** From the connection: the host took data, or opened the stream. */
  onReady(remoteId: number, acknowledgedBytes: number): void;
  onData(payload: Buffer): void;
  onClose(): void;
}

/** Bytes the phone lets the host send ahead before a service has read them. */
const RECEIVE_WINDOW_BYTES = 256 * 1024;

export function createAdbStream(
  transport: StreamTransport,
  localId: number,
  initialRemoteId: number,
  initialWindow: number,
): AdbStream {
  let remoteId = initialRemoteId;
  let sendWindow = initialWindow;
  let isAwaitingReady = initialRemoteId === 0;
  let isClosed = false;
  let isEnded = false;
  let unreadBytes = 0;
  let owedBytes = 0;
  let owesReady = false;
  const unread: Buffer[] = [];
  const readers: ((chunk: Buffer | undefined) => void)[] = [];
  const senders: (() => void)[] = [];
  const lifetime = new AbortController();

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    transport.forget(localId);
    transport.sendClose(localId, remoteId);
    for (const wake of senders.splice(0)) wake();
    for (const read of readers.splice(0)) read(undefined);
    lifetime.abort(new StreamClosedError());
  }

  function acknowledge(): void {
    if (isClosed || unreadBytes > RECEIVE_WINDOW_BYTES) return;
    if (transport.hasDelayedAck ? owedBytes === 0 : !owesReady) return;
    transport.sendReady(localId, remoteId, owedBytes);
    owedBytes = 0;
    owesReady = false;
  }

  const mustWait = () => (transport.hasDelayedAck ? sendWindow <= 0 : isAwaitingReady);

  async function untilHostIsReady(): Promise<void> {
    while (!isClosed && mustWait()) await new Promise<void>((resolve) => senders.push(resolve));
    if (isClosed) throw new StreamClosedError();
  }

  let lastWrite: Promise<void> = Promise.resolve();
  async function writeAll(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; at += transport.maxPayloadBytes) {
      await untilHostIsReady();
      const chunk = bytes.subarray(at, at + transport.maxPayloadBytes);
      isAwaitingReady = true;
      sendWindow -= chunk.length;
      await transport.sendWrite(localId, remoteId, chunk);
    }
  }

  return {
    localId,
    signal: lifetime.signal,
    write(bytes) {
      if (isClosed || isEnded) return Promise.reject(new StreamClosedError());
      const written = lastWrite.then(() => writeAll(bytes));
      lastWrite = written.catch(() => {});
      return written;
    },
    read() {
      const chunk = unread.shift();
      if (chunk === undefined)
        return isClosed ? Promise.resolve(undefined) : new Promise((resolve) => readers.push(resolve));
      unreadBytes -= chunk.length;
      acknowledge();
      return Promise.resolve(chunk);
    },
    async end() {
      if (isEnded || isClosed) return;
      isEnded = true;
      await lastWrite;
      // adbd sees the end of its local socket only after the host asked for more.
      if (!transport.hasDelayedAck) await untilHostIsReady().catch(() => {});
      close();
    },
    destroy: close,
    onReady(peerId, acknowledgedBytes) {
      if (remoteId === 0) remoteId = peerId;
      isAwaitingReady = false;
      sendWindow += acknowledgedBytes;
      for (const wake of senders.splice(0)) wake();
    },
    onData(payload) {
      owedBytes += payload.length;
      owesReady = true;
      const reader = readers.shift();
      if (reader) reader(payload);
      else {
        unread.push(payload);
        unreadBytes += payload.length;
      }
      acknowledge();
    },
    onClose: close,
  };
}
