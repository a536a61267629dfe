import type { FileRange } from "../../../shared/device-control.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { quote } from "../shell/quote.ts";
import { fileFailure } from "./file-failure.ts";

const BLOCK = 4096;

/**
 * Bytes of a file, fewer at its end. `dd` is the one program that every Android has and that seeks; it counts in
 * blocks, so that a little more is read and cut off.
 */
export async function readRange(runner: CommandRunner, range: FileRange, signal: AbortSignal): Promise<Uint8Array> {
  const { path, offset, length } = range;
  const options = { signal, timeoutMs: 30_000, task: "read the file" };
  const first = Math.floor(offset / BLOCK);
  const blocks = Math.ceil((offset + length) / BLOCK) - first;
  const read = (count: number) => `dd if=${quote(path)} bs=${BLOCK} skip=${first} count=${count}`;
  const { stdout, exitCode } = await runner.run(`${read(blocks)} 2>/dev/null`, options);
  if (exitCode !== 0) throw fileFailure((await runner.text(`${read(1)} 2>&1 >/dev/null`, options)).output);
  const skipped = offset - first * BLOCK;
  return stdout.subarray(skipped, skipped + length);
}
