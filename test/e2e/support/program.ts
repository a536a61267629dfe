import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Program {
  pid: number;
  stdout(): string;
  stderr(): string;
  /** The first line of stdout that is a JSON object with this event. */
  event(name: string, timeoutMs?: number): Promise<Record<string, unknown>>;
  kill(signal: NodeJS.Signals): void;
  /** Exit code, or the signal's name. */
  ended: Promise<number | string>;
}

const main = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

/** `farhand` with these arguments, in a process of its own with an almost empty environment. */
export function farhand(args: string[], env: Record<string, string> = {}): Program {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH ?? "", HOME: "/nonexistent", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const ended = new Promise<number | string>((resolve) =>
    child.once("close", (code, signal) => resolve(code ?? signal ?? 1)),
  );
  return {
    pid: child.pid ?? 0,
    stdout: () => out,
    stderr: () => err,
    ended,
    kill: (signal) => child.kill(signal),
    async event(name, timeoutMs = 30_000) {
      const end = Date.now() + timeoutMs;
      for (;;) {
        const found = jsonLines(out).find((line) => line.event === name);
        if (found) return found;
        if (Date.now() > end) throw new Error(`No event ${name}. stdout: ${out} stderr: ${err}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}

/** Complete lines only: the last one may still be on its way. */
function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
