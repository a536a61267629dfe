import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { readAll } from "../shell/byte-pipe.ts";
import { type Program, type ProgramContext, type ProgramTable, parseFlags, readInput } from "./program.ts";

/** All operands one after another, or standard input. The status tells whether all could be read. */
async function inputs(context: ProgramContext, operands: readonly string[]): Promise<{ data: Buffer; status: number }> {
  const parts: Buffer[] = [];
  let status = 0;
  for (const operand of operands.length > 0 ? operands : ["-"]) {
    const data = await readInput(context, operand);
    if (data) parts.push(data);
    else status = 1;
  }
  return { data: Buffer.concat(parts), status };
}

const linesOf = (data: Buffer) => {
  const lines = data.toString("utf8").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
};

const cat: Program = async (context) => {
  const { operands } = parseFlags(context.args);
  let status = 0;
  for (const operand of operands.length > 0 ? operands : ["-"]) {
    if (operand === "-") {
      for (let chunk = await context.io.stdin.read(); chunk !== undefined; chunk = await context.io.stdin.read())
        await context.io.stdout.write(chunk);
      continue;
    }
    const data = await readInput(context, operand);
    if (data) await context.io.stdout.write(data);
    else status = 1;
  }
  return status;
};

/** The first bytes of standard input, as they come. */
async function passOn({ io }: ProgramContext, bytes: number): Promise<number> {
  for (let left = bytes; left > 0; ) {
    const chunk = await io.stdin.read();
    if (chunk === undefined) break;
    await io.stdout.write(chunk.subarray(0, left));
    left -= chunk.length;
  }
  return 0;
}

/** Reads no more than it needs, so that an endless writer before it ends. */
const head: Program = async (context) => {
  const { flags, operands } = parseFlags(
    context.args.map((argument) => argument.replace(/^-(\d+)$/, "-n$1")),
    "nc",
  );
  const count = Number(flags.get("n") ?? 10);
  if (operands.length === 0 && flags.has("c")) return passOn(context, Number(flags.get("c")));
  if (operands.length > 0 || flags.has("c")) {
    const { data, status } = await inputs(context, operands);
    const bytes = flags.get("c");
    if (bytes !== undefined) await context.io.stdout.write(data.subarray(0, Number(bytes)));
    else for (const line of linesOf(data).slice(0, count)) await context.print(`${line}\n`);
    return status;
  }
  let pending = "";
  let left = count;
  for (
    let chunk = await context.io.stdin.read();
    left > 0 && chunk !== undefined;
    chunk = await context.io.stdin.read()
  ) {
    const lines = (pending + chunk.toString("utf8")).split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines.slice(0, left)) await context.print(`${line}\n`);
    left -= lines.length;
    if (left <= 0) return 0;
  }
  if (left > 0 && pending !== "") await context.print(pending);
  return 0;
};

const tail: Program = async (context) => {
  const { flags, operands } = parseFlags(
    context.args.map((argument) => argument.replace(/^-(\d+)$/, "-n$1")),
    "nc",
  );
  const { data, status } = await inputs(context, operands);
  const bytes = flags.get("c");
  const count = flags.get("n") ?? "10";
  if (bytes !== undefined)
    await context.io.stdout.write(
      bytes.startsWith("+")
        ? data.subarray(Number(bytes) - 1)
        : data.subarray(Math.max(0, data.length - Number(bytes))),
    );
  else {
    const lines = linesOf(data);
    const kept = count.startsWith("+")
      ? lines.slice(Number(count) - 1)
      : Number(count) === 0
        ? []
        : lines.slice(-Number(count));
    for (const line of kept) await context.print(`${line}\n`);
  }
  return status;
};

const grep: Program = async (context) => {
  const { flags, operands } = parseFlags(context.args, "emABC");
  const expression = grepExpression(context.name, flags.get("e") ?? operands.shift() ?? "", flags);
  const { data, status } = await inputs(context, operands);
  const lines = linesOf(data);
  const limit = Number(flags.get("m") ?? Number.POSITIVE_INFINITY);
  const matches = [...lines.keys()]
    .filter((index) => expression.test(lines[index] ?? "") !== flags.has("v"))
    .slice(0, limit);
  if (flags.has("c")) await context.print(`${matches.length}\n`);
  else if (!flags.has("q")) await printMatches(context, lines, matches, flags, expression);
  return status === 1 ? 2 : matches.length > 0 ? 0 : 1;
};

function grepExpression(name: string, pattern: string, flags: ReadonlyMap<string, string>): RegExp {
  // Basic expressions give plus, question mark and bar no meaning unless they are escaped.
  const basic = pattern.replace(/\\?[+?|(){}]/g, (found) => (found.startsWith("\\") ? found.slice(1) : `\\${found}`));
  const isFixed = flags.has("F") || name === "fgrep";
  const isExtended = flags.has("E") || name === "egrep";
  const source = isFixed ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : isExtended ? pattern : basic;
  return new RegExp(flags.has("w") ? `\\b(?:${source})\\b` : source, flags.has("i") ? "i" : "");
}

/** With the lines around each match that `-A`, `-B` and `-C` ask for. */
async function printMatches(
  context: ProgramContext,
  lines: readonly string[],
  matches: readonly number[],
  flags: ReadonlyMap<string, string>,
  expression: RegExp,
): Promise<void> {
  const after = Number(flags.get("A") ?? flags.get("C") ?? 0);
  const before = Number(flags.get("B") ?? flags.get("C") ?? 0);
  const shown = new Set(
    matches.flatMap((match) => [...lines.keys()].slice(Math.max(0, match - before), match + after + 1)),
  );
  let last: number | undefined;
  for (const index of [...shown].sort((left, right) => left - right)) {
    if (last !== undefined && after + before > 0 && index > last + 1) await context.print("--\n");
    const line = lines[index] ?? "";
    const text = flags.has("o") ? (expression.exec(line)?.[0] ?? "") : line;
    await context.print(`${flags.has("n") ? `${index + 1}:` : ""}${text}\n`);
    last = index;
  }
}

const wc: Program = async (context) => {
  const { flags, operands } = parseFlags(context.args);
  const { data, status } = await inputs(context, operands);
  const text = data.toString("utf8");
  const counts: [string, number][] = [
    ["l", text.split("\n").length - 1],
    ["w", text.split(/\s+/).filter(Boolean).length],
    ["c", data.length],
  ];
  const chosen = counts.filter(([letter]) => flags.size === 0 || flags.has(letter)).map(([, count]) => count);
  await context.print(`${chosen.join(" ")}${operands[0] === undefined ? "" : ` ${operands[0]}`}\n`);
  return status;
};

const sort: Program = async (context) => {
  const { flags, operands } = parseFlags(context.args);
  const { data, status } = await inputs(context, operands);
  const lines = linesOf(data).sort((left, right) =>
    flags.has("n") ? Number.parseFloat(left) - Number.parseFloat(right) : left < right ? -1 : 1,
  );
  if (flags.has("r")) lines.reverse();
  for (const line of flags.has("u") ? new Set(lines) : lines) await context.print(`${line}\n`);
  return status;
};

const cut: Program = async (context) => {
  const { flags, operands } = parseFlags(context.args, "dfc");
  const { data, status } = await inputs(context, operands);
  const delimiter = flags.get("d") ?? "\t";
  const [from = "1", to] = (flags.get("f") ?? flags.get("c") ?? "1").split("-");
  const end = to === undefined ? Number(from) : to === "" ? undefined : Number(to);
  for (const line of linesOf(data)) {
    const parts = flags.has("c") ? [...line] : line.split(delimiter);
    await context.print(`${parts.slice(Number(from || 1) - 1, end).join(flags.has("c") ? "" : delimiter)}\n`);
  }
  return status;
};

const tr: Program = async (context) => {
  const { flags, operands } = parseFlags(context.args);
  const unescaped = operands.map((operand) =>
    operand.replace(/\\n/g, "\n").replace(/\\r/g, "\r").replace(/\\t/g, "\t"),
  );
  const [from = "", to = ""] = unescaped.map((set) =>
    set.replace(/(.)-(.)/g, (_, first: string, last: string) => range(first, last)),
  );
  const text = (await readAll(context.io.stdin)).toString("utf8");
  const translate = (character: string) => {
    const at = from.indexOf(character);
    if (at < 0) return character;
    return flags.has("d") ? "" : (to[Math.min(at, to.length - 1)] ?? character);
  };
  await context.print([...text].map(translate).join(""));
  return 0;
};

function range(first: string, last: string): string {
  const start = first.charCodeAt(0);
  return String.fromCharCode(
    ...Array.from({ length: Math.max(0, last.charCodeAt(0) - start + 1) }, (_, index) => start + index),
  );
}

/** `s/a/b/[g]` and `-n Np`; more is not asked of a phone. */
const sed: Program = async (context) => {
  const { flags, operands } = parseFlags(context.args, "e");
  const script = flags.get("e") ?? operands.shift() ?? "";
  const { data, status } = await inputs(context, operands);
  const [, , from, to = "", options = ""] = /^s(.)(.*?)\1(.*?)\1([gi]*)$/.exec(script) ?? [];
  const only = /^(\d+)p$/.exec(script)?.[1];
  for (const [index, line] of linesOf(data).entries()) {
    if (only !== undefined) {
      if (index + 1 === Number(only)) await context.print(`${line}\n`);
    } else
      await context.print(
        `${from === undefined ? line : line.replace(new RegExp(from, options.includes("g") ? "g" : ""), to.replace(/\\(\d)/g, "$$$1"))}\n`,
      );
  }
  return status;
};

const gzip: Program = async (context) => {
  const { flags, operands } = parseFlags(context.args);
  const isUnpacking = flags.has("d") || context.name !== "gzip";
  const { data, status } = await inputs(context, operands);
  const level = Number([...flags.keys()].find((flag) => /^\d$/.test(flag)) ?? 6);
  try {
    await context.io.stdout.write(isUnpacking ? gunzipSync(data) : gzipSync(data, { level }));
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    await context.printError(`${context.name}: bad data\n`);
    return 1;
  }
  return status;
};

const base64: Program = async (context) => {
  const { flags, operands } = parseFlags(context.args, "w");
  const { data, status } = await inputs(context, operands);
  if (flags.has("d")) await context.io.stdout.write(Buffer.from(data.toString("latin1"), "base64"));
  else
    await context.print(
      flags.get("w") === "0" ? data.toString("base64") : data.toString("base64").replace(/(.{76}|.+$)/g, "$1\n"),
    );
  return status;
};

const digest =
  (algorithm: string): Program =>
  async (context) => {
    const { flags, operands } = parseFlags(context.args);
    for (const operand of operands.length > 0 ? operands : ["-"]) {
      const data = await readInput(context, operand);
      if (!data) return 1;
      const sum = createHash(algorithm).update(data).digest("hex");
      await context.print(flags.has("b") ? `${sum}\n` : `${sum}  ${operand}\n`);
    }
    return 0;
  };

const tee: Program = async (context) => {
  const data = await readAll(context.io.stdin);
  const { files } = context.phone;
  for (const operand of parseFlags(context.args).operands) files.write(files.resolve(operand, context.shell.cwd), data);
  await context.io.stdout.write(data);
  return 0;
};

const seq: Program = async ({ args, print }) => {
  const [first = 1, last = first] = args.length > 1 ? args.map(Number) : [1, Number(args[0] ?? 1)];
  for (let value = first; value <= last; value++) await print(`${value}\n`);
  return 0;
};

export const textPrograms: ProgramTable = {
  cat,
  head,
  tail,
  grep,
  egrep: grep,
  fgrep: grep,
  wc,
  sort,
  cut,
  tr,
  sed,
  gzip,
  gunzip: gzip,
  zcat: gzip,
  base64,
  tee,
  seq,
  md5sum: digest("md5"),
  sha1sum: digest("sha1"),
  sha256sum: digest("sha256"),
  basename: async ({ args, print }) => {
    await print(
      `${(args[0] ?? "")
        .replace(/\/+$/, "")
        .split("/")
        .at(-1)
        ?.replace(args[1] ?? "\0", "")}\n`,
    );
    return 0;
  },
  dirname: async ({ args, print }) => {
    await print(`${(args[0] ?? "").replace(/\/[^/]*\/*$/, "") || (args[0]?.startsWith("/") ? "/" : ".")}\n`);
    return 0;
  },
};
