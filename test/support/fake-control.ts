import { createHash } from "node:crypto";
import type { Device } from "../../shared/device.ts";
import type { AppSource, FilePiece, FinishedCommand, OutputEnds, ProcessOutput } from "../../shared/device-control.ts";
import { CodedError } from "../../shared/errors.ts";

type Act = (action: string, signal: AbortSignal, details?: object) => Promise<void>;
type Control = Pick<Device, "shell" | "files" | "packages" | "reboot">;

export const outputOf = (text: string): OutputEnds => ({
  head: new TextEncoder().encode(text),
  tail: new Uint8Array(0),
  total: new TextEncoder().encode(text).length,
});

/** What a test sets, and what came of the calls. */
export interface ControlState {
  finished: FinishedCommand;
  output: ProcessOutput;
  files: Map<string, Uint8Array>;
  pieces: FilePiece[];
  sources: AppSource[];
}

export function newControlState(): ControlState {
  return {
    finished: { stdout: outputOf(""), stderr: outputOf(""), exitCode: 0 },
    output: { bytes: new Uint8Array(0), total: 0, running: true, exitCode: null },
    files: new Map(),
    pieces: [],
    sources: [],
  };
}

/** The dangerous part of FakeDevice. */
export function createFakeControl(act: Act, state: ControlState): Control {
  const bytesAt = (path: string): Uint8Array => {
    const bytes = state.files.get(path);
    if (!bytes) throw new CodedError("target_not_found", "There is no such file on the phone.");
    return bytes;
  };
  return {
    shell: {
      async run(command, timeoutMs, signal) {
        await act("runShell", signal, { command, timeoutMs });
        return state.finished;
      },
      async start(command, signal) {
        await act("startProcess", signal, { command });
        return "p0000000001";
      },
      async read(processId, offset, signal) {
        await act("readProcess", signal, { processId, offset });
        return state.output;
      },
      async stop(processId, signal) {
        await act("stopProcess", signal, { processId });
        return state.output.running;
      },
    },
    files: {
      async push(piece, signal) {
        await act("pushFile", signal, { path: piece.path });
        state.pieces.push(piece);
      },
      async pull({ path, offset, length }, signal) {
        await act("pullFile", signal, { path });
        const bytes = bytesAt(path);
        return { bytes: bytes.subarray(offset, offset + length), size: bytes.length };
      },
      async digest(path, signal) {
        await act("digest", signal, { path });
        return createHash("sha256").update(bytesAt(path)).digest("hex");
      },
    },
    packages: {
      async install(sources, report, signal) {
        await act("installApp", signal);
        report(50, "Fetching.");
        state.sources = sources;
        return "com.example.new";
      },
      uninstall: (packageName, keepData, signal) => act("uninstallApp", signal, { packageName, keepData }),
      clearData: (packageName, signal) => act("clearAppData", signal, { packageName }),
    },
    reboot: (signal) => act("reboot", signal),
  };
}
