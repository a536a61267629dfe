import { spawn } from "node:child_process";
import type { AdbServerAddress } from "./connector.ts";

/** Runs `adb start-server` for the address. Rejects when there is no `adb` on the PATH or it fails. */
export function startAdbServer(address: AdbServerAddress, program = "adb"): Promise<void> {
  const where =
    "path" in address ? ["-L", `localfilesystem:${address.path}`] : ["-H", address.host, "-P", `${address.port}`];
  const isLocal = "path" in address || address.host === "127.0.0.1" || address.host === "localhost";
  if (!isLocal) return Promise.reject(new Error("The adb server is on another machine."));
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...("path" in address ? where : where.slice(2)), "start-server"], {
      stdio: "ignore",
    });
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`adb start-server ended with ${code}`))));
  });
}
