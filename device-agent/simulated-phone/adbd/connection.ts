import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import type { DuplexStream } from "../phone/duplex-stream.ts";
import { isTokenSignedBy, parseHostKey } from "./host-key.ts";
import {
  checksumOf,
  createPacketReader,
  encodeHeader,
  MalformedPacketError,
  type Packet,
  PacketType,
} from "./packet.ts";
import { type AdbStream, createAdbStream, type StreamTransport } from "./stream.ts";

export interface ConnectionIdentity {
  /** 0x01000000 (checksums) or 0x01000001. */
  readonly protocolVersion: number;
  readonly maxPayloadBytes: number;
  readonly features: readonly string[];
  /** `device::ro.product.name=…;` without the feature list. */
  readonly banner: string;
}

export interface KeyStore {
  readonly isOpen: boolean;
  keys(): Iterable<string>;
  /** Asks the person at the phone; `allow` may be called much later or never. */
  ask(key: string, allow: () => void): void;
}

/** A stream the host opened; exactly one of the two is called. */
export interface IncomingStream {
  readonly service: string;
  accept(): DuplexStream;
  refuse(): void;
}

export interface AdbdConnection {
  /** Asks the host to connect a stream to one of its own services (reverse forwarding). */
  openToHost(service: string): DuplexStream;
  setFrozen(isFrozen: boolean): void;
  destroy(): void;
}

export interface ConnectionDependencies {
  readonly identity: ConnectionIdentity;
  readonly keyStore: KeyStore;
  readonly log: (line: string) => void;
  onOpen(stream: IncomingStream, connection: AdbdConnection): void;
  onClosed(connection: AdbdConnection): void;
}

const AUTH_TOKEN = 1;
const AUTH_SIGNATURE = 2;
const AUTH_RSAPUBLICKEY = 3;
const VERSION_SKIP_CHECKSUM = 0x01000001;
/** INITIAL_DELAYED_ACK_BYTES of AOSP adb.h. */
const INITIAL_WINDOW_BYTES = 32 * 1024 * 1024;
const MAX_INCOMING_PAYLOAD_BYTES = 1024 * 1024;
const NOTHING = Buffer.alloc(0);

export function createAdbdConnection(socket: Socket, dependencies: ConnectionDependencies): AdbdConnection {
  const { identity, keyStore } = dependencies;
  const reader = createPacketReader(MAX_INCOMING_PAYLOAD_BYTES);
  const streams = new Map<number, AdbStream>();
  const session = {
    version: VERSION_SKIP_CHECKSUM,
    maxPayloadBytes: identity.maxPayloadBytes,
    hostFeatures: [] as readonly string[],
    hasDelayedAck: false,
    isOnline: false,
    sendsChecksum: true,
    token: NOTHING,
    nextId: 1,
  };
  let isFrozen = false;
  let heldBack: Buffer[] = [];

  function send(type: number, arg0: number, arg1: number, payload: Buffer = NOTHING): boolean {
    const bytes = [encodeHeader(type, arg0, arg1, payload, session.sendsChecksum), payload];
    if (isFrozen) {
      heldBack.push(...bytes);
      return true;
    }
    if (socket.destroyed) return true;
    socket.cork();
    let hasRoom = true;
    for (const part of bytes) if (part.length > 0) hasRoom = socket.write(part);
    socket.uncork();
    return hasRoom;
  }

  const transport: StreamTransport = {
    get maxPayloadBytes() {
      return session.maxPayloadBytes;
    },
    get hasDelayedAck() {
      return session.hasDelayedAck;
    },
    async sendWrite(localId, remoteId, payload) {
      if (send(PacketType.WRTE, localId, remoteId, payload)) return;
      await new Promise<void>((resolve) => {
        const done = () => {
          socket.off("drain", done);
          socket.off("close", done);
          resolve();
        };
        socket.on("drain", done);
        socket.on("close", done);
      });
    },
    sendReady(localId, remoteId, acknowledgedBytes) {
      send(PacketType.OKAY, localId, remoteId, session.hasDelayedAck ? uint32(acknowledgedBytes) : NOTHING);
    },
    sendClose: (localId, remoteId) => void send(PacketType.CLSE, localId, remoteId),
    forget: (localId) => void streams.delete(localId),
  };

  const connection: AdbdConnection = {
    openToHost(service) {
      const stream = addStream(0, 0);
      const window = session.hasDelayedAck ? INITIAL_WINDOW_BYTES : 0;
      send(PacketType.OPEN, stream.localId, window, Buffer.from(`${service}\0`));
      return stream;
    },
    setFrozen(frozen) {
      isFrozen = frozen;
      if (frozen) {
        socket.pause();
        return;
      }
      for (const bytes of heldBack) socket.write(bytes);
      heldBack = [];
      socket.resume();
    },
    destroy: () => void socket.destroy(),
  };

  function addStream(remoteId: number, window: number): AdbStream {
    const stream = createAdbStream(transport, session.nextId++, remoteId, window);
    streams.set(stream.localId, stream);
    return stream;
  }

  function sendToken(): void {
    session.token = randomBytes(20);
    send(PacketType.AUTH, AUTH_TOKEN, 0, session.token);
  }

  function goOnline(): void {
    if (socket.destroyed || session.isOnline) return;
    const features = identity.features.filter((name) => name !== "delayed_ack" || session.hostFeatures.includes(name));
    session.hasDelayedAck = features.includes("delayed_ack");
    const banner = `${identity.banner}features=${features.join(",")}`;
    send(PacketType.CNXN, identity.protocolVersion, identity.maxPayloadBytes, Buffer.from(banner));
    session.sendsChecksum = session.version < VERSION_SKIP_CHECKSUM;
    session.isOnline = true;
  }

  function onConnect(packet: Packet): void {
    // The host starts anew on the same socket: whatever was open is gone.
    for (const stream of [...streams.values()]) stream.onClose();
    session.isOnline = false;
    session.sendsChecksum = true;
    session.version = Math.min(packet.arg0, identity.protocolVersion);
    session.maxPayloadBytes = Math.max(1, Math.min(packet.arg1, identity.maxPayloadBytes));
    const features = /features=([^;\0]*)/.exec(packet.payload.toString("latin1"))?.[1] ?? "";
    session.hostFeatures = features.split(",");
    if (keyStore.isOpen) goOnline();
    else sendToken();
  }

  function onAuth(packet: Packet): void {
    if (packet.arg0 === AUTH_SIGNATURE) {
      const isKnown = [...keyStore.keys()].some((text) => {
        const key = parseHostKey(text);
        return key !== undefined && isTokenSignedBy(key, session.token, packet.payload);
      });
      if (isKnown) goOnline();
      else sendToken();
    } else if (packet.arg0 === AUTH_RSAPUBLICKEY) {
      const key = packet.payload.toString("latin1").replace(/\0+$/, "");
      if (parseHostKey(key)) keyStore.ask(key, goOnline);
    }
  }

  function onOpen(packet: Packet): void {
    if (packet.arg0 === 0) return;
    const remoteId = packet.arg0;
    const window = session.hasDelayedAck ? packet.arg1 : 0;
    dependencies.onOpen(
      {
        service: packet.payload.toString("utf8").replace(/\0+$/, ""),
        accept: () => {
          const stream = addStream(remoteId, window);
          transport.sendReady(stream.localId, remoteId, INITIAL_WINDOW_BYTES);
          if (socket.destroyed) stream.onClose();
          return stream;
        },
        refuse: () => void send(PacketType.CLSE, 0, remoteId),
      },
      connection,
    );
  }

  function onReady(packet: Packet): void {
    const acknowledged = session.hasDelayedAck && packet.payload.length >= 4 ? packet.payload.readInt32LE(0) : 0;
    streams.get(packet.arg1)?.onReady(packet.arg0, acknowledged);
  }

  function handle(packet: Packet): void {
    if (
      session.version < VERSION_SKIP_CHECKSUM &&
      packet.type !== PacketType.CNXN &&
      checksumOf(packet.payload) !== packet.checksum
    )
      throw new MalformedPacketError("checksum does not match");
    const stream = streams.get(packet.arg1);
    if (packet.type === PacketType.CNXN) onConnect(packet);
    else if (!session.isOnline) {
      if (packet.type === PacketType.AUTH) onAuth(packet);
    } else if (packet.type === PacketType.OPEN) onOpen(packet);
    else if (packet.type === PacketType.OKAY) onReady(packet);
    else if (packet.type === PacketType.CLSE) stream?.onClose();
    else if (packet.type === PacketType.WRTE) {
      // A copy, because the packet is a view into a whole network read that a queue would keep alive.
      if (stream) stream.onData(Buffer.from(packet.payload));
      else send(PacketType.CLSE, 0, packet.arg0);
    }
  }

  socket.setNoDelay(true);
  socket.on("data", (chunk) => {
    try {
      for (const packet of reader.push(chunk)) handle(packet);
    } catch (error) {
      dependencies.log(`adbd: connection dropped: ${error instanceof Error ? error.message : String(error)}`);
      socket.destroy();
    }
  });
  // A reset is followed by "close", which does the work.
  socket.on("error", () => {});
  socket.on("close", () => {
    for (const stream of [...streams.values()]) stream.onClose();
    dependencies.onClosed(connection);
  });
  return connection;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
