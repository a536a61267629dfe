/** What the bytes are, whatever anybody meant them to be; undefined for anything but PNG and JPEG. */
export function mimeTypeOf(bytes: Uint8Array): "image/jpeg" | "image/png" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "image/jpeg";
  if (bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47) return "image/png";
  return undefined;
}
