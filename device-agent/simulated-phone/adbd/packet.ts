/** The 24-byte message of the adb transport; layout as in AOSP packages/modules/adb/protocol.txt. */
export const PacketType = {
  CNXN: 0x4e584e43,
  AUTH: 0x48545541,
  OPEN: 0x4e45504f,
  OKAY: 0x59414b4f,
  WRTE: 0x45545257,
  CLSE: 0x45534c43,
} as const;

export interface Packet {
  readonly type: number;
  readonly arg0: number;
  readonly arg1: number;
  readonly checksum: number;
  readonly payload: Buffer;
}

export class MalformedPacketError extends Error {
  override name = "MalformedPacketError";
}

const HEADER_BYTES = 24;

export function checksumOf(payload: Buffer): number {
  let sum = 0;
  for (const byte of payload) sum = (sum + byte) >>> 0;
  return sum;
}

export function encodeHeader(type: number, arg0: number, arg1: number, payload: Buffer, withChecksum: boolean): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt32LE(type, 0);
  header.writeUInt32LE(arg0 >>> 0, 4);
  header.writeUInt32LE(arg1 >>> 0, 8);
  header.writeUInt32LE(payload.length, 12);
  header.writeUInt32LE(withChecksum ? checksumOf(payload) : 0, 16);
  header.writeUInt32LE((type ^ 0xffffffff) >>> 0, 20);
  return header;
}

/** Cuts a byte stream into packets. Throws MalformedPacketError on a bad header; the connection is then lost. */
export function createPacketReader(maxPayloadBytes: number): { push(chunk: Buffer): Packet[] } {
  let chunks: Buffer[] = [];
  let bufferedBytes = 0;
  let neededBytes = HEADER_BYTES;

  return {
    push(chunk) {
      chunks.push(chunk);
      bufferedBytes += chunk.length;
      if (bufferedBytes < neededBytes) return [];
      let buffer = chunks.length === 1 ? chunk : Buffer.concat(chunks);
      const packets: Packet[] = [];
      neededBytes = HEADER_BYTES;
      while (buffer.length >= HEADER_BYTES) {
        const length = checkedLength(buffer, maxPayloadBytes);
        if (buffer.length < HEADER_BYTES + length) {
          neededBytes = HEADER_BYTES + length;
          break;
        }
        packets.push({
          type: buffer.readUInt32LE(0),
          arg0: buffer.readUInt32LE(4),
          arg1: buffer.readUInt32LE(8),
          checksum: buffer.readUInt32LE(16),
          payload: buffer.subarray(HEADER_BYTES, HEADER_BYTES + length),
        });
        buffer = buffer.subarray(HEADER_BYTES + length);
      }
      chunks = buffer.length > 0 ? [buffer] : [];
      bufferedBytes = buffer.length;
      return packets;
    },
  };
}

function checkedLength(header: Buffer, maxPayloadBytes: number): number {
  const type = header.readUInt32LE(0);
  if ((type ^ 0xffffffff) >>> 0 !== header.readUInt32LE(20)) throw new MalformedPacketError("magic does not match");
  const length = header.readUInt32LE(12);
  if (length > maxPayloadBytes) throw new MalformedPacketError(`payload of ${length} bytes is too large`);
  return length;
}
