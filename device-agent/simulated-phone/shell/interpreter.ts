import { BrokenPipeError, type ByteSink, type ByteSource, createBytePipe, readAll } from "./byte-pipe.ts";
import { ExpansionError, type ExpansionScope, expandToPattern, expandToText, expandToWords } from "./expand.ts";
import { matchesGlob } from "./glob.ts";
import { parseScript } from "./parse.ts";
import { openRedirections, RedirectionError, type ShellFiles } from "./redirect.ts";
import { type Command, type Pipeline, type Script, ShellSyntaxError, type Statement } from "./syntax.ts";

export interface ShellIo {
  readonly stdin: ByteSource;
  readonly stdout: ByteSink;
  readonly stderr: ByteSink;
}

/** Variables and directory of one shell process; a subshell gets a copy. */
export interface ShellState {
  readonly variables: Map<string, string>;
  readonly positional: readonly string[];
  cwd: string;
  status: number;
  readonly pid: number;
  /** The process group of all that it starts. */
  readonly group: number;
  /** What to do on a signal, by its name. */
  readonly traps: Map<string, string>;
  lastBackgroundPid: number;
}

/** The rest of the phone, as far as the shell needs it. */
export interface ShellHost {
  readonly files: ShellFiles;
  glob(pattern: string, cwd: string): readonly string[];
  /** Runs a program or builtin. 127 was already reported on stderr. */
  execute(argv: readonly string[], io: ShellIo, state: ShellState, signal: AbortSignal): Promise<number>;
  /** Starts a job that outlives its statement and gives its pid. */
  startJob(state: ShellState, run: (signal: AbortSignal) => Promise<number>): number;
}

/** `exit`, `break` and `continue` unwind to where they belong. */
export class ShellExit extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`exit ${status}`);
    this.status = status;
  }
}
export class LoopControl extends Error {
  readonly kind: "break" | "continue";
  constructor(kind: "break" | "continue") {
    super(kind);
    this.kind = kind;
  }
}

const SHELL = "/system/bin/sh";
const STATUS_SIGPIPE = 141;

/** Runs the text of a script to its end. Never rejects, except when the signal aborts. */
export async function runScript(
  host: ShellHost,
  text: string,
  io: ShellIo,
  state: ShellState,
  signal: AbortSignal,
): Promise<number> {
  try {
    state.status = await createInterpreter(host, state, signal).run(parseScript(text), io);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof ShellExit) state.status = error.status;
    else if (error instanceof BrokenPipeError) state.status = STATUS_SIGPIPE;
    else if (error instanceof LoopControl) state.status = 0;
    else if (error instanceof ShellSyntaxError || error instanceof ExpansionError) {
      await io.stderr.write(Buffer.from(`${SHELL}: ${error.message}\n`)).catch(() => {});
      state.status = 1;
    } else throw error;
  }
  return state.status;
}

export function subshellOf(state: ShellState): ShellState {
  return { ...state, variables: new Map(state.variables) };
}

function createInterpreter(host: ShellHost, state: ShellState, signal: AbortSignal) {
  const scopeFor = (io: ShellIo): ExpansionScope => ({
    variable: (name) => specialVariable(name) ?? state.variables.get(name),
    setVariable: (name, value) => void state.variables.set(name, value),
    positional: () => state.positional,
    glob: (pattern) => host.glob(pattern, state.cwd),
    async substitute(script) {
      const pipe = createBytePipe();
      const inner = subshellOf(state);
      const [output] = await Promise.all([
        readAll(pipe),
        runScript(host, script, { ...io, stdout: pipe }, inner, signal).finally(() => pipe.closeWriter()),
      ]);
      state.status = inner.status;
      return output.toString("utf8").replaceAll("\0", "");
    },
  });

  function specialVariable(name: string): string | undefined {
    if (name === "?") return String(state.status);
    if (name === "$") return String(state.pid);
    if (name === "!") return state.lastBackgroundPid === 0 ? "" : String(state.lastBackgroundPid);
    if (name === "#") return String(state.positional.length);
    if (name === "0") return state.variables.get("0") ?? SHELL;
    if (name === "PWD") return state.cwd;
    return /^\d$/.test(name) ? (state.positional[Number(name) - 1] ?? "") : undefined;
  }

  async function run(script: Script, io: ShellIo): Promise<number> {
    for (const statement of script) {
      signal.throwIfAborted();
      if (statement.isBackground) runInBackground(statement, io);
      else await runStatement(statement, io);
    }
    return state.status;
  }

  function runInBackground(statement: Statement, io: ShellIo): void {
    const inner = subshellOf(state);
    state.lastBackgroundPid = host.startJob(state, (jobSignal) =>
      createInterpreter(host, inner, jobSignal)
        .run([{ ...statement, isBackground: false }], io)
        .catch((error: unknown) => {
          if (error instanceof ShellExit) return error.status;
          throw error;
        }),
    );
    state.status = 0;
  }

  async function runStatement(statement: Statement, io: ShellIo): Promise<void> {
    state.status = await runPipeline(statement.first, io);
    for (const { operator, pipeline } of statement.rest)
      if ((operator === "&&") === (state.status === 0)) state.status = await runPipeline(pipeline, io);
  }

  async function runPipeline(pipeline: Pipeline, io: ShellIo): Promise<number> {
    const [only] = pipeline.commands;
    const status =
      pipeline.commands.length === 1 && only ? await runCommand(only, io) : await runStages(pipeline.commands, io);
    return pipeline.isNegated ? Number(status === 0) : status;
  }

  /** Every stage runs at once in a subshell; the status is that of the last. */
  async function runStages(commands: readonly Command[], io: ShellIo): Promise<number> {
    const pipes = commands.slice(1).map(() => createBytePipe());
    const stages = commands.map(async (command, index) => {
      const input = pipes[index - 1];
      const output = pipes[index];
      const inner = subshellOf(state);
      try {
        return await createInterpreter(host, inner, signal).runCommand(command, {
          stdin: input ?? io.stdin,
          stdout: output ?? io.stdout,
          stderr: io.stderr,
        });
      } catch (error) {
        if (error instanceof ShellExit) return error.status;
        if (error instanceof BrokenPipeError) return STATUS_SIGPIPE;
        throw error;
      } finally {
        input?.closeReader();
        output?.closeWriter();
      }
    });
    return (await Promise.all(stages)).at(-1) ?? 0;
  }

  async function runCommand(command: Command, outer: ShellIo): Promise<number> {
    let io = outer;
    try {
      io = await openRedirections(command.redirections, outer, host.files, state.cwd, (word) =>
        expandToText(word, scopeFor(outer)),
      );
    } catch (error) {
      if (!(error instanceof RedirectionError)) throw error;
      await outer.stderr.write(Buffer.from(`${SHELL}: ${error.message}\n`));
      return 1;
    }
    switch (command.kind) {
      case "simple":
        return runSimple(command, io);
      case "group":
        return run(command.body, io);
      case "subshell":
        return createInterpreter(host, subshellOf(state), signal)
          .run(command.body, io)
          .catch((error: unknown) => {
            if (error instanceof ShellExit) return error.status;
            throw error;
          });
      case "if":
        for (const branch of command.branches) if ((await run(branch.condition, io)) === 0) return run(branch.body, io);
        state.status = 0;
        return run(command.otherwise, io);
      case "while":
        return runLoop(command.body, io, async () => ((await run(command.condition, io)) === 0) !== command.isUntil);
      case "for":
        return runFor(command, io);
      case "case":
        return runCase(command, io);
    }
  }

  async function runLoop(body: Script, io: ShellIo, isNext: () => Promise<boolean>): Promise<number> {
    let status = 0;
    while (await isNext()) {
      signal.throwIfAborted();
      try {
        status = await run(body, io);
      } catch (error) {
        if (!(error instanceof LoopControl)) throw error;
        if (error.kind === "break") return 0;
      }
      // A loop of builtins alone would never let anything else run.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return status;
  }

  async function runFor(command: Command & { kind: "for" }, io: ShellIo): Promise<number> {
    const values = (await expandToWords(command.words, scopeFor(io))).values();
    return runLoop(command.body, io, async () => {
      const next = values.next();
      if (!next.done) state.variables.set(command.variable, next.value);
      return !next.done;
    });
  }

  async function runCase(command: Command & { kind: "case" }, io: ShellIo): Promise<number> {
    const scope = scopeFor(io);
    const subject = await expandToText(command.subject, scope);
    for (const branch of command.branches)
      for (const pattern of branch.patterns)
        if (matchesGlob(await expandToPattern(pattern, scope), subject)) return run(branch.body, io);
    return 0;
  }

  async function runSimple(command: Command & { kind: "simple" }, io: ShellIo): Promise<number> {
    const scope = scopeFor(io);
    state.status = command.words.length === 0 ? 0 : state.status;
    const argv = await expandToWords(command.words, scope);
    const isPrefix = argv.length > 0;
    const target = isPrefix ? subshellOf(state) : state;
    for (const { name, value } of command.assignments) target.variables.set(name, await expandToText(value, scope));
    if (!isPrefix) return state.status;
    signal.throwIfAborted();
    const program = command.assignments.length > 0 ? target : state;
    return host.execute(argv, io, program, signal);
  }

  return { run, runCommand };
}
