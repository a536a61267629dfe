import type { TextBox } from "../../shared/device.ts";
import type { Pixels } from "../pictures/pixels.ts";

/** To the process that reads. One picture at a time; a canceled one is answered all the same. */
export type ToReader = { type: "read"; id: number; image: Pixels } | { type: "cancel"; id: number };

/** From it. `unusable`: the models cannot be loaded, and the process ends. */
export type FromReader =
  | { type: "texts"; id: number; texts: TextBox[] }
  | { type: "failed"; id: number; reason: string }
  | { type: "unusable"; reason: string };
