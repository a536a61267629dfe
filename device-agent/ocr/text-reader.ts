import type { TextBox } from "../../shared/device.ts";
import type { Pixels } from "../pictures/pixels.ts";

/** Finds text in pixels. */
export interface TextReader {
  /** Why nothing can be read on this machine, as a sentence; undefined when it can. Checked anew each time. */
  missing(): Promise<string | undefined>;
  /**
   * The texts of a picture in reading order, boxes in its pixels. Pictures are read one after another. Throws
   * `unsupported` (not installed, or it cannot run here), `device_busy` (too many wait), `too_large`, `internal`, and
   * the signal's reason when it aborts.
   */
  read(image: Pixels, signal: AbortSignal): Promise<TextBox[]>;
  /** Gives all memory back. */
  close(): void;
}
