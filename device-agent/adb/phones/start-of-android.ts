import type { CommandRunner } from "../shell/command-runner.ts";

/** A phone that has run so long without saying that it has started is asked for its package service instead. */
const LATE_MS = 120_000;

/**
 * Whether Android says that it has started: `sys.boot_completed`, or `dev.bootcomplete`, which old releases and some
 * televisions set alone (ActivityManagerService.finishBooting sets both).
 */
export function hasStarted(properties: ReadonlyMap<string, string>): boolean {
  return ["sys.boot_completed", "dev.bootcomplete"].some((name) => properties.get(name)?.trim() === "1");
}

/**
 * Asks whether Android has started meanwhile. Some builds never say so: after `LATE_MS`, by the kernel's time or by the
 * time that we have waited, one whose package service answers counts as started.
 */
export async function asksHasStarted(runner: CommandRunner, waitedMs: number, signal: AbortSignal): Promise<boolean> {
  const options = { signal, timeoutMs: 5000, task: "say whether Android has started" };
  const [completed = "", complete = "", uptime = ""] = await runner.sections(
    ["getprop sys.boot_completed", "getprop dev.bootcomplete", "cat /proc/uptime"],
    options,
  );
  if (completed.trim() === "1" || complete.trim() === "1") return true;
  const ranMs = Number(/^(\d+(?:\.\d+)?) /.exec(uptime)?.[1] ?? 0) * 1000;
  if (Math.max(waitedMs, ranMs) < LATE_MS) return false;
  const [path = ""] = await runner.sections(["pm path android"], options);
  return /^package:\//m.test(path);
}
