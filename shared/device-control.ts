/** What the tools with the permission `device:danger` may do to a phone; part of the `Device` port. */

/** The first and the last bytes of an output; what was between them is left out. */
export interface OutputEnds {
  head: Uint8Array;
  tail: Uint8Array;
  /** All bytes that came. */
  total: number;
}

export interface FinishedCommand {
  stdout: OutputEnds;
  /** Empty on phones before Android 7, which mix it into stdout. */
  stderr: OutputEnds;
  /** Null when the command was killed at its time limit. */
  exitCode: number | null;
}

export interface ProcessOutput {
  /** What the output file holds from the offset on, at most `limits.processReadBytes`. */
  bytes: Uint8Array;
  /** All bytes that are kept so far. */
  total: number;
  running: boolean;
  /** Null while it runs, and when it ended without telling: stopped, killed, or the phone restarted. */
  exitCode: number | null;
}

/** Commands of the shell user. */
export interface DeviceShell {
  /** Kills the command and all of its group after `timeoutMs` and when `signal` aborts. */
  run(command: string, timeoutMs: number, signal: AbortSignal): Promise<FinishedCommand>;
  /** Starts a command that runs on without us, and gives its id. Throws `device_busy` at `limits.processes`. */
  start(command: string, signal: AbortSignal): Promise<string>;
  /** Throws `target_not_found`. */
  read(processId: string, offset: number, signal: AbortSignal): Promise<ProcessOutput>;
  /** TERM to its group, after 3 s KILL. Resolves with false when it had ended before. Throws `target_not_found`. */
  stop(processId: string, signal: AbortSignal): Promise<boolean>;
}

/** One piece of a file that grows on the phone. */
export interface FilePiece {
  /** Absolute. */
  path: string;
  bytes: Uint8Array;
  /** How much of the file is on the phone already. */
  offset: number;
  /** The file is complete after this piece. */
  last: boolean;
  /** SHA-256 of the whole file in lower-case hex, checked before the file gets its name. */
  sha256: string | undefined;
}

export interface FileRange {
  path: string;
  offset: number;
  length: number;
}

/** Files that the shell user may touch. Everything throws `target_not_found`, `file_refused`, `invalid_argument`. */
export interface DeviceFiles {
  /**
   * Appends a piece; the file has its name only when it is whole. Throws `invalid_argument` with the offset to go on
   * from when `offset` is another.
   */
  push(piece: FilePiece, signal: AbortSignal): Promise<void>;
  /** `size` is 0 for files that are made while they are read, as below /proc. */
  pull(range: FileRange, signal: AbortSignal): Promise<{ bytes: Uint8Array; size: number }>;
  /** SHA-256 of a whole file, in hex. */
  digest(path: string, signal: AbortSignal): Promise<string>;
}

/** A whole file that the device agent keeps for a caller. */
export interface KeptFile {
  bytes: number;
  /** In lower-case hex. */
  sha256: string;
  /** Fewer bytes at the end of the file. Throws `target_not_found` when the file is gone by now. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Where the parts of an app come from: a file on the phone, an address with the digest of what is there, an upload. */
export type AppSource = { path: string } | { url: string; sha256: string } | { kept: KeptFile };

export interface DevicePackages {
  /**
   * Installs an app from its APK and the splits of it. `report` is told per cent and what is going on. Resolves with
   * the package's name, null when the phone's list of apps does not tell which it was. Throws `install_refused`,
   * `download_failed`, and `deadline_exceeded`, to be retried after 0 ms, when another call has to go on.
   */
  install(
    sources: AppSource[],
    report: (percent: number, message: string) => void,
    signal: AbortSignal,
  ): Promise<string | null>;
  /** Throws `target_not_found`, `install_refused`. */
  uninstall(packageName: string, keepData: boolean, signal: AbortSignal): Promise<void>;
  /** Throws `target_not_found`. */
  clearData(packageName: string, signal: AbortSignal): Promise<void>;
}
