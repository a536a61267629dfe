import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { StartError } from "../start-error.ts";
import { isAlive, processStamp } from "./process-stamp.ts";

const contents = z.object({ pid: z.number().int().positive(), stamp: z.string().optional() });

export interface LockFile {
  release(): Promise<void>;
}

/**
 * Makes this process the only one on its data directory. A lock whose process is gone is taken over; throws StartError
 * that names the process when it lives.
 */
export async function acquireLock(file: string): Promise<LockFile> {
  const mine = JSON.stringify({ pid: process.pid, stamp: await processStamp(process.pid) });
  for (let attempt = 0; attempt < 10; attempt++) {
    if (await create(file, mine)) return { release: () => release(file, mine) };
    const found = await readLock(file);
    if (found === undefined) continue;
    const holder = await liveHolder(found);
    if (holder !== undefined) {
      throw new StartError(`another device agent (process ${holder}) already uses this data directory: ${file}`);
    }
    await removeStale(file, found);
  }
  throw new StartError(`cannot take the lock ${file}`);
}

async function create(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false;
    throw new StartError(`cannot write the lock ${file}`, cause);
  }
}

/** A lock may be seen while it is being written, so an unreadable one gets a second look before it counts as stale. */
async function readLock(file: string): Promise<string | undefined> {
  const found = await readFile(file, "utf8").catch(() => undefined);
  if (found === undefined || contents.safeParse(parseJson(found)).success) return found;
  await delay(100);
  return readFile(file, "utf8").catch(() => undefined);
}

async function liveHolder(text: string): Promise<number | undefined> {
  const parsed = contents.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const { pid, stamp } = parsed.data;
  if (!isAlive(pid)) return undefined;
  return stamp === undefined || stamp === (await processStamp(pid)) ? pid : undefined;
}

/** Two processes may find the same stale lock; the slower one must not remove the faster one's fresh lock. */
async function removeStale(file: string, stale: string): Promise<void> {
  const aside = `${file}.stale.${process.pid}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  const moved = await readFile(aside, "utf8").catch(() => stale);
  if (moved !== stale) await writeFile(file, moved, { flag: "wx", mode: 0o600 }).catch(() => {});
  await rm(aside, { force: true });
}

async function release(file: string, mine: string): Promise<void> {
  const found = await readFile(file, "utf8").catch(() => undefined);
  if (found === mine) await rm(file, { force: true });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
