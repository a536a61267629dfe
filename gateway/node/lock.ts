import { readFileSync } from "node:fs";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { StartError, systemCode } from "./start-error.ts";

interface Holder {
  pid: number;
  /** When that process started, as far as the system tells it: pids are used again. */
  startedAt: string | null;
}

/**
 * Makes this process the only one on a data directory or a database (`what`, as a sentence begins); the returned function
 * gives it up. A lock whose process is gone is taken over. Throws StartError that names the holder.
 */
export async function takeLock(path: string, what: string): Promise<() => Promise<void>> {
  const mine = JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) } satisfies Holder);
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await place(path, mine)) return () => rm(path, { force: true });
    const text = await readFile(path, "utf8").catch(() => "");
    const holder = readHolder(text);
    if (holder && isRunning(holder)) {
      throw new StartError(`${what} is in use by process ${holder.pid} (${path}); stop it or use another one.`);
    }
    await clearAway(path, text);
  }
  throw new StartError(`The lock ${path} is taken by another process.`);
}

/** Puts the whole lock there in one step, so that nobody ever reads half of one. */
async function place(path: string, content: string): Promise<boolean> {
  const draft = `${path}.${process.pid}`;
  try {
    await writeFile(draft, content, { mode: 0o600 });
    await link(draft, path);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw new StartError(`The lock ${path} cannot be taken (${systemCode(error)}).`, error);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes a stale lock, unless another process has just put its own in its place. */
async function clearAway(path: string, stale: string): Promise<void> {
  const aside = `${path}.stale.${process.pid}`;
  try {
    await rename(path, aside);
    if ((await readFile(aside, "utf8")) !== stale) await link(aside, path);
  } catch (error) {
    if (systemCode(error) !== "ENOENT" && systemCode(error) !== "EEXIST") throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

function readHolder(text: string): Holder | null {
  try {
    const holder: Partial<Holder> = JSON.parse(text);
    return typeof holder.pid === "number" ? { pid: holder.pid, startedAt: holder.startedAt ?? null } : null;
  } catch {
    return null;
  }
}

function isRunning({ pid, startedAt }: Holder): boolean {
  if (pid === process.pid) return startedAt === startOf(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
  const now = startOf(pid);
  return startedAt === null || now === null || now === startedAt;
}

/** Field 22 of /proc/<pid>/stat; null where there is no such file. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
