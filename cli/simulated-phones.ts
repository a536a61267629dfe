import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Child, startChild } from "./child.ts";

export interface StartedPhone {
  child: Child;
  address: string;
  serial: string;
}

const program = fileURLToPath(new URL("../device-agent/simulated-phone/main.js", import.meta.url));

/** Starts `count` phones made of software, each a process of its own. Their serials stay the same across restarts. */
export async function startSimulatedPhones(options: {
  count: number;
  latency: string;
  dataDir: string;
  env: Record<string, string | undefined>;
  started: (child: Child) => void;
}): Promise<StartedPhone[]> {
  const start = async (serial: string): Promise<StartedPhone> => {
    const args = ["--port", "0", "--serial", serial, "--latency", options.latency, "--exit-with-parent"];
    const child = startChild("simulated phone", [program, ...args], options.env);
    options.started(child);
    const { host, port } = await child.event(({ event }) => event === "listening", 20_000);
    return { child, address: `${host}:${port}`, serial };
  };
  return Promise.all(keptSerials(options.dataDir, options.count).map(start));
}

function keptSerials(dataDir: string, count: number): string[] {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, "simulated-phones.json");
  const kept = readKept(path);
  while (kept.length < count) kept.push(`SIM${randomBytes(4).toString("hex").toUpperCase()}`);
  writeFileSync(path, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
  return kept.slice(0, count);
}

function readKept(path: string): string[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return Array.isArray(value) ? value.filter((serial) => typeof serial === "string") : [];
  } catch {
    return [];
  }
}
