import type { Size } from "../../shared/device.ts";
import type { Pixels } from "./pixels.ts";

/** A whole frame as the phone gave it. */
export type Frame =
  | { kind: "png"; bytes: Uint8Array }
  /** Four bytes a pixel: red, green, blue, alpha. */
  | { kind: "rgba"; size: Size; bytes: Uint8Array };

export interface EncodeRequest {
  /** The picture is never enlarged. */
  maxWidth: number;
  maxSide: number;
  /** JPEG quality, 1–100, where stepping down begins. */
  quality: number;
  maxBytes: number;
}

export interface EncodedPicture {
  bytes: Uint8Array;
  mimeType: "image/jpeg" | "image/png";
  size: Size;
  native: Size;
  quality: number;
  /** Part of the frame's pixels that are (nearly) black, 0–1. */
  blackShare: number;
  /** Changes exactly when a pixel changes. */
  fingerprint: string;
}

export interface PictureEncoder {
  /** Throws when the frame cannot be decoded. */
  encode(frame: Frame, request: EncodeRequest): Promise<EncodedPicture>;
  /** The frame's pixels at their own size. Throws when it cannot be decoded. */
  decode(frame: Frame): Promise<Pixels>;
}
