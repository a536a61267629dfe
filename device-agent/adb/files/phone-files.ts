import { createHash } from "node:crypto";
import type { Clock } from "../../../shared/clock.ts";
import type { DeviceFiles, FilePiece } from "../../../shared/device-control.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { Connect } from "../phones/connection.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { commandLine, quote } from "../shell/quote.ts";
import { fileFailure } from "./file-failure.ts";
import { readRange } from "./read-range.ts";
import { createSyncFiles } from "./sync-files.ts";

export interface PhoneFiles extends DeviceFiles {
  /** Bytes that are there of an unfinished file. */
  begun(path: string, signal: AbortSignal): Promise<number>;
  size(path: string, signal: AbortSignal): Promise<number>;
}

/** Files on the phone, in pieces. */
export function createPhoneFiles(parts: { runner: CommandRunner; connect: Connect; clock: Clock }): PhoneFiles {
  const { runner } = parts;
  const sync = createSyncFiles(parts);

  const run = async (command: string, task: string, signal: AbortSignal) => {
    const { output, exitCode } = await runner.text(command, { signal, timeoutMs: 45_000, task, writes: true });
    if (exitCode !== 0) throw fileFailure(output);
  };

  const begun = async (path: string, signal: AbortSignal) => (await sync.stat(partOf(path), signal))?.size ?? 0;

  const fileAt = async (path: string, signal: AbortSignal) => {
    const found = await sync.stat(path, signal);
    if (found?.isFolder) throw fileFailure("Is a directory");
    return found;
  };

  const append = async (path: string, bytes: Uint8Array, signal: AbortSignal) => {
    const more = `${path}.add`;
    await sync.write(more, bytes, signal);
    await run(`cat ${quote(more)} >>${quote(path)}; s=$?; rm -f ${quote(more)}; [ $s = 0 ]`, "add to the file", signal);
  };

  const digest = async (path: string, signal: AbortSignal): Promise<string> => {
    const options = { signal, timeoutMs: 45_000, task: "read the whole file" };
    const { output } = await runner.text(commandLine("sha256sum", path), options);
    const told = /^\\?([0-9a-f]{64})\s/.exec(output)?.[1];
    if (told !== undefined) return told;
    // Before Android 8 there is no such program.
    const hash = createHash("sha256");
    await sync.read(path, (chunk) => hash.update(chunk), signal);
    return hash.digest("hex");
  };

  const finish = async ({ path, sha256 }: FilePiece, signal: AbortSignal) => {
    const part = partOf(path);
    if (sha256 !== undefined && (await digest(part, signal)) !== sha256) {
      await run(commandLine("rm", "-f", part), "remove the file", signal);
      throw new CodedError("invalid_argument", "The file on the phone has another SHA-256; it was removed.", {
        hint: "Send the file again from offset 0.",
      });
    }
    await run(commandLine("mv", "-f", part, path), "name the file", signal);
  };

  return {
    begun,
    digest,
    async size(path, signal) {
      const found = await fileAt(path, signal);
      if (!found) throw fileFailure("No such file or directory");
      return found.size;
    },
    async push(piece, signal) {
      const { path, bytes, offset, last } = piece;
      await fileAt(path, signal);
      if (offset === 0) await sync.write(partOf(path), bytes, signal);
      else {
        const size = await begun(path, signal);
        if (size !== offset) throw elsewhere(size);
        await append(partOf(path), bytes, signal);
      }
      if (last) await finish(piece, signal);
    },
    async pull(range, signal) {
      const found = await fileAt(range.path, signal);
      const bytes = await readRange(runner, range, signal);
      return { bytes, size: found?.size ?? 0 };
    },
  };
}

/** A file has its name only when it is whole. */
const partOf = (path: string) => `${path}.part`;

const elsewhere = (size: number) =>
  new CodedError("invalid_argument", `The phone has ${size} bytes of this file; go on at offset ${size}.`, {
    hint: "Send the piece that begins there; offset 0 starts the file anew.",
  });
