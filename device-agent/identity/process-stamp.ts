import { readFile } from "node:fs/promises";

/**
 * Tells a process from a later one with the same id: boot of the machine and start time, where the system gives them
 * (Linux, proc(5) field 22); undefined elsewhere, or when there is no such process.
 */
export async function processStamp(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    // The second field is the program's name in parentheses, which may hold anything.
    const startedAt = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return startedAt && `${boot.trim()}:${startedAt}`;
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown && thrown.code === "EPERM";
  }
}
