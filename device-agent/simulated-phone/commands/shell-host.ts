import { commandTimes } from "../phone/latency.ts";
import type { Phone } from "../phone/phone.ts";
import { KilledError } from "../phone/process-table.ts";
import { type ByteSink, type ByteSource, emptySource, nullSink } from "../shell/byte-pipe.ts";
import { expandGlob } from "../shell/glob.ts";
import { runScript, type ShellHost, type ShellIo, type ShellState } from "../shell/interpreter.ts";
import type { Program, ProgramContext, ProgramTable } from "./program.ts";
import { programsWhileStarting } from "./while-starting.ts";

/** Runs command lines on the phone. */
export interface PhoneShell {
  newState(): ShellState;
  /** Resolves with the exit status; rejects when the signal aborts. */
  run(text: string, state: ShellState, io: ShellIo, signal: AbortSignal): Promise<number>;
}

const KEPT_PROGRAMS = 5_000;
const KEPT_JOBS = 500;
const ADBD_PID = 798;
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
  "trap",
  "kill",
  "pwd",
]);

export function createPhoneShell(phone: Phone, programs: ProgramTable): PhoneShell {
  const { files, processes } = phone;
  const { clock, latency, quirks, sdk } = phone.profile;
  const jobs = new Map<number, Promise<number>>();

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
    startJob(shell, run) {
      const process = processes.start("sh", shell.pid, shell.group);
      const status = run(process.abort.signal)
        .catch(() => killedStatus(process.abort.signal) ?? 1)
        .finally(() => processes.remove(process.pid));
      jobs.set(process.pid, status);
      const [oldest] = jobs.keys();
      if (jobs.size > KEPT_JOBS && oldest !== undefined) jobs.delete(oldest);
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
    phone.ranPrograms.push(argv);
    if (phone.ranPrograms.length > KEPT_PROGRAMS) phone.ranPrograms.splice(0, KEPT_PROGRAMS / 10);
    const name = command.replace(/^\/(system|vendor|product)\/(bin|xbin)\//, "");
    const known = Object.hasOwn(programs, name) ? programs[name] : undefined;
    const isEarly = known !== undefined && !phone.start.isOver && Object.hasOwn(programsWhileStarting, name);
    const program = isEarly ? programsWhileStarting[name] : known;
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
    if (RUN_IN_SHELL.has(name)) return program(contextFor(name, args, io, shell, signal, shell.pid));
    const times = commandTimes(latency, name);
    const process = processes.start(name, shell.pid, shell.group);
    const lifetime = AbortSignal.any([signal, process.abort.signal]);
    try {
      await clock.sleep(times.startMs, lifetime);
      const status = await untilAborted(
        Promise.resolve(program(contextFor(name, args, io, shell, lifetime, process.pid))),
        lifetime,
      );
      await clock.sleep(times.exitMs, lifetime);
      return status;
    } catch (error) {
      // Killed by another process, not by the end of the whole session.
      const status = signal.aborted ? undefined : killedStatus(process.abort.signal);
      if (status === undefined) throw error;
      return status;
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
    pid: number,
  ): ProgramContext {
    return {
      name,
      args,
      io,
      shell,
      pid,
      signal,
      phone,
      isProgram: (program) => Object.hasOwn(programs, program),
      print: (text) => io.stdout.write(Buffer.from(text)),
      printError: (text) => io.stderr.write(Buffer.from(text)),
      run: (argv, programIo = io, programSignal = signal, programShell = shell) =>
        execute(argv, programIo, programShell, programSignal),
      jobStatus: (job) => jobs.get(job),
      runScript: (text, state, scriptIo = io) => runScript(host, text, scriptIo, state, signal),
    };
  }

  return {
    newState() {
      const { pid, group } = processes.start("sh", ADBD_PID);
      const variables = new Map(Object.entries(ENVIRONMENT));
      return { variables, positional: [], cwd: "/", status: 0, pid, group, traps: new Map(), lastBackgroundPid: 0 };
    },
    async run(text, state, io, signal) {
      const session = processes.find(state.pid);
      const lifetime = session?.abort ? AbortSignal.any([signal, session.abort.signal]) : signal;
      try {
        if (quirks.slowShellMs) await clock.sleep(quirks.slowShellMs, lifetime);
        return await runScript(host, text, io, state, lifetime);
      } catch (error) {
        const status = signal.aborted || !session?.abort ? undefined : killedStatus(session.abort.signal);
        if (status !== undefined) return status;
        if (signal.aborted) await hangUp(state);
        throw error;
      } finally {
        processes.remove(state.pid);
      }
    },
  };

  /** The host has closed the socket: adbd since Android 7 tells the shell, which may have a trap for it. */
  async function hangUp(state: ShellState): Promise<void> {
    const trap = state.traps.get("HUP");
    if (trap === undefined || sdk < 24) return;
    const io = { stdin: emptySource, stdout: nullSink, stderr: nullSink };
    await runScript(host, trap, io, state, new AbortController().signal);
  }
}

/** 128 and the signal's number, for what was ended by one. */
function killedStatus({ reason }: AbortSignal): number | undefined {
  return reason instanceof KilledError ? 128 + reason.signalNumber : undefined;
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
