import { randomBytes } from "node:crypto";

const letters = "abcdefghijklmnopqrstuvwxyz234567";

/** An unguessable text of `[a-z2-7]`, five bits a letter. */
export function randomId(length: number): string {
  return Array.from(randomBytes(length), (byte) => letters.charAt(byte % letters.length)).join("");
}
