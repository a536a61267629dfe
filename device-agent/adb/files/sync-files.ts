import { type AdbSync, AdbSyncError, LinuxFileType } from "@yume-chan/adb";
import { ReadableStream } from "@yume-chan/stream-extra";
import type { Clock } from "../../../shared/clock.ts";
import { abortError, adbFailure } from "../errors.ts";
import type { Connect } from "../phones/connection.ts";
import { abortableAdb } from "../scrcpy/abortable-adb.ts";
import { withDeadline } from "../shell/deadline.ts";
import { fileFailure } from "./file-failure.ts";

export interface FileOnPhone {
  size: number;
  isFolder: boolean;
}

/** Files by adb's own file transfer, which is the same on every Android and takes any bytes. */
export interface SyncFiles {
  /** Undefined when nothing is there, or when the shell may not know. */
  stat(path: string, signal: AbortSignal): Promise<FileOnPhone | undefined>;
  /** Creates or replaces, readable for all (0644); folders that are missing are made. */
  write(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Passes the whole file on, piece by piece. */
  read(path: string, take: (chunk: Uint8Array) => void, signal: AbortSignal): Promise<void>;
}

const STAT_MS = 10_000;
const TRANSFER_MS = 45_000;
const MODE = 0o644;

export function createSyncFiles({ connect, clock }: { connect: Connect; clock: Clock }): SyncFiles {
  const withSync = <T>(ms: number, task: string, signal: AbortSignal, work: (sync: AdbSync) => Promise<T>) =>
    withDeadline({ clock, ms, signal, task }, async (own) => {
      try {
        const sync = await abortableAdb(await connect(own), own).sync();
        own.addEventListener("abort", () => void sync.dispose().catch(() => {}), { once: true });
        try {
          return await work(sync);
        } finally {
          if (!own.aborted) sync.dispose().catch(() => {});
        }
      } catch (error) {
        if (own.aborted) throw abortError(own);
        throw error instanceof AdbSyncError ? fileFailure(error.message) : adbFailure(error);
      }
    });

  return {
    stat: (path, signal) =>
      withSync(STAT_MS, "look at the file", signal, async (sync) => {
        const found = await (sync.supportsStat ? sync.stat(path) : sync.lstat(path)).catch(ignoreAbsence);
        if (!found) return undefined;
        return { size: Number(found.size), isFolder: found.type === LinuxFileType.Directory };
      }),
    write: (path, bytes, signal) =>
      withSync(TRANSFER_MS, "take the file", signal, (sync) =>
        sync.write({ filename: path, file: streamOf(bytes), permission: MODE }),
      ),
    read: (path, take, signal) =>
      withSync(TRANSFER_MS, "send the file", signal, async (sync) => {
        const reader = sync.read(path).getReader();
        for (let part = await reader.read(); !part.done; part = await reader.read()) take(part.value);
      }),
  };
}

/**
 * The library throws the errno's name, and for the old answer without one "lstat error"; the file may be there and
 * hidden, which comes to the same.
 */
function ignoreAbsence(error: unknown): undefined {
  if (error instanceof Error && /^(E[A-Z]+|lstat error)$/.test(error.message)) return undefined;
  throw error;
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}
