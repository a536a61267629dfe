import { encode as encodeJpeg } from "jpeg-js";
import { PNG } from "pngjs";
import type { Bounds, Size } from "../../shared/device.ts";
import { encodePicture } from "./encode-picture.ts";
import type { Frame, PictureEncoder } from "./picture-encoder.ts";
import type { Pixels } from "./pixels.ts";

/** Encodes in plain JavaScript, for machines on which sharp cannot be loaded (Termux, for one). */
export function createPlainEncoder(): PictureEncoder {
  return {
    decode: async (frame) => decode(frame),
    async encode(frame, request) {
      const pixels = decode(frame);
      return encodePicture(pixels, request, async ({ size, quality }) => {
        const data = Buffer.from(resize(pixels, size).data);
        return encodeJpeg({ data, width: size.width, height: size.height }, quality).data;
      });
    },
  };
}

function decode(frame: Frame): Pixels {
  if (frame.kind === "rgba") return { size: frame.size, channels: 4, data: frame.bytes };
  const { width, height, data } = PNG.sync.read(Buffer.from(frame.bytes));
  return { size: { width, height }, channels: 4, data };
}

/** Each target pixel is the mean of the source pixels that it covers. */
function resize({ size: from, data }: Pixels, to: Size): { data: Uint8Array } {
  if (from.width === to.width && from.height === to.height) return { data };
  const out = new Uint8Array(to.width * to.height * 4);
  for (let y = 0; y < to.height; y++) {
    const top = Math.floor((y * from.height) / to.height);
    const bottom = Math.max(top + 1, Math.floor(((y + 1) * from.height) / to.height));
    for (let x = 0; x < to.width; x++) {
      const left = Math.floor((x * from.width) / to.width);
      const right = Math.max(left + 1, Math.floor(((x + 1) * from.width) / to.width));
      writeMean(data, from.width, { left, top, right, bottom }, out, (y * to.width + x) * 4);
    }
  }
  return { data: out };
}

function writeMean(data: Uint8Array, width: number, area: Bounds, out: Uint8Array, at: number): void {
  const { left, top, right, bottom } = area;
  let red = 0;
  let green = 0;
  let blue = 0;
  for (let y = top; y < bottom; y++) {
    for (let from = (y * width + left) * 4; from < (y * width + right) * 4; from += 4) {
      red += data[from] ?? 0;
      green += data[from + 1] ?? 0;
      blue += data[from + 2] ?? 0;
    }
  }
  const count = (right - left) * (bottom - top);
  out[at] = red / count;
  out[at + 1] = green / count;
  out[at + 2] = blue / count;
  out[at + 3] = 255;
}
