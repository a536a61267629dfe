import {
  type Assignment,
  type CaseBranch,
  type Command,
  type Pipeline,
  type Redirection,
  type Script,
  ShellSyntaxError,
  type Statement,
  type Word,
} from "./syntax.ts";
import { type Cursor, literalText, readWord } from "./words.ts";

/** Parses a command line as mksh does. Throws ShellSyntaxError. */
export function parseScript(text: string): Script {
  const parser = createParser({ text, at: 0 });
  const script = parser.script();
  parser.expectEnd();
  return script;
}

const RESERVED = new Set(["then", "else", "elif", "fi", "do", "done", "esac", "}"]);
const REDIRECTION = /(\d*)(>>|>\||>&|<&|>|<)/y;
const ASSIGNMENT = /[A-Za-z_][A-Za-z0-9_]*=/y;

function createParser(cursor: Cursor) {
  const { text } = cursor;
  const peek = (length = 1) => text.slice(cursor.at, cursor.at + length);

  function skipBlanks(withNewlines = false): void {
    for (;;) {
      const character = peek();
      if (character === " " || character === "\t" || (withNewlines && character === "\n")) cursor.at++;
      else if (peek(2) === "\\\n") cursor.at += 2;
      else if (character === "#") while (cursor.at < text.length && peek() !== "\n") cursor.at++;
      else return;
    }
  }

  function unexpected(): ShellSyntaxError {
    const found = peek(2);
    const token = ["&&", "||", ";;"].includes(found) ? found : peek();
    return new ShellSyntaxError(
      `syntax error: unexpected ${token === "" ? "EOF" : token === "\n" ? "newline" : `'${token}'`}`,
    );
  }

  /** The reserved word at the cursor, if a command may not start with it or starts a compound. */
  function peekKeyword(): string {
    const keyword = /^(?:[a-z]+|[{}!])(?=[\s;&|()<>]|$)/.exec(text.slice(cursor.at, cursor.at + 12));
    return keyword?.[0] ?? "";
  }

  function expectKeyword(keyword: string): void {
    skipBlanks(true);
    if (peekKeyword() !== keyword) throw unexpected();
    cursor.at += keyword.length;
  }

  /** Statements up to a keyword that ends a compound, a closing parenthesis or the end. */
  function script(): Script {
    const statements: Statement[] = [];
    for (;;) {
      skipBlanks(true);
      if (cursor.at >= text.length || peek() === ")" || peek(2) === ";;" || RESERVED.has(peekKeyword()))
        return statements;
      statements.push(statement());
    }
  }

  function statement(): Statement {
    const first = pipeline();
    const rest: { operator: "&&" | "||"; pipeline: Pipeline }[] = [];
    for (;;) {
      skipBlanks();
      const operator = peek(2);
      if (operator !== "&&" && operator !== "||") break;
      cursor.at += 2;
      skipBlanks(true);
      rest.push({ operator, pipeline: pipeline() });
    }
    const isBackground = peek() === "&";
    if (isBackground || (peek() === ";" && peek(2) !== ";;") || peek() === "\n") cursor.at++;
    else if (cursor.at < text.length && peek() !== ")" && peek(2) !== ";;") throw unexpected();
    return { first, rest, isBackground };
  }

  function pipeline(): Pipeline {
    skipBlanks();
    const isNegated = peekKeyword() === "!";
    if (isNegated) cursor.at++;
    const commands = [command()];
    for (;;) {
      skipBlanks();
      if (peek() !== "|" || peek(2) === "||") return { isNegated, commands };
      cursor.at++;
      skipBlanks(true);
      commands.push(command());
    }
  }

  function command(): Command {
    skipBlanks();
    const compound = compoundCommand();
    if (!compound) return simpleCommand();
    const redirections: Redirection[] = [];
    for (;;) {
      skipBlanks();
      const next = redirection();
      if (!next) return { ...compound, redirections };
      redirections.push(next);
    }
  }

  function compoundCommand(): Command | undefined {
    const redirections: Redirection[] = [];
    if (peek() === "(") {
      cursor.at++;
      const body = script();
      if (peek() !== ")") throw unexpected();
      cursor.at++;
      return { kind: "subshell", body, redirections };
    }
    const keyword = peekKeyword();
    if (keyword === "{") {
      cursor.at++;
      const body = script();
      expectKeyword("}");
      return { kind: "group", body, redirections };
    }
    if (keyword === "if") return ifCommand();
    if (keyword === "for") return forCommand();
    if (keyword === "case") return caseCommand();
    if (keyword === "while" || keyword === "until") {
      cursor.at += keyword.length;
      const condition = script();
      return { kind: "while", isUntil: keyword === "until", condition, body: doBody(), redirections };
    }
    return undefined;
  }

  function doBody(): Script {
    expectKeyword("do");
    const body = script();
    expectKeyword("done");
    return body;
  }

  function ifCommand(): Command {
    const branches: { condition: Script; body: Script }[] = [];
    let otherwise: Script = [];
    cursor.at += 2;
    for (;;) {
      const condition = script();
      expectKeyword("then");
      branches.push({ condition, body: script() });
      const keyword = peekKeyword();
      cursor.at += keyword.length;
      if (keyword === "elif") continue;
      if (keyword === "else") {
        otherwise = script();
        expectKeyword("fi");
      } else if (keyword !== "fi") throw unexpected();
      return { kind: "if", branches, otherwise, redirections: [] };
    }
  }

  function forCommand(): Command {
    cursor.at += 3;
    skipBlanks();
    const variable = literalText(readWord(cursor)) ?? "";
    if (!/^[A-Za-z_]\w*$/.test(variable)) throw unexpected();
    skipBlanks(true);
    const words: Word[] = [];
    if (peekKeyword() === "in") {
      cursor.at += 2;
      for (;;) {
        skipBlanks();
        const word = readWord(cursor);
        if (word.length === 0) break;
        words.push(word);
      }
    }
    if (peek() === ";") cursor.at++;
    return { kind: "for", variable, words, body: doBody(), redirections: [] };
  }

  function caseCommand(): Command {
    cursor.at += 4;
    skipBlanks();
    const subject = readWord(cursor);
    expectKeyword("in");
    const branches: CaseBranch[] = [];
    for (;;) {
      skipBlanks(true);
      if (peekKeyword() === "esac") {
        cursor.at += 4;
        return { kind: "case", subject, branches, redirections: [] };
      }
      branches.push(caseBranch());
    }
  }

  function caseBranch(): CaseBranch {
    if (peek() === "(") cursor.at++;
    const patterns: Word[] = [];
    for (;;) {
      skipBlanks();
      const pattern = readWord(cursor);
      if (pattern.length === 0) throw unexpected();
      patterns.push(pattern);
      skipBlanks();
      const separator = peek();
      cursor.at++;
      if (separator === ")") break;
      if (separator !== "|") throw unexpected();
    }
    const body = script();
    if (peek(2) === ";;") cursor.at += 2;
    return { patterns, body };
  }

  function simpleCommand(): Command {
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirections: Redirection[] = [];
    for (;;) {
      skipBlanks();
      const next = redirection();
      if (next) {
        redirections.push(next);
        continue;
      }
      const name = words.length === 0 ? assignmentName() : undefined;
      if (name !== undefined) {
        assignments.push({ name, value: readWord(cursor) });
        continue;
      }
      const word = readWord(cursor);
      if (word.length === 0) break;
      words.push(word);
    }
    if (words.length + assignments.length + redirections.length === 0) throw unexpected();
    if (peek() === "(") throw unexpected();
    return { kind: "simple", assignments, words, redirections };
  }

  function assignmentName(): string | undefined {
    ASSIGNMENT.lastIndex = cursor.at;
    const found = ASSIGNMENT.exec(text)?.[0];
    if (found === undefined) return undefined;
    cursor.at += found.length;
    return found.slice(0, -1);
  }

  function redirection(): Redirection | undefined {
    REDIRECTION.lastIndex = cursor.at;
    const found = REDIRECTION.exec(text);
    if (!found) return undefined;
    const operator = found[2] ?? "";
    cursor.at += found[0].length;
    skipBlanks();
    const target = readWord(cursor);
    if (target.length === 0) throw unexpected();
    const fd = found[1] === "" ? (operator.startsWith("<") ? 0 : 1) : Number(found[1]);
    if (operator.endsWith("&")) return { fd, kind: "duplicate", target };
    return { fd, kind: operator === "<" ? "read" : operator === ">>" ? "append" : "write", target };
  }

  return {
    script,
    expectEnd() {
      skipBlanks(true);
      if (cursor.at < text.length) throw unexpected();
    },
  };
}
