import { constants, createPublicKey, type KeyObject, publicDecrypt, timingSafeEqual } from "node:crypto";

/** DER prefix of a SHA-1 DigestInfo: the host signs the 20-byte token as if it were a SHA-1 digest. */
const SHA1_DIGEST_INFO = Buffer.from("3021300906052b0e03021a05000414", "hex");

/** Text of an `adbkey.pub` (base64 of Android's RSAPublicKey struct, a space, a name) as a key object, or undefined. */
export function parseHostKey(text: string): KeyObject | undefined {
  const struct = Buffer.from(text.split(" ")[0] ?? "", "base64");
  if (struct.length < 12) return undefined;
  const modulusBytes = struct.readUInt32LE(0) * 4;
  if (modulusBytes < 128 || struct.length < 12 + 2 * modulusBytes) return undefined;
  const modulus = Buffer.from(struct.subarray(8, 8 + modulusBytes)).reverse();
  const exponent = Buffer.alloc(4);
  exponent.writeUInt32BE(struct.readUInt32LE(8 + 2 * modulusBytes));
  const significant = exponent.subarray(
    Math.max(
      0,
      exponent.findIndex((byte) => byte !== 0),
    ),
  );
  try {
    const jwk = { kty: "RSA", n: modulus.toString("base64url"), e: significant.toString("base64url") };
    return createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    return undefined;
  }
}

export function isTokenSignedBy(key: KeyObject, token: Buffer, signature: Buffer): boolean {
  try {
    const digestInfo = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature);
    const expected = Buffer.concat([SHA1_DIGEST_INFO, token]);
    return digestInfo.length === expected.length && timingSafeEqual(digestInfo, expected);
  } catch {
    return false;
  }
}
