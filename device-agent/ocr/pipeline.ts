import type { Bounds, Size, TextBox } from "../../shared/device.ts";
import type { Pixels } from "../pictures/pixels.ts";
import { decodeText } from "./decode-text.ts";
import { findBoxes } from "./find-boxes.ts";
import { type Normalisation, resample } from "./resample.ts";
import type { Model } from "./tensor.ts";

export interface PipelineParts {
  /** Says for each pixel of a picture whether it belongs to a text. */
  detection: Model;
  /** Says for each step from left to right which character is there. */
  recognition: Model;
  /** The characters that the recognition knows, in its order. */
  alphabet: readonly string[];
}

export type Pipeline = (image: Pixels, signal: AbortSignal) => Promise<TextBox[]>;

/** Longest side of what the detection sees; larger takes longer and finds smaller letters. */
const detectionSide = 1120;
/** The detection takes whole multiples of this. */
const detectionStep = 32;
/** What the recognition was trained with. */
const lineHeight = 48;
const lineStep = 64;
/** A longer line is squeezed into this. */
const lineMost = 3072;
/** A screen of noise must not take minutes. */
const mostBoxes = 400;

/** As PaddleOCR trained the models: it applies ImageNet's numbers in this order to blue, green, red. */
const forDetection: Normalisation = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };
const forRecognition: Normalisation = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] };

/** Detection, then recognition box by box. Stops between two boxes when the signal aborts. */
export function createPipeline({ detection, recognition, alphabet }: PipelineParts): Pipeline {
  const readLine = async (image: Pixels, bounds: Bounds): Promise<TextBox> => {
    const { width, columns } = lineSize(bounds);
    const to = { width, height: lineHeight };
    const input = resample(image, { area: bounds, to, columns, normalisation: forRecognition });
    return { ...decodeText(await recognition.run(input), alphabet), bounds };
  };
  return async (image, signal) => {
    signal.throwIfAborted();
    const { size } = image;
    if (size.width < 1 || size.height < 1) return [];
    const to = detectionSize(size);
    const area = { left: 0, top: 0, right: size.width, bottom: size.height };
    const { data } = await detection.run(resample(image, { area, to, normalisation: forDetection }));
    const texts: TextBox[] = [];
    for (const bounds of findBoxes({ size: to, data }, size).slice(0, mostBoxes)) {
      signal.throwIfAborted();
      const text = await readLine(image, bounds);
      if (text.text !== "") texts.push(text);
    }
    return texts;
  };
}

/** Never enlarged; each side a multiple of 32, at least 32. */
export function detectionSize({ width, height }: Size): Size {
  const scale = Math.min(1, detectionSide / Math.max(width, height));
  const side = (length: number) => Math.max(1, Math.round((length * scale) / detectionStep)) * detectionStep;
  return { width: side(width), height: side(height) };
}

/** Columns of a line at the height of the recognition, and of the tensor around it. */
export function lineSize(bounds: Bounds): { width: number; columns: number } {
  const ratio = (bounds.right - bounds.left) / (bounds.bottom - bounds.top);
  const width = Math.min(lineMost, Math.max(16, Math.round(lineHeight * ratio)));
  return { width, columns: Math.ceil(width / lineStep) * lineStep };
}
