import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { createConnection, createServer } from "node:net";
import { promisify } from "node:util";

export const hasAdb = (() => {
  try {
    execFileSync("adb", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** A real adb server of our own on a private port. */
export class AdbServer {
  readonly port: number;
  #process: ChildProcess;

  private constructor(port: number, process: ChildProcess) {
    this.port = port;
    this.#process = process;
  }

  static async start(port?: number): Promise<AdbServer> {
    const chosen = port ?? (await freePort());
    // The emulators of this machine are none of our business, nor is its USB.
    const env = { ...process.env, ADB_LOCAL_TRANSPORT_MAX_PORT: "5554", ADB_LIBUSB: "0" };
    const child = spawn("adb", ["-P", `${chosen}`, "nodaemon", "server"], { stdio: "ignore", env });
    const server = new AdbServer(chosen, child);
    await server.#untilUp();
    return server;
  }

  async adb(...words: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)("adb", ["-P", `${this.port}`, ...words], { timeout: 10_000 });
    return stdout;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill(signal);
    await gone;
  }

  async #untilUp(): Promise<void> {
    for (let look = 0; look < 100; look++) {
      if (await answers(this.port)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("The adb server did not start.");
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
