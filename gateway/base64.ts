const charactersAtOnce = 0x2000;

/** Base64 where the runtime has nothing faster. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let offset = 0; offset < bytes.length; offset += charactersAtOnce) {
    binary += String.fromCharCode(...bytes.subarray(offset, offset + charactersAtOnce));
  }
  return btoa(binary);
}
