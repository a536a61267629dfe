import type { PictureEncoder } from "./picture-encoder.ts";
import { createPlainEncoder } from "./plain-encoder.ts";
import { createSharpEncoder } from "./sharp-encoder.ts";

/** sharp where it can be loaded on this machine, else plain JavaScript; `told` hears why. */
export async function createPictureEncoder(told: (reason: unknown) => void = () => {}): Promise<PictureEncoder> {
  try {
    const { default: sharp } = await import("sharp");
    return createSharpEncoder(sharp);
  } catch (error) {
    told(error);
    return createPlainEncoder();
  }
}
