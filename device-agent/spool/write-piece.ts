import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { CodedError } from "../../shared/errors.ts";

/** So many bytes at most are sent anew after a crash. */
const durableEvery = 16 * 1024 * 1024;

/** Writes chunks into a file from `offset` on, where it then ends. */
export async function writePiece(options: {
  path: string;
  offset: number;
  chunks: AsyncIterable<Uint8Array>;
  signal: AbortSignal;
  /** Throws CodedError when there may not be so many bytes. */
  permit: (end: number) => void;
  wrote: (end: number) => void;
  /** All that was told by `wrote` is on the disk. */
  durable: () => Promise<void>;
}): Promise<void> {
  const { path, offset, chunks, signal, permit, wrote, durable } = options;
  const file = await open(path, offset === 0 ? "w" : "r+", 0o600);
  const settle = () => file.datasync().then(durable);
  let end = offset;
  let durableUntil = offset;
  try {
    await file.truncate(offset);
    for await (const chunk of whileWanted(chunks, signal)) {
      permit(end + chunk.length);
      await writeAll(file, chunk, end);
      end += chunk.length;
      wrote(end);
      if (end - durableUntil < durableEvery) continue;
      await settle();
      durableUntil = end;
    }
  } finally {
    await settle().finally(() => file.close());
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** The source may be silent for ever, so it is left behind when the signal aborts. */
async function* whileWanted(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  for (;;) {
    const next = await orAbort(source.next(), signal);
    if (next.done) return;
    yield next.value;
  }
}

function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

export async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Uint8Array);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
  return hash.digest("hex");
}

/** What the system says of a full disk, in our words. */
export function diskFailure(thrown: unknown): unknown {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  if (code !== "ENOSPC" && code !== "EDQUOT") return thrown;
  return new CodedError("too_large", "The disk of the device agent is full.", {
    hint: "Ask the operator of the device agent to make room, then go on.",
    cause: thrown,
  });
}
