import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Debian's adb, as a server of our own on a port of its own. */
export interface AdbServer {
  port: number;
  connect(address: string): Promise<void>;
  /** The server dies as by kill -9, and all its phones with it. */
  stop(): Promise<void>;
}

export async function startAdbServer(port?: number): Promise<AdbServer> {
  const own = port ?? (await freePort());
  const home = mkdtempSync(join(tmpdir(), "farhand-adb-"));
  const env = { ...process.env, HOME: home, ANDROID_USER_HOME: home, ADB_MDNS: "0" };
  const server = spawn("adb", ["-P", String(own), "nodaemon", "server"], { env, stdio: "ignore" });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const adb = (...args: string[]) => promisify(execFile)("adb", ["-P", String(own), ...args], { env });
  await until(async () => (await adb("devices")).stdout.includes("List of devices"));
  return {
    port: own,
    async connect(address) {
      await until(async () => /connected to/.test((await adb("connect", address)).stdout));
    },
    async stop() {
      server.kill("SIGKILL");
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function until(holds: () => Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await holds().catch(() => false))) {
    if (Date.now() > end) throw new Error("The adb server did not come up.");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
