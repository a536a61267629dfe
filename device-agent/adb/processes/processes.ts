import { type Clock, pause } from "../../../shared/clock.ts";
import type { DeviceShell, ProcessOutput } from "../../../shared/device-control.ts";
import { CodedError } from "../../../shared/errors.ts";
import { limits } from "../../../shared/limits.ts";
import { fileFailure } from "../files/file-failure.ts";
import { readRange } from "../files/read-range.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { commandLine, quote } from "../shell/quote.ts";
import { type ProcessState, parseStates, processFolder, stateCommand } from "./process-state.ts";
import { runCommand } from "./run-command.ts";

const FINISHED_KEPT = 8;
const TERM_MS = 3_000;
const POLL_MS = 150;

export interface ProcessesParts {
  runner: CommandRunner;
  clock: Clock;
  random: () => number;
}

/**
 * Commands on the phone. What is known of a started one lies on the phone alone, so that it outlives a lost link and
 * this program; boot, number and start time together say whether a process is still the one that was started.
 */
export function createProcesses({ runner, clock, random }: ProcessesParts): DeviceShell {
  const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join("");

  const states = async (signal: AbortSignal): Promise<ProcessState[]> => {
    const mark = `state${hex(12)}`;
    const options = { signal, timeoutMs: 10_000, task: "tell of its processes" };
    return parseStates((await runner.text(stateCommand(mark), options)).output, mark);
  };

  const find = async (id: string, signal: AbortSignal): Promise<ProcessState> => {
    const state = (await states(signal)).find((one) => one.id === id);
    if (state) return state;
    throw new CodedError("target_not_found", "There is no such process on this phone.", {
      hint: "Use the process_id that start_process gave; finished ones are forgotten after some others.",
    });
  };

  const tell = (command: string, task: string, signal: AbortSignal) =>
    runner.text(command, { signal, timeoutMs: 10_000, task, writes: true });

  return {
    run: (command, timeoutMs, signal) => runCommand({ runner, random }, command, timeoutMs, signal),

    async start(command, signal) {
      const known = await states(signal);
      refuseTooMany(known);
      const id = `p${clock.now().toString(36)}${hex(4)}`;
      const { output, exitCode } = await tell(startCommand(id, command), "start the process", signal);
      if (exitCode !== 0) throw fileFailure(output);
      const old = known.filter(({ running }) => !running).slice(0, -FINISHED_KEPT);
      const folders = old.map((state) => `${processFolder}/${state.id}`);
      if (folders.length > 0) await tell(commandLine("rm", "-rf", ...folders), "forget old processes", signal);
      return id;
    },

    async read(id, offset, signal): Promise<ProcessOutput> {
      const { running, exitCode, outputBytes: total } = await find(id, signal);
      const length = Math.min(limits.processReadBytes, Math.max(0, total - offset));
      const range = { path: `${processFolder}/${id}/out`, offset, length };
      const bytes = length > 0 ? await readRange(runner, range, signal) : new Uint8Array(0);
      return { bytes, total, running, exitCode };
    },

    async stop(id, signal) {
      const { running, group } = await find(id, signal);
      if (!running) return false;
      await tell(`kill -TERM -- -${group}`, "stop the process", signal);
      for (const until = clock.now() + TERM_MS; clock.now() < until; ) {
        const { exitCode } = await tell(`kill -0 -- -${group} 2>/dev/null`, "stop the process", signal);
        if (exitCode !== 0) return true;
        await pause(clock, POLL_MS, signal);
      }
      await tell(`kill -KILL -- -${group}`, "kill the process", signal);
      return true;
    },
  };
}

/**
 * The output goes through a pipe to the file, which gets its first bytes only; `ulimit` (in blocks of 512 bytes) does
 * the same where `head` cannot count bytes. The group is that of the shell which starts all this.
 */
function startCommand(id: string, command: string): string {
  const folder = `${processFolder}/${id}`;
  const bytes = limits.processOutputBytes;
  const keep = `(ulimit -f ${bytes / 512}; head -c ${bytes} 2>/dev/null || cat) >out; cat >/dev/null`;
  const script = `trap "" HUP; { (cd /; exec sh ${folder}/command); echo $? >exit; } 2>&1 | { ${keep}; }`;
  const remember = "cat /proc/sys/kernel/random/boot_id >boot; cat /proc/$!/stat >stat";
  return [
    `mkdir -p ${folder}`,
    `chmod 700 ${processFolder}`,
    `cd ${folder}`,
    `printf %s ${quote(command)} >command`,
    ": >out",
    `{ sh -c ${quote(script)} </dev/null >/dev/null 2>&1 & echo $! >pid; ${remember}; true; }`,
  ].join(" && ");
}

function refuseTooMany(known: ProcessState[]): void {
  const running = known.filter((state) => state.running);
  if (running.length < limits.processes) return;
  const ids = running.map(({ id }) => id).join(", ");
  throw new CodedError("device_busy", `${limits.processes} started processes run on this phone already: ${ids}.`, {
    hint: "End one of them with stop_process.",
  });
}
