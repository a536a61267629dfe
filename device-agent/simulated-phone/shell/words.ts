import { ShellSyntaxError, type Word, type WordPart } from "./syntax.ts";

/** A position in the text of a script. */
export interface Cursor {
  readonly text: string;
  at: number;
}

const WORD_ENDS = new Set([" ", "\t", "\n", ";", "&", "|", "<", ">", "(", ")"]);
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const SPECIAL = /[0-9@*#?$!-]/;

/** Reads one word; the cursor stands behind it afterwards. Empty when there is none. */
export function readWord(
  cursor: Cursor,
  isEnd: (character: string) => boolean = (character) => WORD_ENDS.has(character),
): Word {
  const parts: WordPart[] = [];
  let literal = "";
  const flush = () => {
    if (literal !== "") parts.push({ kind: "text", text: literal, isQuoted: false });
    literal = "";
  };
  while (cursor.at < cursor.text.length) {
    const character = cursor.text.charAt(cursor.at);
    if (isEnd(character)) break;
    if (character === "\\") {
      flush();
      const next = cursor.text.charAt(cursor.at + 1);
      // Backslash and newline is a line continuation.
      if (next !== "\n") parts.push({ kind: "text", text: next === "" ? "\\" : next, isQuoted: true });
      cursor.at += 2;
    } else if (character === "'") {
      flush();
      parts.push({ kind: "text", text: readSingleQuoted(cursor), isQuoted: true });
    } else if (character === '"') {
      flush();
      parts.push(...readDoubleQuoted(cursor));
    } else if (character === "$" || character === "`") {
      const part = readExpansion(cursor, false);
      if (part) {
        flush();
        parts.push(part);
      } else {
        literal += character;
        cursor.at++;
      }
    } else {
      literal += character;
      cursor.at++;
    }
  }
  flush();
  return parts;
}

function readSingleQuoted(cursor: Cursor): string {
  const end = cursor.text.indexOf("'", cursor.at + 1);
  if (end < 0) throw new ShellSyntaxError("no closing quote");
  const text = cursor.text.slice(cursor.at + 1, end);
  cursor.at = end + 1;
  return text;
}

function readDoubleQuoted(cursor: Cursor): WordPart[] {
  cursor.at++;
  const parts: WordPart[] = [];
  let literal = "";
  for (;;) {
    const character = cursor.text.charAt(cursor.at);
    if (character === "") throw new ShellSyntaxError("no closing quote");
    if (character === '"') break;
    if (character === "\\") {
      const next = cursor.text.charAt(cursor.at + 1);
      if (next === "\n") literal += "";
      else literal += '"\\$`'.includes(next) && next !== "" ? next : `\\${next}`;
      cursor.at += 2;
      continue;
    }
    const part = character === "$" || character === "`" ? readExpansion(cursor, true) : undefined;
    if (part) {
      if (literal !== "") parts.push({ kind: "text", text: literal, isQuoted: true });
      literal = "";
      parts.push(part);
      continue;
    }
    literal += character;
    cursor.at++;
  }
  cursor.at++;
  // An empty quoted text still makes a word.
  if (literal !== "" || parts.length === 0) parts.push({ kind: "text", text: literal, isQuoted: true });
  return parts;
}

/** `$x`, `${x…}`, `$(…)`, `$((…))` or backticks; undefined when the dollar sign stands for itself. */
function readExpansion(cursor: Cursor, isQuoted: boolean): WordPart | undefined {
  const { text } = cursor;
  if (text.charAt(cursor.at) === "`") return { kind: "substitution", script: readBackticks(cursor), isQuoted };
  if (text.startsWith("$((", cursor.at)) {
    const end = text.indexOf("))", cursor.at);
    if (end < 0) throw new ShellSyntaxError("syntax error: unmatched '(('");
    const expression = readWord({ text: text.slice(cursor.at + 3, end), at: 0 }, () => false);
    cursor.at = end + 2;
    return { kind: "arithmetic", expression };
  }
  if (text.startsWith("$(", cursor.at)) return { kind: "substitution", script: readParenthesised(cursor), isQuoted };
  if (text.startsWith("${", cursor.at)) return readBraced(cursor, isQuoted);
  const next = text.charAt(cursor.at + 1);
  if (SPECIAL.test(next)) {
    cursor.at += 2;
    return { kind: "variable", name: next, operator: "", argument: [], isQuoted };
  }
  NAME.lastIndex = cursor.at + 1;
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return undefined;
  cursor.at += 1 + name.length;
  return { kind: "variable", name, operator: "", argument: [], isQuoted };
}

function readBackticks(cursor: Cursor): string {
  let script = "";
  cursor.at++;
  for (;;) {
    const character = cursor.text.charAt(cursor.at);
    if (character === "") throw new ShellSyntaxError("no closing quote");
    cursor.at++;
    if (character === "`") return script;
    const next = cursor.text.charAt(cursor.at);
    if (character === "\\" && next !== "" && "`\\$".includes(next)) {
      script += next;
      cursor.at++;
    } else script += character;
  }
}

function readParenthesised(cursor: Cursor): string {
  const start = cursor.at + 2;
  let depth = 1;
  cursor.at = start;
  while (depth > 0) {
    const character = cursor.text.charAt(cursor.at);
    if (character === "") throw new ShellSyntaxError("syntax error: unexpected EOF");
    if (character === "'") readSingleQuoted(cursor);
    else if (character === '"') readDoubleQuoted(cursor);
    else {
      if (character === "\\") cursor.at++;
      else if (character === "(") depth++;
      else if (character === ")") depth--;
      cursor.at++;
    }
  }
  return cursor.text.slice(start, cursor.at - 1);
}

const BRACED = /^(#?)([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])/;
const OPERATOR = /^(:?[-=+?]|##?|%%?)/;

function readBraced(cursor: Cursor, isQuoted: boolean): WordPart {
  const start = cursor.at;
  const head = BRACED.exec(cursor.text.slice(start + 2));
  if (!head) throw new ShellSyntaxError(`${cursor.text.slice(start)}: bad substitution`);
  cursor.at = start + 2 + head[0].length;
  const operator = OPERATOR.exec(cursor.text.slice(cursor.at))?.[0] ?? "";
  cursor.at += operator.length;
  const argument = readWord(cursor, (character) => character === "}");
  if (cursor.text.charAt(cursor.at) !== "}") throw new ShellSyntaxError("no closing quote");
  cursor.at++;
  return { kind: "variable", name: head[2] ?? "", operator: head[1] === "#" ? "length" : operator, argument, isQuoted };
}

/** The text of a word without any expansion, if it is only that. */
export function literalText(word: Word): string | undefined {
  let text = "";
  for (const part of word) {
    if (part.kind !== "text" || part.isQuoted) return undefined;
    text += part.text;
  }
  return text;
}
