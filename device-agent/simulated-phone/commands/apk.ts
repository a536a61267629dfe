import { inflateRawSync } from "node:zlib";

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const STORED = 0;
const DEFLATED = 8;
const MAX_ENTRY_BYTES = 64 * 1024 * 1024;

/** Whether the bytes begin as a zip archive does. */
export function isZip(bytes: Buffer): boolean {
  return bytes.length >= 4 && bytes.readUInt32LE(0) === LOCAL_HEADER;
}

/** One entry of a zip archive, or undefined when it is missing or damaged. */
export function readZipEntry(archive: Buffer, name: string): Buffer | undefined {
  try {
    return findEntry(archive, name);
  } catch (error) {
    // Offsets of a cut or forged archive point outside of it.
    if (error instanceof RangeError || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}

function findEntry(archive: Buffer, name: string): Buffer | undefined {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || archive.readUInt32LE(end) !== END_OF_DIRECTORY) return undefined;
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0 && archive.readUInt32LE(at) === CENTRAL_HEADER; left--) {
    const nameLength = archive.readUInt16LE(at + 28);
    if (archive.toString("utf8", at + 46, at + 46 + nameLength) === name) return unpack(archive, at);
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return undefined;
}

function unpack(archive: Buffer, at: number): Buffer | undefined {
  const method = archive.readUInt16LE(at + 10);
  const packedBytes = archive.readUInt32LE(at + 20);
  const local = archive.readUInt32LE(at + 42);
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const packed = archive.subarray(start, start + packedBytes);
  if (method === STORED) return packed;
  return method === DEFLATED ? inflateRawSync(packed, { maxOutputLength: MAX_ENTRY_BYTES }) : undefined;
}

const PACKAGE_NAME = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/;
const NOT_A_PACKAGE = /^(android|com\.android)\./;

/** The package of an APK: in its compiled manifest, the first string that is formed as a package name. */
export function packageNameOf(apk: Buffer): string | undefined {
  const manifest = isZip(apk) ? readZipEntry(apk, "AndroidManifest.xml") : undefined;
  if (!manifest) return undefined;
  const strings = [
    ...manifest.toString("utf16le").matchAll(/[\w.]{3,}/g),
    ...manifest
      .subarray(1)
      .toString("utf16le")
      .matchAll(/[\w.]{3,}/g),
    ...manifest.toString("latin1").matchAll(/[\w.]{3,}/g),
  ];
  return strings.map(([text]) => text).find((text) => PACKAGE_NAME.test(text) && !NOT_A_PACKAGE.test(text));
}
