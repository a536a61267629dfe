import type { ProcessTable } from "./process-table.ts";

const TICK_MS = 10;

/** `/proc/PID/stat` of a process that runs, in the 52 fields of proc(5); times are in ticks since the start. And uptime. */
export function processFile(path: string, processes: ProcessTable, bootedAt: number, now: number): Buffer | undefined {
  if (path === "/proc/uptime") {
    const seconds = Math.max(0, (now - bootedAt) / 1000).toFixed(2);
    return Buffer.from(`${seconds} ${seconds}\n`);
  }
  const pid = /^\/proc\/(\d+)\/stat$/.exec(path)?.[1];
  const process = pid === undefined ? undefined : processes.find(Number(pid));
  if (!process) return undefined;
  const startTime = Math.floor((process.startedAt - bootedAt) / TICK_MS);
  const { group } = process;
  const head = `${process.pid} (${process.name.slice(0, 15)}) S ${process.parentPid} ${group} ${group} 0 -1 4194560`;
  const counters = "1187 0 2 0 1 1 0 0 20 0 1 0";
  const tail = "11039784960 830 18446744073709551615 1 1 0 0 0 0 0 0 1073775864 0 0 0 17 3 0 0 0 0 0 0 0 0 0 0 0 0 0";
  return Buffer.from(`${head} ${counters} ${startTime} ${tail}\n`);
}
