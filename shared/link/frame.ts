/**
 * One message of the link: four bytes of head length (big endian), the head as JSON in UTF-8, then raw bytes to the
 * end. Raw bytes cost a fifth of base64's CPU.
 */
export interface Frame {
  head: unknown;
  body: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

export function encodeFrame(head: object, body: readonly Uint8Array[] = []): Uint8Array {
  const headBytes = encoder.encode(JSON.stringify(head));
  const bodyLength = body.reduce((sum, part) => sum + part.length, 0);
  const frame = new Uint8Array(4 + headBytes.length + bodyLength);
  new DataView(frame.buffer).setUint32(0, headBytes.length);
  frame.set(headBytes, 4);
  let offset = 4 + headBytes.length;
  for (const part of body) {
    frame.set(part, offset);
    offset += part.length;
  }
  return frame;
}

/** Throws TypeError on anything that is not a frame; the link is then closed with the protocol code. */
export function decodeFrame(frame: Uint8Array): Frame {
  if (frame.length < 4) throw new TypeError("A link frame needs a head length.");
  const headLength = new DataView(frame.buffer, frame.byteOffset, frame.byteLength).getUint32(0);
  if (headLength > frame.length - 4) throw new TypeError("A link frame is shorter than its head.");
  let head: unknown;
  try {
    head = JSON.parse(decoder.decode(frame.subarray(4, 4 + headLength)));
  } catch (cause) {
    throw new TypeError("A link frame's head is not JSON.", { cause });
  }
  return { head, body: frame.subarray(4 + headLength) };
}
