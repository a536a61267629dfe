import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Turns a TypeScript program of the tests into one that any Node runs. Remove it with `remove`. */
export async function buildProgram(source: string): Promise<{ file: string; remove(): void }> {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const outDir = mkdtempSync(join(cache, "farhand-test-"));
  await build({
    root,
    configFile: false,
    logLevel: "error",
    build: {
      ssr: join(root, source),
      outDir,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: "program.mjs" } },
    },
  });
  return { file: join(outDir, "program.mjs"), remove: () => rmSync(outDir, { recursive: true, force: true }) };
}

export interface RunningProgram {
  process: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  ended: Promise<number | NodeJS.Signals | null>;
}

export function runProgram(file: string, args: string[], env: Record<string, string>): RunningProgram {
  const child = spawn(process.execPath, [file, ...args], { env: { PATH: process.env.PATH, ...env } });
  const text = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => {
    text.stdout += data;
  });
  child.stderr.on("data", (data) => {
    text.stderr += data;
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? signal));
  });
  return { process: child, stdout: () => text.stdout, stderr: () => text.stderr, ended };
}
