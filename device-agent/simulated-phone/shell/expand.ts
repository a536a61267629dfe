import { matchesGlob, quoteForGlob } from "./glob.ts";
import type { Word, WordPart } from "./syntax.ts";

/** What an expansion may ask of the shell it happens in. */
export interface ExpansionScope {
  variable(name: string): string | undefined;
  setVariable(name: string, value: string): void;
  positional(): readonly string[];
  /** Runs a script and gives its output. */
  substitute(script: string): Promise<string>;
  /** Paths that match a pattern; none when nothing does. */
  glob(pattern: string): readonly string[];
}

export class ExpansionError extends Error {
  override name = "ExpansionError";
}

interface Piece {
  readonly text: string;
  readonly isQuoted: boolean;
  /** The piece came from `"$@"`: a new word begins before it. */
  readonly startsWord?: boolean;
}

/** Expands to one text, without splitting or globbing (assignments, redirection targets). */
export async function expandToText(word: Word, scope: ExpansionScope): Promise<string> {
  const pieces = await expandParts(word, scope);
  return pieces.map((piece, index) => (piece.startsWord && index > 0 ? " " : "") + piece.text).join("");
}

/** Expands to a pattern in which quoted characters stand for themselves. */
export async function expandToPattern(word: Word, scope: ExpansionScope): Promise<string> {
  const pieces = await expandParts(word, scope);
  return pieces.map((piece) => (piece.isQuoted ? quoteForGlob(piece.text) : piece.text)).join("");
}

/** Expands to the words of a command: split at blanks outside quotes, then globbed. */
export async function expandToWords(words: readonly Word[], scope: ExpansionScope): Promise<string[]> {
  const result: string[] = [];
  for (const word of words) {
    for (const field of splitFields(await expandParts(word, scope))) {
      const pattern = field.map((piece) => (piece.isQuoted ? quoteForGlob(piece.text) : piece.text)).join("");
      const text = field.map((piece) => piece.text).join("");
      const hasWildcard = field.some((piece) => !piece.isQuoted && /[*?[]/.test(piece.text));
      const paths = hasWildcard ? scope.glob(pattern) : [];
      result.push(...(paths.length > 0 ? paths : [text]));
    }
  }
  return result;
}

function splitFields(pieces: readonly (Piece & { isSplit?: boolean })[]): Piece[][] {
  const fields: Piece[][] = [];
  let field: Piece[] | undefined;
  for (const piece of pieces) {
    if (piece.startsWord && field) {
      fields.push(field);
      field = undefined;
    }
    if (!piece.isSplit) {
      field ??= [];
      field.push(piece);
      continue;
    }
    for (const token of piece.text.split(/([ \t\n]+)/)) {
      if (token === "") continue;
      if (/^[ \t\n]/.test(token)) {
        if (field) fields.push(field);
        field = undefined;
      } else {
        field ??= [];
        field.push({ text: token, isQuoted: false });
      }
    }
  }
  if (field) fields.push(field);
  return fields;
}

type ExpandedPiece = Piece & { isSplit?: boolean };

async function expandParts(word: Word, scope: ExpansionScope): Promise<ExpandedPiece[]> {
  const pieces: ExpandedPiece[] = [];
  for (const [index, part] of word.entries()) pieces.push(...(await expandPart(part, index === 0, scope)));
  return pieces;
}

async function expandPart(part: WordPart, isFirst: boolean, scope: ExpansionScope): Promise<ExpandedPiece[]> {
  switch (part.kind) {
    case "text":
      return [{ text: part.isQuoted || !isFirst ? part.text : expandTilde(part.text, scope), isQuoted: part.isQuoted }];
    case "substitution": {
      const output = (await scope.substitute(part.script)).replace(/\n+$/, "");
      return [{ text: output, isQuoted: part.isQuoted, isSplit: !part.isQuoted }];
    }
    case "arithmetic":
      return [{ text: String(evaluate(await expandToText(part.expression, scope), scope)), isQuoted: true }];
    case "variable":
      if (part.name === "@" && part.isQuoted)
        return scope.positional().map((text) => ({ text, isQuoted: true, startsWord: true }));
      return [{ text: await expandVariable(part, scope), isQuoted: part.isQuoted, isSplit: !part.isQuoted }];
  }
}

function expandTilde(text: string, scope: ExpansionScope): string {
  return text === "~" || text.startsWith("~/") ? (scope.variable("HOME") ?? "/") + text.slice(1) : text;
}

async function expandVariable(part: WordPart & { kind: "variable" }, scope: ExpansionScope): Promise<string> {
  const value = part.name === "@" || part.name === "*" ? scope.positional().join(" ") : scope.variable(part.name);
  const argument = () => expandToText(part.argument, scope);
  const isMissing = part.operator.startsWith(":") ? value === undefined || value === "" : value === undefined;
  switch (part.operator.replace(":", "")) {
    case "length":
      return String([...(value ?? "")].length);
    case "-":
      return isMissing ? argument() : (value ?? "");
    case "+":
      return isMissing ? "" : argument();
    case "=":
      if (isMissing) scope.setVariable(part.name, await argument());
      return scope.variable(part.name) ?? "";
    case "?":
      if (isMissing) throw new ExpansionError(`${part.name}: ${(await argument()) || "parameter null or not set"}`);
      return value ?? "";
    case "#":
    case "##":
    case "%":
    case "%%":
      return trim(value ?? "", part.operator, await expandToPattern(part.argument, scope));
    default:
      return value ?? "";
  }
}

function trim(value: string, operator: string, pattern: string): string {
  const lengths = Array.from({ length: value.length + 1 }, (_, index) => index);
  if (operator.length === 2) lengths.reverse();
  for (const length of lengths) {
    const isPrefix = operator.startsWith("#");
    const cut = isPrefix ? value.slice(0, length) : value.slice(value.length - length);
    if (matchesGlob(pattern, cut)) return isPrefix ? value.slice(length) : value.slice(0, value.length - length);
  }
  return value;
}

/** Integer arithmetic with + - * / % and parentheses, which is what scripts on phones use. */
function evaluate(expression: string, scope: ExpansionScope): number {
  const tokens = expression.match(/\d+|[A-Za-z_]\w*|<=|>=|==|!=|[-+*/%()<>]/g) ?? [];
  let at = 0;
  const level = (operators: readonly string[], next: () => number) => () => {
    let left = next();
    for (let operator = tokens[at]; operator !== undefined && operators.includes(operator); operator = tokens[at]) {
      at++;
      left = apply(operator, left, next());
    }
    return left;
  };
  const primary = (): number => {
    const token = tokens[at++];
    if (token === "-") return -primary();
    if (token === "(") {
      const value = comparison();
      at++;
      return value;
    }
    return Number.parseInt(/^\d/.test(token ?? "") ? (token ?? "0") : (scope.variable(token ?? "") ?? "0"), 10) || 0;
  };
  const product = level(["*", "/", "%"], primary);
  const sum = level(["+", "-"], product);
  const comparison = level(["<", ">", "<=", ">=", "==", "!="], sum);
  return comparison();
}

function apply(operator: string, left: number, right: number): number {
  if ((operator === "/" || operator === "%") && right === 0) throw new ExpansionError("divide by zero");
  const results: Record<string, number> = {
    "+": left + right,
    "-": left - right,
    "*": left * right,
    "/": Math.trunc(left / right),
    "%": left % right,
    "<": Number(left < right),
    ">": Number(left > right),
    "<=": Number(left <= right),
    ">=": Number(left >= right),
    "==": Number(left === right),
    "!=": Number(left !== right),
  };
  return results[operator] ?? 0;
}
