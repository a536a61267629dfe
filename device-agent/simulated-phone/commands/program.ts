import type { Phone } from "../phone/phone.ts";
import { readAll } from "../shell/byte-pipe.ts";
import type { ShellIo, ShellState } from "../shell/interpreter.ts";

/** What a program of the phone is run with. */
export interface ProgramContext {
  /** Without the program's own name. */
  readonly args: readonly string[];
  readonly name: string;
  readonly io: ShellIo;
  /** The shell that runs it: builtins change it. */
  readonly shell: ShellState;
  /** Its own process, or the shell's for what runs in the shell. */
  readonly pid: number;
  readonly signal: AbortSignal;
  readonly phone: Phone;
  isProgram(name: string): boolean;
  print(text: string): Promise<void>;
  printError(text: string): Promise<void>;
  /** Runs another program, as `exec` or `timeout` do. */
  run(argv: readonly string[], io?: ShellIo, signal?: AbortSignal, shell?: ShellState): Promise<number>;
  /** The status with which a background job ends; undefined when there is no such job. */
  jobStatus(pid: number): Promise<number> | undefined;
  /** Runs a script in the same shell. */
  runScript(text: string, shell: ShellState, io?: ShellIo): Promise<number>;
}

/** Gives the exit status. */
export type Program = (context: ProgramContext) => number | Promise<number>;
export type ProgramTable = Readonly<Record<string, Program>>;

/** A program that only prints. */
export const printing =
  (text: (context: ProgramContext) => string): Program =>
  async (context) => {
    await context.print(text(context));
    return 0;
  };

/** Everything from a file, or from standard input for `-`. Reports what cannot be read; then undefined. */
export async function readInput(context: ProgramContext, path: string): Promise<Buffer | undefined> {
  if (path === "-") return readAll(context.io.stdin);
  if (path === "/dev/null") return Buffer.alloc(0);
  try {
    return context.phone.files.read(context.phone.files.resolve(path, context.shell.cwd));
  } catch (error) {
    await context.printError(`${context.name}: ${path}: ${messageOf(error)}\n`);
    return undefined;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Flags such as `-la` and the operands, in toybox's manner. Letters in `withValue` take the next argument. */
export function parseFlags(
  args: readonly string[],
  withValue = "",
): { flags: Map<string, string>; operands: string[] } {
  const flags = new Map<string, string>();
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? "";
    if (argument === "--") return { flags, operands: [...operands, ...args.slice(at + 1)] };
    if (argument.startsWith("--")) flags.set(argument.slice(2).split("=")[0] ?? "", argument.split("=")[1] ?? "");
    else if (!/^-./.test(argument)) operands.push(argument);
    else
      for (let index = 1; index < argument.length; index++) {
        const letter = argument.charAt(index);
        if (!withValue.includes(letter)) flags.set(letter, "");
        else {
          flags.set(letter, argument.slice(index + 1) || (args[++at] ?? ""));
          break;
        }
      }
  }
  return { flags, operands };
}

/** The text that Android's `cmd` based tools print for an exception. */
export function exceptionText(subcommand: string, exception: string, frames: readonly string[]): string {
  return `\nException occurred while executing '${subcommand}':\n${exception}\n${frames.map((frame) => `\tat ${frame}\n`).join("")}`;
}
