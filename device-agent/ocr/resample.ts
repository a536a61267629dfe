import type { Bounds, Size } from "../../shared/device.ts";
import type { Pixels } from "../pictures/pixels.ts";
import type { Tensor } from "./tensor.ts";

/** Per channel in the order blue, green, red, for values from 0 to 1. */
export interface Normalisation {
  mean: readonly [number, number, number];
  deviation: readonly [number, number, number];
}

export interface Resampling {
  /** The part of the picture to take, whole pixels inside it. */
  area: Bounds;
  to: Size;
  /** Columns of the tensor; those right of `to` are 0. */
  columns?: number;
  normalisation: Normalisation;
}

/** The source samples that make one target sample, and how much each counts. */
interface Taps {
  first: Int32Array;
  perTarget: number;
  weights: Float32Array;
}

const channels = 3;

/**
 * A part of a picture at another size, as a tensor 1 × 3 × height × columns in blue, green, red (as the models were
 * trained). Every source pixel counts when shrinking, so that thin strokes stay.
 */
export function resample(image: Pixels, { area, to, columns = to.width, normalisation }: Resampling): Tensor {
  const across = taps(area.right - area.left, to.width);
  const down = taps(area.bottom - area.top, to.height);
  const rows = narrow(image, area, to.width, across);
  const plane = to.height * columns;
  const data = new Float32Array(channels * plane);
  for (let channel = 0; channel < channels; channel++) {
    const scale = 1 / (255 * (normalisation.deviation[channel] ?? 1));
    const shift = (normalisation.mean[channel] ?? 0) / (normalisation.deviation[channel] ?? 1);
    for (let y = 0; y < to.height; y++) {
      const first = down.first[y] ?? 0;
      for (let x = 0; x < to.width; x++) {
        let sum = 0;
        for (let tap = 0; tap < down.perTarget; tap++) {
          const weight = down.weights[y * down.perTarget + tap] ?? 0;
          if (weight !== 0) sum += weight * (rows[((first + tap) * to.width + x) * channels + channel] ?? 0);
        }
        data[channel * plane + y * columns + x] = sum * scale - shift;
      }
    }
  }
  return { data, dims: [1, channels, to.height, columns] };
}

/** The area with its final width and its old height; blue, green, red interleaved. */
function narrow(image: Pixels, area: Bounds, width: number, across: Taps): Float32Array {
  const { data, size, channels: step } = image;
  const height = area.bottom - area.top;
  const out = new Float32Array(height * width * channels);
  for (let y = 0; y < height; y++) {
    const row = (area.top + y) * size.width + area.left;
    for (let x = 0; x < width; x++) {
      let red = 0;
      let green = 0;
      let blue = 0;
      const first = row + (across.first[x] ?? 0);
      for (let tap = 0; tap < across.perTarget; tap++) {
        const weight = across.weights[x * across.perTarget + tap] ?? 0;
        if (weight === 0) continue;
        const at = (first + tap) * step;
        red += weight * (data[at] ?? 0);
        green += weight * (data[at + 1] ?? 0);
        blue += weight * (data[at + 2] ?? 0);
      }
      const at = (y * width + x) * channels;
      out[at] = blue;
      out[at + 1] = green;
      out[at + 2] = red;
    }
  }
  return out;
}

/** A triangle as wide as one target sample, at least two source samples: bilinear when enlarging, a mean when shrinking. */
function taps(from: number, to: number): Taps {
  const ratio = from / to;
  const reach = Math.max(1, ratio);
  const perTarget = Math.ceil(reach) * 2 + 1;
  const first = new Int32Array(to);
  const weights = new Float32Array(to * perTarget);
  for (let target = 0; target < to; target++) {
    const centre = (target + 0.5) * ratio;
    const start = Math.max(0, Math.floor(centre - reach + 0.5));
    const end = Math.min(from, start + perTarget, Math.floor(centre + reach + 0.5));
    first[target] = start;
    let sum = 0;
    for (let source = start; source < end; source++) {
      const weight = Math.max(0, 1 - Math.abs((source + 0.5 - centre) / reach));
      weights[target * perTarget + source - start] = weight;
      sum += weight;
    }
    for (let source = start; source < end; source++) {
      const at = target * perTarget + source - start;
      weights[at] = (weights[at] ?? 0) / sum;
    }
  }
  return { first, perTarget, weights };
}
