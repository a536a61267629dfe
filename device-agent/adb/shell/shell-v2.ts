import { CodedError } from "../../../shared/errors.ts";
import type { PhoneConnection } from "../phones/connection.ts";
import { type Collector, readSocket } from "./read-socket.ts";

export interface CommandResult {
  stdout: Uint8Array;
  stderr: Uint8Array;
  exitCode: number;
}

export interface Collectors {
  stdout: Collector;
  stderr: Collector;
}

const STDOUT = 1;
const STDERR = 2;
const EXIT = 3;

/**
 * Runs a command over the shell protocol, in which the exit code is the last packet: without it the answer was cut.
 * Packets: one byte id, four bytes length (little endian), data. AOSP packages/modules/adb/shell_protocol.h.
 */
export async function runShellV2(
  connection: PhoneConnection,
  command: string,
  signal: AbortSignal,
  { stdout, stderr }: Collectors,
): Promise<CommandResult> {
  const socket = await connection.open(`shell,v2,raw:${command}`, signal);
  let exitCode: number | undefined;
  const parser = createPacketParser((id, data) => {
    if (id === STDOUT) stdout.add(data);
    else if (id === STDERR) stderr.add(data);
    else if (id === EXIT) exitCode = data[0] ?? 0;
  });
  await readSocket(socket, signal, (chunk) => {
    parser(chunk);
    return exitCode !== undefined;
  });
  if (exitCode === undefined) {
    throw new CodedError("device_offline", "The connection to the phone was lost in the middle of a command.");
  }
  return { stdout: stdout.bytes(), stderr: stderr.bytes(), exitCode };
}

/** Splits a byte stream into packets. Data is passed on in pieces as it comes, except the exit code. */
export function createPacketParser(onData: (id: number, data: Uint8Array) => void): (chunk: Uint8Array) => void {
  const head = new Uint8Array(5);
  let headLength = 0;
  let remaining = 0;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (headLength < 5) {
        head[headLength++] = chunk[at++] ?? 0;
        if (headLength < 5) continue;
        remaining = new DataView(head.buffer).getUint32(1, true);
      }
      const piece = chunk.subarray(at, at + remaining);
      at += piece.length;
      remaining -= piece.length;
      if (piece.length > 0) onData(head[0] ?? 0, piece);
      if (remaining === 0) headLength = 0;
    }
  };
}
