import { commandTimes } from "../phone/latency.ts";
import type { Phone } from "../phone/phone.ts";
import { KilledError } from "../phone/process-table.ts";
import type { ByteSink, ByteSource } from "../shell/byte-pipe.ts";
import { expandGlob } from "../shell/glob.ts";
import { runScript, type ShellHost, type ShellIo, type ShellState } from "../shell/interpreter.ts";
import type { Program, ProgramContext, ProgramTable } from "./program.ts";

/** Runs command lines on the phone. */
export interface PhoneShell {
  newState(): ShellState;
  /** Resolves with the exit status; rejects when the signal aborts. */
  run(text: string, state: ShellState, io: ShellIo, signal: AbortSignal): Promise<number>;
}

const STATUS_NOT_FOUND = 127;
const STATUS_NOT_EXECUTABLE = 126;
const ENVIRONMENT: Record<string, string> = {
  PATH: "/product/bin:/apex/com.android.runtime/bin:/system/bin:/system/xbin:/vendor/bin",
  HOME: "/",
  SHELL: "/system/bin/sh",
  USER: "shell",
  LOGNAME: "shell",
  HOSTNAME: "localhost",
  TMPDIR: "/data/local/tmp",
  EXTERNAL_STORAGE: "/sdcard",
  ANDROID_DATA: "/data",
  ANDROID_ROOT: "/system",
  TERM: "dumb",
};
/** They change the shell that runs them, so they get no process of their own. */
const RUN_IN_SHELL = new Set([
  "cd",
  "exit",
  "export",
  "set",
  "unset",
  "shift",
  "read",
  "eval",
  "exec",
  ".",
  "source",
  "break",
  "continue",
  ":",
  "echo",
  "printf",
  "test",
  "[",
  "true",
  "false",
  "wait",
  "kill",
  "pwd",
]);

export function createPhoneShell(phone: Phone, programs: ProgramTable): PhoneShell {
  const { files, processes } = phone;
  const { clock, latency, quirks } = phone.profile;

  const host: ShellHost = {
    files: {
      openForReading: (path, cwd) => singleRead(files.read(files.resolve(path, cwd))),
      openForWriting(path, cwd, isAppend): ByteSink {
        const target = files.resolve(path, cwd);
        files.write(target, Buffer.alloc(0), { isAppend });
        return { write: async (bytes) => files.write(target, bytes, { isAppend: true }) };
      },
    },
    glob: (pattern, cwd) =>
      expandGlob(pattern, cwd, namesIn).filter((path) => files.stat(files.resolve(path, cwd)) !== undefined),
    execute,
    startJob(name, run) {
      const process = processes.start(name, 1);
      run(process.abort.signal)
        .catch(() => {})
        .finally(() => processes.remove(process.pid));
      return process.pid;
    },
  };

  function namesIn(directory: string): string[] {
    try {
      return files.list(directory).map(({ name }) => name);
    } catch {
      return [];
    }
  }

  async function execute(
    argv: readonly string[],
    io: ShellIo,
    shell: ShellState,
    signal: AbortSignal,
  ): Promise<number> {
    const [command = ""] = argv;
    const name = command.replace(/^\/(system|vendor|product)\/(bin|xbin)\//, "");
    const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
    if (program) return runProgram(name, program, argv.slice(1), io, shell, signal);
    const path = files.resolve(command, shell.cwd);
    const file = command.includes("/") ? files.stat(path) : undefined;
    const isExecutable = file?.kind === "file" && (file.mode & 0o111) !== 0;
    if (isExecutable)
      return runScript(
        host,
        files.read(path).toString("utf8"),
        io,
        { ...childOf(shell), positional: argv.slice(1) },
        signal,
      );
    await io.stderr.write(
      Buffer.from(
        `/system/bin/sh: ${command}: ${file ? "can't execute: Permission denied" : "inaccessible or not found"}\n`,
      ),
    );
    return file ? STATUS_NOT_EXECUTABLE : STATUS_NOT_FOUND;
  }

  async function runProgram(
    name: string,
    program: Program,
    args: readonly string[],
    io: ShellIo,
    shell: ShellState,
    signal: AbortSignal,
  ): Promise<number> {
    if (RUN_IN_SHELL.has(name)) return program(contextFor(name, args, io, shell, signal));
    const times = commandTimes(latency, name);
    const process = processes.start(name, shell.pid);
    const lifetime = AbortSignal.any([signal, process.abort.signal]);
    try {
      await clock.sleep(times.startMs, lifetime);
      const status = await untilAborted(
        Promise.resolve(program(contextFor(name, args, io, shell, lifetime))),
        lifetime,
      );
      await clock.sleep(times.exitMs, lifetime);
      return status;
    } catch (error) {
      // Killed by another process, not by the end of the whole session.
      if (!signal.aborted && process.abort.signal.reason instanceof KilledError)
        return 128 + process.abort.signal.reason.signalNumber;
      throw error;
    } finally {
      processes.remove(process.pid);
    }
  }

  function contextFor(
    name: string,
    args: readonly string[],
    io: ShellIo,
    shell: ShellState,
    signal: AbortSignal,
  ): ProgramContext {
    return {
      name,
      args,
      io,
      shell,
      signal,
      phone,
      isProgram: (program) => Object.hasOwn(programs, program),
      print: (text) => io.stdout.write(Buffer.from(text)),
      printError: (text) => io.stderr.write(Buffer.from(text)),
      run: (argv, programIo = io, programSignal = signal) => execute(argv, programIo, shell, programSignal),
      runScript: (text, state, scriptIo = io) => runScript(host, text, scriptIo, state, signal),
    };
  }

  return {
    newState: () => ({
      variables: new Map(Object.entries(ENVIRONMENT)),
      positional: [],
      cwd: "/",
      status: 0,
      pid: processes.start("sh", 798).pid,
      lastBackgroundPid: 0,
    }),
    async run(text, state, io, signal) {
      const session = processes.find(state.pid);
      const lifetime = session?.abort ? AbortSignal.any([signal, session.abort.signal]) : signal;
      try {
        if (quirks.slowShellMs) await clock.sleep(quirks.slowShellMs, lifetime);
        return await runScript(host, text, io, state, lifetime);
      } finally {
        processes.remove(state.pid);
      }
    },
  };
}

export function childOf(shell: ShellState): ShellState {
  return { ...shell, variables: new Map(shell.variables) };
}

function singleRead(data: Buffer): ByteSource {
  const rest = data.length > 0 ? [data] : [];
  return { read: async () => rest.shift() };
}

/** A program that ignores its signal is left behind, as a killed process would be. */
async function untilAborted(status: Promise<number>, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  return new Promise<number>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    status.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
