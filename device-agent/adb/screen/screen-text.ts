import type { Bounds, ReadText, Size } from "../../../shared/device.ts";
import { notInstalled } from "../../ocr/add-on.ts";
import type { TextReader } from "../../ocr/text-reader.ts";
import type { ScreenCapture } from "./capture.ts";

export interface ScreenTextParts {
  capture: Pick<ScreenCapture, "pixels">;
  /** Left out: nothing reads pixels here. */
  reader: TextReader | undefined;
}

/** Reads the texts in the pixels of one phone's screen, boxes in the pixels in which touches count. */
export async function readScreenText({ capture, reader }: ScreenTextParts, signal: AbortSignal): Promise<ReadText> {
  if (!reader) throw notInstalled();
  const missing = await reader.missing();
  if (missing !== undefined) throw notInstalled(missing);
  const { pixels, size, rotation, black } = await capture.pixels(signal);
  const texts = black ? [] : await reader.read(pixels, signal);
  return {
    size,
    rotation,
    black,
    texts: texts.map((text) => ({ ...text, bounds: scaled(text.bounds, pixels.size, size) })),
  };
}

function scaled({ left, top, right, bottom }: Bounds, from: Size, to: Size): Bounds {
  const across = to.width / from.width;
  const down = to.height / from.height;
  return {
    left: Math.round(left * across),
    top: Math.round(top * down),
    right: Math.round(right * across),
    bottom: Math.round(bottom * down),
  };
}
