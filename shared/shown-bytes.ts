import type { OutputEnds } from "./device-control.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Controls other than tab and line feed, invisible spaces and direction marks: what could hide or disguise text. */
const hidden = /(?![\t\n])[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** Any bytes as text in which nothing hides: what is no UTF-8, or cannot be seen, is written as an escape. */
export function showBytes(bytes: Uint8Array): string {
  let text = "";
  let begun = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    if (length === 0) {
      text += `${escaped(bytes.subarray(begun, at))}\\x${hex(bytes[at] ?? 0)}`;
      begun = at + 1;
    }
    at += Math.max(1, length);
  }
  return text + escaped(bytes.subarray(begun));
}

/** Both ends with a line between them that tells how much is left out; at most `maxBytes` of UTF-8 and that line. */
export function showEnds({ head, tail, total }: OutputEnds, maxBytes: number): { text: string; truncated: boolean } {
  const left = total - head.length - tail.length;
  if (left === 0) {
    const text = showBytes(join(head, tail));
    if (utf8Length(text) <= maxBytes) return { text, truncated: false };
  }
  const start = cutFront(showBytes(head), maxBytes / 2);
  const end = cutBack(showBytes(tail), maxBytes / 2);
  return { text: `${start}\n… of ${total} bytes the middle is left out …\n${end}`, truncated: true };
}

/** Where the last whole UTF-8 character of `bytes` ends; the end when the rest cannot become one. */
export function lastBoundary(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const at = bytes.length - back;
    const length = lengthByLead(bytes[at] ?? 0);
    if (length > 0) return length > back ? at : bytes.length;
  }
  return bytes.length;
}

/** 1–4, or 0 when there is no whole character. */
function characterLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lengthByLead(lead);
  if (length < 2) return length;
  const character = bytes.subarray(at, at + length);
  const isReplacement = lead === 0xef && character[1] === 0xbf && character[2] === 0xbd;
  const isWhole = character.length === length && (isReplacement || !decoder.decode(character).includes("\ufffd"));
  return isWhole ? length : 0;
}

function lengthByLead(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;
  if (lead < 0xe0) return 2;
  if (lead < 0xf0) return 3;
  return lead < 0xf5 ? 4 : 0;
}

const hex = (value: number) => value.toString(16).padStart(2, "0");

function escaped(bytes: Uint8Array): string {
  return decoder.decode(bytes).replace(hidden, (char) => {
    const point = char.codePointAt(0) ?? 0;
    if (char === "\r") return "\\r";
    return point < 0x100 ? `\\x${hex(point)}` : `\\u{${point.toString(16)}}`;
  });
}

const utf8Length = (text: string) => new TextEncoder().encode(text).length;

function cutFront(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text).subarray(0, maxBytes);
  return decoder.decode(bytes.subarray(0, lastBoundary(bytes)));
}

function cutBack(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  let from = Math.max(0, bytes.length - maxBytes);
  while (from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  return decoder.decode(bytes.subarray(from));
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
