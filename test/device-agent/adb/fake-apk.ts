import { crc32, deflateRawSync } from "node:zlib";

/** As little of an APK as tells which package it is: a zip archive with a manifest of one string. */
export function fakeApk(packageName: string, padBytes = 0): Buffer {
  const name = Buffer.from("AndroidManifest.xml");
  const content = Buffer.from(`\u0003\u0000${packageName}\u0000`, "utf16le");
  return zipOf(name, content, padBytes);
}

function zipOf(name: Buffer, content: Buffer, padBytes: number): Buffer {
  const packed = deflateRawSync(content);
  const sizes = uint32(crcOf(content), packed.length, content.length);
  const names = uint16(name.length, 0);
  const local = Buffer.concat([uint32(0x04034b50), uint16(20, 0, 8, 0, 0), sizes, names, name, packed]);
  const pad = Buffer.alloc(padBytes, 0x5a);
  const central = Buffer.concat([
    uint32(0x02014b50),
    uint16(20, 20, 0, 8, 0, 0),
    sizes,
    names,
    uint16(0, 0, 0),
    uint32(0, 0),
    name,
  ]);
  const at = local.length + pad.length;
  const end = Buffer.concat([uint32(0x06054b50), uint16(0, 0, 1, 1), uint32(central.length, at), uint16(0)]);
  return Buffer.concat([local, pad, central, end]);
}

const crcOf = (bytes: Buffer) => crc32(bytes);

function uint16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2);
  return bytes;
}

function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
}
