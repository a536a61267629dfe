import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { AdbCredentialStore } from "@yume-chan/adb";

/**
 * The RSA key by which phones know this device agent, in a file of our own that only its user can read; made when it
 * is not there. Throws when the file cannot be read or written.
 */
export function createKeyFile(path: string, name: string): AdbCredentialStore {
  const key = { buffer: new Uint8Array((load(path) ?? create(path)).export({ type: "pkcs8", format: "der" })), name };
  return {
    generateKey: () => key,
    *iterateKeys() {
      yield key;
    },
  };
}

function load(path: string): KeyObject | undefined {
  try {
    return createPrivateKey(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function create(path: string): KeyObject {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent: 65_537 });
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flag: "wx" });
  return privateKey;
}
