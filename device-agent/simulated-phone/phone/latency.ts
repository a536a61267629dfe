import type { Latency } from "../options.ts";

/** Milliseconds a program needs before and after it acts. */
export interface CommandTimes {
  readonly startMs: number;
  readonly exitMs: number;
}

/** The Java programs start a virtual machine first; medians of a mid-range phone over USB. */
const REAL: Record<string, CommandTimes> = {
  input: { startMs: 150, exitMs: 76 },
  uiautomator: { startMs: 1_600, exitMs: 500 },
  screencap: { startMs: 260, exitMs: 40 },
  monkey: { startMs: 600, exitMs: 200 },
  app_process: { startMs: 400, exitMs: 0 },
};
const REAL_DEFAULT: CommandTimes = { startMs: 15, exitMs: 5 };
const SMALL: CommandTimes = { startMs: 1, exitMs: 0 };
/** Builtins of mksh start no process. */
const BUILTINS = new Set([
  "echo",
  "printf",
  "true",
  "false",
  ":",
  "test",
  "[",
  "cd",
  "exit",
  "export",
  "set",
  "unset",
  "kill",
  "pwd",
  "read",
  "wait",
  "break",
  "continue",
]);
const NONE: CommandTimes = { startMs: 0, exitMs: 0 };

export function commandTimes(latency: Latency, program: string): CommandTimes {
  if (BUILTINS.has(program)) return NONE;
  return latency === "real" ? (REAL[program] ?? REAL_DEFAULT) : SMALL;
}

/** A gesture's duration as the caller waits for it; a quick phone is not slower than a tenth of it. */
export function gestureWaitMs(latency: Latency, durationMs: number): number {
  return latency === "real" ? durationMs : Math.min(20, durationMs / 10);
}
