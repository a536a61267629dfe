/** Where a text stops being JSON, counted from 1. */
export interface JsonFault {
  line: number;
  column: number;
}

/** Undefined when the text is JSON. The engine's own messages name a position only for some faults. */
export function findJsonFault(text: string): JsonFault | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const before = text.slice(0, skipSpace(text, skipValue(text, skipSpace(text, 0)).at));
    const lines = before.split("\n");
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  }
}

/** `at`: behind the value, or at its first fault. */
interface Skipped {
  ok: boolean;
  at: number;
}

const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these inside a string
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

function skipValue(text: string, at: number): Skipped {
  if (text[at] === "{") return skipList(text, at + 1, "}", skipMember);
  if (text[at] === "[") return skipList(text, at + 1, "]", skipValue);
  return skipToken(text, at, text[at] === '"' ? string : scalar);
}

function skipList(text: string, start: number, close: string, item: (text: string, at: number) => Skipped): Skipped {
  let at = skipSpace(text, start);
  if (text[at] === close) return { ok: true, at: at + 1 };
  for (;;) {
    const found = item(text, at);
    if (!found.ok) return found;
    at = skipSpace(text, found.at);
    if (text[at] === close) return { ok: true, at: at + 1 };
    if (text[at] !== ",") return { ok: false, at };
    at = skipSpace(text, at + 1);
  }
}

function skipMember(text: string, at: number): Skipped {
  const name = skipToken(text, at, string);
  if (!name.ok) return name;
  const colon = skipSpace(text, name.at);
  return text[colon] === ":" ? skipValue(text, skipSpace(text, colon + 1)) : { ok: false, at: colon };
}

function skipToken(text: string, at: number, token: RegExp): Skipped {
  token.lastIndex = at;
  const found = token.exec(text);
  return found ? { ok: true, at: at + found[0].length } : { ok: false, at };
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (next < text.length && " \t\r\n".includes(text.charAt(next))) next += 1;
  return next;
}
