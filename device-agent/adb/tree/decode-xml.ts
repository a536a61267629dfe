const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** Most values by far: nothing to decode and nothing forbidden. */
const plain = /^[\t\n\r -%'-~\u00a0-\ud7ff]*$/;
const REPLACEMENT = "\u{fffd}";

/**
 * The text that an attribute value stands for. Phones write what XML forbids: references to control characters, halves
 * of surrogate pairs as two references, raw control characters. Each becomes the character meant or U+FFFD; nothing is
 * dropped and nothing throws.
 */
export function decodeXmlText(raw: string): string {
  if (plain.test(raw)) return raw;
  const decoded = raw.includes("&") ? raw.replaceAll(/&(#x[0-9a-fA-F]+|#\d+|\w+);/g, decodeReference) : raw;
  return decoded.replaceAll(forbidden, REPLACEMENT);
}

function decodeReference(whole: string, name: string): string {
  if (!name.startsWith("#")) return named[name] ?? whole;
  const code = name[1] === "x" ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  if (!(code <= 0x10ffff)) return REPLACEMENT;
  // Halves of a pair are kept here: next to each other they are one character.
  return code <= 0xffff ? String.fromCharCode(code) : String.fromCodePoint(code);
}

/** Control characters except tab and line breaks, lone surrogates, and the two noncharacters that XML names. */
const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
