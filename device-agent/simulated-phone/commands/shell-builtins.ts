import { readAll } from "../shell/byte-pipe.ts";
import { LoopControl, ShellExit } from "../shell/interpreter.ts";
import { messageOf, type Program, type ProgramContext, type ProgramTable } from "./program.ts";
import { childOf } from "./shell-host.ts";

const echo: Program = async ({ args, print }) => {
  const hasOption = /^-[neE]+$/.test(args[0] ?? "");
  const options = hasOption ? (args[0] ?? "") : "";
  const text = args.slice(hasOption ? 1 : 0).join(" ");
  // mksh's echo interprets backslashes unless told otherwise.
  await print((options.includes("E") ? text : interpretEscapes(text)) + (options.includes("n") ? "" : "\n"));
  return 0;
};

const ESCAPES: Record<string, string> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  v: "\v",
  "\\": "\\",
};

export function interpretEscapes(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|0[0-7]{0,3}|[nrtabefv\\])/g, (_, code: string) => {
    if (code.startsWith("x")) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (code.startsWith("0")) return String.fromCharCode(Number.parseInt(code, 8));
    return ESCAPES[code] ?? "";
  });
}

const printf: Program = async ({ args, print }) => {
  const [format = "", ...values] = args;
  const rest = [...values];
  let output = "";
  do {
    output += interpretEscapes(format).replace(/%([-0]?\d*)([sdiuxXcb%])/g, (_, width: string, kind: string) => {
      if (kind === "%") return "%";
      return padded(formatValue(kind, rest.shift() ?? ""), width);
    });
  } while (rest.length > 0 && /%[-0]?\d*[sdiuxXcb]/.test(format));
  await print(output);
  return 0;
};

function formatValue(kind: string, value: string): string {
  if (kind === "s") return value;
  if (kind === "b") return interpretEscapes(value);
  if (kind === "c") return value.slice(0, 1);
  const number = Number.parseInt(value, value.startsWith("0x") ? 16 : 10) || 0;
  if (kind === "x") return number.toString(16);
  return kind === "X" ? number.toString(16).toUpperCase() : String(number);
}

function padded(text: string, width: string): string {
  const length = Math.abs(Number.parseInt(width, 10) || 0);
  if (width.startsWith("-")) return text.padEnd(length);
  return text.padStart(length, width.startsWith("0") ? "0" : " ");
}

/** `test` and `[`. */
const test: Program = async (context) => {
  const args = context.name === "[" ? context.args.slice(0, -1) : context.args;
  if (context.name === "[" && context.args.at(-1) !== "]") {
    await context.printError("/system/bin/sh: [: missing ]\n");
    return 2;
  }
  return evaluateTest(context, [...args]) ? 0 : 1;
};

function evaluateTest(context: ProgramContext, args: string[]): boolean {
  const or = args.indexOf("-o");
  if (or > 0) return evaluateTest(context, args.slice(0, or)) || evaluateTest(context, args.slice(or + 1));
  const and = args.indexOf("-a");
  if (and > 0) return evaluateTest(context, args.slice(0, and)) && evaluateTest(context, args.slice(and + 1));
  if (args[0] === "!") return !evaluateTest(context, args.slice(1));
  const [left = "", operator = "", right = ""] = args;
  if (args.length === 0) return false;
  if (args.length === 1) return left !== "";
  if (args.length === 2) return testUnary(context, left, operator);
  return compare(left, operator, right);
}

function testUnary({ phone, shell }: ProgramContext, operator: string, operand: string): boolean {
  const stat = phone.files.stat(phone.files.resolve(operand, shell.cwd));
  const tests: Record<string, boolean> = {
    "-n": operand !== "",
    "-z": operand === "",
    "-e": stat !== undefined,
    "-f": stat?.kind === "file",
    "-d": stat?.kind === "directory",
    "-s": (stat?.bytes ?? 0) > 0,
    "-r": stat !== undefined,
    "-w": stat !== undefined,
    "-x": ((stat?.mode ?? 0) & 0o111) !== 0,
    "-t": false,
  };
  return tests[operator] ?? false;
}

function compare(left: string, operator: string, right: string): boolean {
  const [first, second] = [Number.parseInt(left, 10), Number.parseInt(right, 10)];
  const results: Record<string, boolean> = {
    "=": left === right,
    "==": left === right,
    "!=": left !== right,
    "-eq": first === second,
    "-ne": first !== second,
    "-lt": first < second,
    "-le": first <= second,
    "-gt": first > second,
    "-ge": first >= second,
  };
  return results[operator] ?? false;
}

const cd: Program = async ({ args, phone, shell, printError }) => {
  const target = phone.files.resolve(args[0] ?? "/", shell.cwd);
  const stat = phone.files.stat(target);
  if (stat?.kind === "directory") {
    shell.cwd = (args[0] ?? "/").startsWith("/sdcard") ? (args[0] ?? "/") : target;
    return 0;
  }
  await printError(`/system/bin/sh: cd: ${args[0]}: ${stat ? "Not a directory" : "No such file or directory"}\n`);
  return 2;
};

const set: Program = async ({ args, shell, print }) => {
  if (args.length === 0) for (const [name, value] of [...shell.variables].sort()) await print(`${name}=${value}\n`);
  return 0;
};

const exportVariables: Program = ({ args, shell }) => {
  for (const assignment of args) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(assignment) ?? [];
    if (name !== undefined) shell.variables.set(name, value ?? "");
  }
  return 0;
};

const read: Program = async ({ args, io, shell }) => {
  const line = (await io.stdin.read())?.toString("utf8").split("\n")[0];
  if (line === undefined) return 1;
  const names = args.filter((argument) => !argument.startsWith("-"));
  const words = line.trim().split(/[ \t]+/);
  for (const [index, name] of names.entries())
    shell.variables.set(name, index === names.length - 1 ? words.slice(index).join(" ") : (words[index] ?? ""));
  return 0;
};

const sh: Program = async (context) => {
  const { args, phone, shell, printError } = context;
  const child = { ...childOf(shell), pid: context.pid, traps: new Map() };
  if (args[0] === "-c") return context.runScript(args[1] ?? "", { ...child, positional: args.slice(3) });
  if (args[0] === undefined || args[0] === "-")
    return context.runScript((await readAll(context.io.stdin)).toString("utf8"), child);
  try {
    const script = phone.files.read(phone.files.resolve(args[0], shell.cwd)).toString("utf8");
    return await context.runScript(script, { ...child, positional: args.slice(1) });
  } catch (error) {
    if (error instanceof Error && error.name === "FileError") {
      await printError(`sh: ${args[0]}: ${messageOf(error)}\n`);
      return 127;
    }
    throw error;
  }
};

const source: Program = ({ args, phone, shell, runScript }) =>
  runScript(phone.files.read(phone.files.resolve(args[0] ?? "", shell.cwd)).toString("utf8"), shell);

const command: Program = async (context) => {
  const names = context.args.filter((argument) => !argument.startsWith("-"));
  if (!context.args.some((argument) => argument === "-v" || argument === "-V")) return context.run(names);
  return which({ ...context, args: names });
};

const which: Program = async ({ args, isProgram, print }) => {
  const found = args.filter(isProgram);
  for (const name of found) await print(`/system/bin/${name}\n`);
  return found.length === args.length ? 0 : 1;
};

const STATUS_TIMED_OUT = 124;
const timeout: Program = async ({ args, phone, run, signal, io }) => {
  const abort = new AbortController();
  const limitMs = Number.parseFloat(args[0] ?? "0") * 1000;
  const limit = phone.profile.clock.sleep(limitMs, AbortSignal.any([signal, abort.signal])).then(
    () => abort.abort(),
    () => {},
  );
  try {
    return await run(args.slice(1), io, AbortSignal.any([signal, abort.signal]));
  } catch (error) {
    if (signal.aborted || !abort.signal.aborted) throw error;
    return STATUS_TIMED_OUT;
  } finally {
    abort.abort();
    await limit;
  }
};

/** For one job, by its number; without one there is nothing that is known of them. */
const wait: Program = async ({ args, jobStatus, signal }) => {
  const status = jobStatus(Number(args[0]));
  if (!status) return args.length === 0 ? 0 : 127;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    status.then(resolve, reject);
  });
};

const env: Program = ({ args, shell, print, run }) => {
  const first = args.findIndex((argument) => !argument.includes("="));
  if (first >= 0) return run(args.slice(first));
  return print([...shell.variables].map(([name, value]) => `${name}=${value}\n`).join("")).then(() => 0);
};

const xargs: Program = async ({ args, io, run }) => {
  const words = (await readAll(io.stdin)).toString("utf8").split(/\s+/).filter(Boolean);
  const own = args.filter((argument) => argument !== "-0" && argument !== "-r");
  return run([...(own.length > 0 ? own : ["echo"]), ...words]);
};

export const shellBuiltins: ProgramTable = {
  echo,
  printf,
  test,
  "[": test,
  cd,
  set,
  read,
  sh,
  ".": source,
  source,
  command,
  which,
  timeout,
  env,
  xargs,
  export: exportVariables,
  ":": () => 0,
  true: () => 0,
  false: () => 1,
  wait,
  trap: ({ args: [action = "", ...signals], shell }) => {
    for (const name of signals) shell.traps.set(name.replace(/^SIG/, ""), action);
    return 0;
  },
  umask: () => 0,
  ulimit: () => 0,
  pwd: async ({ shell, print }) => {
    await print(`${shell.cwd}\n`);
    return 0;
  },
  exit: ({ args, shell }) => {
    throw new ShellExit(args[0] === undefined ? shell.status : Number.parseInt(args[0], 10) & 255);
  },
  break: () => {
    throw new LoopControl("break");
  },
  continue: () => {
    throw new LoopControl("continue");
  },
  unset: ({ args, shell }) => {
    for (const name of args) shell.variables.delete(name);
    return 0;
  },
  eval: ({ args, shell, runScript }) => runScript(args.join(" "), shell),
  exec: ({ args, run }) => (args.length === 0 ? 0 : run(args)),
  nohup: ({ args, run }) => run(args),
  setsid: ({ args, run, phone, pid, shell, io, signal }) => {
    const process = phone.processes.find(pid);
    if (process) process.group = pid;
    const words = args.filter((argument) => !/^-[cdw]$/.test(argument));
    return run(words, io, signal, { ...shell, group: pid });
  },
  time: ({ args, run }) => run(args),
};
