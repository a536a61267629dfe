import type { Frame } from "./picture-encoder.ts";

/** PixelFormat of AOSP: RGBA_8888, RGBX_8888. Others exist and are left to PNG. */
const fourByteFormats = [1, 2];

/**
 * A frame of `screencap` without `-p`: width, height, format and, from Android 9 on, a colour space, each 32 bits
 * little endian, then the pixels. Which head it is follows from the length. Undefined for anything else.
 */
export function readRawFrame(data: Uint8Array): Extract<Frame, { kind: "rgba" }> | undefined {
  if (data.length < 12) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const width = view.getUint32(0, true);
  const height = view.getUint32(4, true);
  const head = data.length - width * height * 4;
  if (width === 0 || height === 0 || (head !== 12 && head !== 16)) return undefined;
  if (!fourByteFormats.includes(view.getUint32(8, true))) return undefined;
  return { kind: "rgba", size: { width, height }, bytes: data.subarray(head) };
}
