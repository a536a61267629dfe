import { CodedError } from "../errors.ts";

export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(binary);
}

/** Throws `invalid_argument`. Line breaks and missing padding are fine. */
export function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch (cause) {
    throw new CodedError("invalid_argument", "The content is no base64.", {
      hint: 'Send base64 with the standard alphabet, or encoding "text".',
      cause,
    });
  }
}
