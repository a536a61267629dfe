import { type Attempt, encodeToFit } from "./fit.ts";
import { mimeTypeOf } from "./mime-type.ts";
import type { EncodedPicture, EncodeRequest } from "./picture-encoder.ts";
import { blackShare, fingerprint, type Pixels } from "./pixels.ts";

/** What every encoder does with decoded pixels; only decoding and the JPEG itself differ. */
export async function encodePicture(
  pixels: Pixels,
  request: EncodeRequest,
  toJpeg: (attempt: Attempt) => Promise<Uint8Array>,
): Promise<EncodedPicture> {
  const { size, quality, bytes } = await encodeToFit(pixels.size, request, toJpeg);
  const mimeType = mimeTypeOf(bytes);
  if (!mimeType) throw new TypeError("The encoder gave neither a JPEG nor a PNG.");
  return {
    bytes,
    mimeType,
    size,
    native: pixels.size,
    quality,
    blackShare: blackShare(pixels),
    fingerprint: fingerprint(pixels),
  };
}
