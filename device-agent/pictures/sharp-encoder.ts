import type Sharp from "sharp";
import { encodePicture } from "./encode-picture.ts";
import type { Frame, PictureEncoder } from "./picture-encoder.ts";
import type { Pixels } from "./pixels.ts";

/** Encodes with libvips. */
export function createSharpEncoder(sharp: typeof Sharp): PictureEncoder {
  const decode = async (frame: Frame): Promise<Pixels> => {
    if (frame.kind === "rgba") return { size: frame.size, channels: 4, data: frame.bytes };
    const { data, info } = await sharp(frame.bytes).removeAlpha().toColourspace("srgb").raw().toBuffer({
      resolveWithObject: true,
    });
    return { size: { width: info.width, height: info.height }, channels: info.channels === 4 ? 4 : 3, data };
  };
  return {
    decode,
    async encode(frame, request) {
      const pixels = await decode(frame);
      const raw = { ...pixels.size, channels: pixels.channels };
      return encodePicture(pixels, request, async ({ size, quality }) => {
        const picture = sharp(pixels.data, { raw }).removeAlpha();
        if (size.width !== raw.width || size.height !== raw.height)
          picture.resize(size.width, size.height, { fit: "fill" });
        return picture.jpeg({ quality }).toBuffer();
      });
    },
  };
}
