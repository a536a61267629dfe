import { createHash } from "node:crypto";
import type { Size } from "../../shared/device.ts";

/** Decoded pixels, `channels` bytes each, rows from top to bottom. */
export interface Pixels {
  size: Size;
  channels: 3 | 4;
  data: Uint8Array;
}

/** Black as panels and video codecs give it. */
const NEARLY_BLACK = 8;

export function blackShare({ data, channels }: Pixels): number {
  let black = 0;
  for (let at = 0; at + 2 < data.length; at += channels) {
    const red = data[at] ?? 0;
    const green = data[at + 1] ?? 0;
    const blue = data[at + 2] ?? 0;
    if (red <= NEARLY_BLACK && green <= NEARLY_BLACK && blue <= NEARLY_BLACK) black++;
  }
  return data.length === 0 ? 1 : black / (data.length / channels);
}

/** Of colours only: what a phone writes for alpha differs between its formats. */
export function fingerprint(pixels: Pixels): string {
  const { width, height } = pixels.size;
  return createHash("sha1").update(`${width}x${height}:`).update(colours(pixels)).digest("base64url");
}

function colours({ data, channels }: Pixels): Uint8Array {
  if (channels === 3) return data;
  const rgb = new Uint8Array((data.length / 4) * 3);
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    rgb[to] = data[from] ?? 0;
    rgb[to + 1] = data[from + 1] ?? 0;
    rgb[to + 2] = data[from + 2] ?? 0;
  }
  return rgb;
}
