import { type ChildProcess, spawn } from "node:child_process";

/** A process that can be killed at any moment and started again, as often as one likes. */
export interface Killable {
  /** Starts it and does not wait for anything. */
  start(): void;
  /** `kill -9`; resolves when it is gone. Nothing happens to one that does not run. */
  kill(): Promise<void>;
  /** Resolves with the first event of this name that the process of now tells on stdout. */
  event(name: string): Promise<Record<string, unknown>>;
  /** What it said that nobody may overlook: an end that no kill was the cause of, and errors in its log. */
  complaints(): string[];
}

/** Node with these arguments; it goes with us if we go. */
export function createKillable(name: string, args: () => string[], env: Record<string, string>): Killable {
  const complaints: string[] = [];
  let child: ChildProcess | undefined;
  let gone: Promise<void> = Promise.resolve();
  let told: Record<string, unknown>[] = [];
  let isKilled = false;

  return {
    start() {
      const started = spawn(process.execPath, args(), {
        env: { PATH: process.env.PATH, HOME: "/nonexistent", FARHAND_EXIT_WITH_PARENT: "1", ...env },
        stdio: ["pipe", "pipe", "pipe"],
      });
      child = started;
      isKilled = false;
      const heard: Record<string, unknown>[] = [];
      told = heard;
      onLines(started.stdout, (line) => heard.push(JSON.parse(line)));
      onLines(started.stderr, (line) => complaints.push(`${name}: ${line}`));
      gone = new Promise((resolve) => {
        started.once("close", (code) => {
          if (!isKilled) complaints.push(`${name}: ended by itself with exit code ${code}`);
          resolve();
        });
      });
    },
    async kill() {
      isKilled = true;
      child?.kill("SIGKILL");
      await gone;
    },
    async event(wanted) {
      const end = Date.now() + 30_000;
      for (;;) {
        const found = told.find(({ event }) => event === wanted);
        if (found) return found;
        if (Date.now() > end) throw new Error(`The ${name} told no event ${wanted}: ${complaints.join("\n")}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    complaints: () => complaints.splice(0),
  };
}

/** Whole lines only: the last one of a killed process may be torn. */
function onLines(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
}
