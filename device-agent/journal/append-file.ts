import { type FileHandle, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { syncDirectory } from "../identity/durable-write.ts";

interface Waiting {
  line: string;
  durable: boolean;
  resolve: () => void;
  reject: (cause: unknown) => void;
}

/** A file of lines (mode 0600) that only grows, until it is replaced as a whole. Lines that wait share one fsync. */
export interface AppendFile {
  /** Resolves when the line is written and, if `durable`, on the disk. */
  append(line: string, durable: boolean): Promise<void>;
  /** Bytes appended since the file was last replaced. */
  grownBy(): number;
  /** Puts these lines in place of the whole file; appends meanwhile come after them. */
  replace(lines: Iterable<string>): Promise<void>;
  close(): Promise<void>;
}

/** Makes the file anew from `lines`. Throws what the system throws. */
export async function createAppendFile(file: string, lines: Iterable<string>): Promise<AppendFile> {
  let handle = await rewrite(file, lines);
  let waiting: Waiting[] = [];
  let grown = 0;
  let torn = false;
  let line: Promise<void> = Promise.resolve();

  /** One after another; a failure is its caller's, not its successor's. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = line.then(work);
    line = done.catch(() => {});
    return done;
  };
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    const text = `${torn ? "\n" : ""}${batch.map((entry) => `${entry.line}\n`).join("")}`;
    try {
      await handle.appendFile(text);
      torn = false;
      grown += text.length;
      if (batch.some((entry) => entry.durable)) await handle.datasync();
      for (const entry of batch) entry.resolve();
    } catch (cause) {
      torn = true;
      for (const entry of batch) entry.reject(cause);
    }
  };

  return {
    append: (text, durable) =>
      new Promise((resolve, reject) => {
        waiting.push({ line: text, durable, resolve, reject });
        void inTurn(flush);
      }),
    grownBy: () => grown,
    replace: (fresh) =>
      inTurn(async () => {
        const next = await rewrite(file, fresh);
        await handle.close();
        [handle, grown, torn] = [next, 0, false];
      }),
    close: () => inTurn(() => handle.close()),
  };
}

async function rewrite(file: string, lines: Iterable<string>): Promise<FileHandle> {
  const next = `${file}.next`;
  const handle = await open(next, "w", 0o600);
  try {
    for (const text of lines) await handle.appendFile(`${text}\n`);
    await handle.sync();
    await rename(next, file);
    await syncDirectory(dirname(file));
    return handle;
  } catch (cause) {
    await handle.close();
    throw cause;
  }
}
