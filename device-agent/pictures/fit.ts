import type { Size } from "../../shared/device.ts";
import type { EncodeRequest } from "./picture-encoder.ts";

export interface Attempt {
  size: Size;
  quality: number;
}

/** The largest size of the same shape within the request; at least one pixel, never enlarged. */
export function fittingSize(native: Size, { maxWidth, maxSide }: Pick<EncodeRequest, "maxWidth" | "maxSide">): Size {
  const scale = Math.min(1, maxWidth / native.width, maxSide / Math.max(native.width, native.height));
  return scaled(native, scale);
}

/** Below this, letters on a screen can no longer be read; a smaller picture serves better. */
const LEAST_QUALITY = 40;

/**
 * Encodes with falling quality, then falling size, until the result holds `maxBytes`. Noise needs several steps; a
 * usual screen one. The smallest attempt is returned even if it is still too large: nothing smaller is a picture.
 */
export async function encodeToFit(
  native: Size,
  request: EncodeRequest,
  encode: (attempt: Attempt) => Promise<Uint8Array>,
): Promise<Attempt & { bytes: Uint8Array }> {
  let size = fittingSize(native, request);
  let quality = Math.max(1, Math.min(100, Math.round(request.quality)));
  for (;;) {
    const bytes = await encode({ size, quality });
    if (bytes.length <= request.maxBytes || Math.max(size.width, size.height) <= 32) return { size, quality, bytes };
    const excess = bytes.length / request.maxBytes;
    if (quality > LEAST_QUALITY) quality = excess > 2 ? LEAST_QUALITY : Math.max(LEAST_QUALITY, quality - 15);
    else size = scaled(size, Math.min(0.9, 0.97 / Math.sqrt(excess)));
  }
}

function scaled({ width, height }: Size, scale: number): Size {
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
