/**
 * Has a browser save a file under its name and never show it (RFC 6266): an ASCII name that every client reads, and the
 * whole one for those that know RFC 8187.
 */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_");
  // Half a pair of surrogates has no UTF-8; this replaces it.
  const wellFormed = new TextDecoder().decode(new TextEncoder().encode(name));
  const encoded = encodeURIComponent(wellFormed).replaceAll(/['()*]/g, percent);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
