import { execFile } from "node:child_process";
import { AdbServerClient } from "@yume-chan/adb";
import { type AdbServerAddress, createServerConnector } from "./connector.ts";

export interface AdbProgram {
  /** Of the protocol between program and server: 41 in "1.0.41". Undefined when it does not tell. */
  protocol: number | undefined;
  /** Of the release, for people: "35.0.2-12147458". */
  release: string;
}

/** The `adb` on the PATH; undefined when there is none. Asking for its version starts no server. */
export function findAdbProgram(program = "adb", timeoutMs = 5_000): Promise<AdbProgram | undefined> {
  return new Promise((resolve) => {
    execFile(program, ["version"], { timeout: timeoutMs }, (error, stdout) => {
      if (error) return resolve(undefined);
      const protocol = /^Android Debug Bridge version 1\.0\.(\d+)/m.exec(stdout)?.[1];
      const release = /^Version (\S+)/m.exec(stdout)?.[1];
      resolve({
        protocol: protocol === undefined ? undefined : Number(protocol),
        release: release ?? `1.0.${protocol}`,
      });
    });
  });
}

/** The protocol version of the server that answers at `address`; undefined when none does. Never starts one. */
export async function readServerProtocol(address: AdbServerAddress, timeoutMs = 3_000): Promise<number | undefined> {
  const client = new AdbServerClient(createServerConnector(address, timeoutMs));
  try {
    const stream = await client.createConnection("host:version", { signal: AbortSignal.timeout(timeoutMs) });
    try {
      return Number.parseInt(await stream.readString(), 16);
    } finally {
      stream.dispose().catch(() => {});
    }
  } catch {
    return undefined;
  }
}
