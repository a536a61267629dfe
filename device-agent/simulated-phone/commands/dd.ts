import { FileError } from "../phone/file-tree.ts";
import { readAll } from "../shell/byte-pipe.ts";
import type { Program, ProgramContext } from "./program.ts";

const UNITS: Record<string, number> = { c: 1, w: 2, b: 512, k: 1024, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** `dd if= of= bs= skip= seek= count= conv=notrunc`, as toybox has it. */
export const dd: Program = async (context) => {
  const options = new Map(context.args.map((argument) => [before(argument), after(argument)]));
  const number = (name: string, fallback: number) => {
    const match = /^(\d+)([cwbkKMG]?)$/.exec(options.get(name) ?? "");
    return match ? Number(match[1]) * (UNITS[match[2] ?? ""] ?? 1) : fallback;
  };
  const block = number("bs", 512);
  try {
    const input = await read(context, options.get("if"));
    const from = number("skip", 0) * block;
    const bytes = input.subarray(from, options.has("count") ? from + number("count", 0) * block : undefined);
    await write(context, options, bytes, number("seek", 0) * block);
    await context.printError(summary(bytes.length, block));
    return 0;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    await context.printError(`dd: ${options.get("if") ?? options.get("of") ?? ""}: ${error.message}\n`);
    return 1;
  }
};

const before = (argument: string) => argument.split("=")[0] ?? "";
const after = (argument: string) => argument.slice(argument.indexOf("=") + 1);

async function read({ phone, shell, io }: ProgramContext, path: string | undefined): Promise<Buffer> {
  return path === undefined ? readAll(io.stdin) : phone.files.read(phone.files.resolve(path, shell.cwd));
}

async function write(
  { phone, shell, io }: ProgramContext,
  options: ReadonlyMap<string, string>,
  bytes: Buffer,
  at: number,
): Promise<void> {
  const target = options.get("of");
  if (target === undefined) return io.stdout.write(bytes);
  const path = phone.files.resolve(target, shell.cwd);
  const old = phone.files.stat(path) ? phone.files.read(path) : Buffer.alloc(0);
  const head = Buffer.concat([old.subarray(0, at), Buffer.alloc(Math.max(0, at - old.length))]);
  const tail = options.get("conv") === "notrunc" ? old.subarray(at + bytes.length) : Buffer.alloc(0);
  phone.files.write(path, Buffer.concat([head, bytes, tail]));
}

function summary(bytes: number, block: number): string {
  const records = `${Math.floor(bytes / block)}+${bytes % block === 0 ? 0 : 1}`;
  const size = bytes < 1024 ? "" : ` (${(bytes / 1024).toFixed(1)} K)`;
  return `${records} records in\n${records} records out\n${bytes} bytes${size} copied, 0.000 s, 8.0 M/s\n`;
}
