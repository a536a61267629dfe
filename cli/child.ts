import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A process of ours that tells what happens as one JSON object per line on its stdout. */
export interface Child {
  name: string;
  /** Resolves with the first event that fits. Rejects when the process ends before, or when time is up. */
  event(fits: (event: ChildEvent) => boolean, timeoutMs: number): Promise<ChildEvent>;
  /** Resolves with the exit code when the process has ended; 1 stands for a signal. */
  ended: Promise<number>;
  /** Asks it to stop, and makes it stop when it takes longer than `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

export type ChildEvent = { event: string; [field: string]: unknown };

/** `args` follow the node binary. Its stderr goes to ours as it is; its stdin stays open so that it sees us go. */
export function startChild(name: string, args: string[], env: Record<string, string | undefined>): Child {
  const child = spawn(process.execPath, args, {
    env: { ...env, FARHAND_EXIT_WITH_PARENT: "1" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const heard: ChildEvent[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of [...waiting]) look();
  };
  createInterface({ input: child.stdout }).on("line", (line) => {
    heard.push(...parse(line));
    wake();
  });
  const ended = new Promise<number>((resolve) => {
    child.once("exit", (code) => resolve(code ?? 1));
    child.once("error", () => resolve(1));
  });
  let exitCode: number | undefined;
  void ended.then((code) => {
    exitCode = code;
    wake();
  });

  return {
    name,
    ended,
    event: (fits, timeoutMs) =>
      new Promise((resolve, reject) => {
        const settle = (finish: () => void) => {
          clearTimeout(timer);
          waiting.delete(look);
          finish();
        };
        const look = () => {
          const found = heard.find(fits);
          if (found) settle(() => resolve(found));
          else if (exitCode !== undefined) settle(() => reject(new ChildEnded(name, exitCode ?? 1)));
        };
        const timer = setTimeout(() => settle(() => reject(new ChildEnded(name, 1))), timeoutMs);
        waiting.add(look);
        look();
      }),
    stop: (graceMs) => stopProcess(child, ended, graceMs),
  };
}

/** It has already said why, on stderr. */
export class ChildEnded extends Error {
  readonly exitCode: number;

  constructor(name: string, exitCode: number) {
    super(`The ${name} did not start.`);
    this.name = "ChildEnded";
    this.exitCode = exitCode;
  }
}

async function stopProcess(child: ChildProcess, ended: Promise<number>, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  await ended;
  clearTimeout(timer);
}

function parse(line: string): ChildEvent[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && "event" in value ? [value as ChildEvent] : [];
  } catch {
    return [];
  }
}
