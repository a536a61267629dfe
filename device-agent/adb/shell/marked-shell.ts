import { CodedError } from "../../../shared/errors.ts";
import type { PhoneConnection } from "../phones/connection.ts";
import { type Collector, readSocket } from "./read-socket.ts";
import type { CommandResult } from "./shell-v2.ts";

/**
 * Runs a command on a phone without the shell protocol (before Android 7). Its stream simply ends, so a random marker
 * with the exit code behind the output tells a whole answer from a cut one. stderr is mixed into stdout.
 */
export async function runMarkedShell(
  connection: PhoneConnection,
  service: "exec" | "shell",
  command: string,
  marker: string,
  signal: AbortSignal,
  stdout: Collector,
): Promise<CommandResult> {
  const socket = await connection.open(`${service}:${command}; echo "${marker}$?"`, signal);
  const undo = service === "shell" ? createTerminalUndo() : (chunk: Uint8Array) => chunk;
  // What may be the marker, or stands behind it, is held back until it is known.
  let held: Buffer = Buffer.alloc(0);
  await readSocket(socket, signal, (chunk) => {
    held = Buffer.concat([held, undo(chunk)]);
    const free = beginOfMarker(held, marker);
    if (free > 0) stdout.add(held.subarray(0, free));
    held = held.subarray(free);
    return false;
  });
  const end = held.lastIndexOf(marker);
  const tail = end < 0 ? null : /^(\d{1,3})\s*$/.exec(held.subarray(end + marker.length).toString("latin1"));
  if (!tail) throw new CodedError("device_offline", "The connection to the phone was lost in the middle of a command.");
  if (end > 0) stdout.add(held.subarray(0, end));
  return { stdout: stdout.bytes(), stderr: new Uint8Array(0), exitCode: Number(tail[1]) };
}

/** Where the marker, the number behind it or the first part of it stands at the end of `bytes`. */
function beginOfMarker(bytes: Buffer, marker: string): number {
  for (let at = Math.max(0, bytes.length - marker.length - 8); at < bytes.length; at++) {
    const text = bytes.toString("latin1", at);
    if (text.startsWith(marker) || marker.startsWith(text)) return at;
  }
  return bytes.length;
}

/** The terminal of old phones writes each line feed as carriage return and line feed (some write two returns). */
function createTerminalUndo(): (chunk: Uint8Array) => Uint8Array {
  let returns = 0;
  return (chunk) => {
    const kept = new Uint8Array(chunk.length + returns);
    let length = 0;
    for (const byte of chunk) {
      if (byte === 13) {
        returns++;
        continue;
      }
      for (const surplus = byte === 10 ? 2 : 0; returns > surplus; returns--) kept[length++] = 13;
      returns = 0;
      kept[length++] = byte;
    }
    return kept.subarray(0, length);
  };
}
