import { CodedError } from "../../../shared/errors.ts";
import type { PhoneConnection } from "../phones/connection.ts";
import { ByteCollector, readSocket } from "./read-socket.ts";
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
  maxBytes: number,
): Promise<CommandResult> {
  const socket = await connection.open(`${service}:${command}; echo "${marker}$?"`, signal);
  const collected = new ByteCollector(maxBytes + 256);
  await readSocket(socket, signal, (chunk) => {
    collected.add(chunk);
    return false;
  });
  const bytes = service === "shell" ? undoTerminal(collected.bytes()) : collected.bytes();
  const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).lastIndexOf(marker);
  const tail =
    end < 0 ? null : /^(\d{1,3})\s*$/.exec(Buffer.from(bytes.subarray(end + marker.length)).toString("latin1"));
  if (!tail) throw new CodedError("device_offline", "The connection to the phone was lost in the middle of a command.");
  return { stdout: bytes.subarray(0, end), stderr: new Uint8Array(0), exitCode: Number(tail[1]) };
}

/** The terminal of old phones writes each line feed as carriage return and line feed (some write two returns). */
function undoTerminal(bytes: Uint8Array): Uint8Array {
  const kept = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 13 && (bytes[at + 1] === 10 || (bytes[at + 1] === 13 && bytes[at + 2] === 10))) continue;
    kept[length++] = byte;
  }
  return kept.subarray(0, length);
}
