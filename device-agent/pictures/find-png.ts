import { crc32 } from "node:zlib";
import type { Size } from "../../shared/device.ts";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Warnings in front of a picture are short. */
const SEARCH_BYTES = 16 * 1024;

export type FoundPng = { ok: true; bytes: Uint8Array; size: Size } | { ok: false; reason: string };

/**
 * The whole PNG in `data`: text before it and bytes behind it are dropped, and every chunk up to IEND must be there
 * with a correct checksum. Anything else names the reason.
 */
export function findPng(data: Uint8Array): FoundPng {
  const buffer = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const start = buffer.subarray(0, SEARCH_BYTES).indexOf(signature);
  if (start < 0) return { ok: false, reason: data.length === 0 ? "no bytes" : "no PNG signature" };
  let at = start + signature.length;
  let size: Size | undefined;
  for (;;) {
    if (at + 12 > buffer.length) return { ok: false, reason: "cut before the end" };
    const length = buffer.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > buffer.length) return { ok: false, reason: "cut before the end" };
    const body = buffer.subarray(at + 4, end - 4);
    if (crc32(body) !== buffer.readUInt32BE(end - 4)) return { ok: false, reason: "damaged on the way" };
    const type = body.toString("latin1", 0, 4);
    if (type === "IHDR" && length >= 8) size = { width: body.readUInt32BE(4), height: body.readUInt32BE(8) };
    at = end;
    if (type === "IEND") break;
  }
  if (!size || size.width === 0 || size.height === 0) return { ok: false, reason: "no size" };
  return { ok: true, bytes: buffer.subarray(start, at), size };
}
