import type { FinishedCommand } from "../../../shared/device-control.ts";
import { CodedError } from "../../../shared/errors.ts";
import { limits } from "../../../shared/limits.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { OutputCollector } from "../shell/output-collector.ts";
import { quote } from "../shell/quote.ts";
import { GroupMark } from "./group-mark.ts";

const KILL_MS = 4_000;

/**
 * Runs a command of the caller. adbd makes each shell the leader of a process group (`setsid` in AOSP
 * shell_service.cpp), so its number names all that the command started; the group is killed at the time limit, when
 * `signal` aborts, and by the phone itself when adbd tells the shell (SIGHUP) that the connection is gone.
 */
export async function runCommand(
  { runner, random }: { runner: CommandRunner; random: () => number },
  command: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<FinishedCommand> {
  const mark = `run${Math.floor(random() * 2 ** 48).toString(16)}`;
  const out = new OutputCollector(limits.outputBytes / 2);
  const stderr = new OutputCollector(limits.outputBytes / 2);
  const stdout = new GroupMark(mark, out);
  const script = `trap 'kill -KILL -- -$$' HUP; echo ${mark} $$; sh -c ${quote(command)} </dev/null & wait $!`;
  try {
    const options = { signal, timeoutMs, task: "end the command", writes: true, collectors: { stdout, stderr } };
    const { exitCode } = await runner.run(script, options);
    return { stdout: out.ends(), stderr: stderr.ends(), exitCode };
  } catch (error) {
    const isTimeUp = error instanceof CodedError && error.code === "deadline_exceeded" && !signal.aborted;
    if (stdout.group !== undefined && (isTimeUp || signal.aborted)) await killGroup(runner, stdout.group);
    // Without a group the shell never began: then there is nothing to tell.
    if (!isTimeUp || stdout.group === undefined) throw error;
    return { stdout: out.ends(), stderr: stderr.ends(), exitCode: null };
  }
}

async function killGroup(runner: CommandRunner, group: number): Promise<void> {
  const { signal } = new AbortController();
  const options = { signal, timeoutMs: KILL_MS, task: "kill the command", writes: true };
  // A phone that is gone has heard from adbd, or will restart.
  await runner.run(`kill -KILL -- -${group} 2>/dev/null`, options).catch(() => {});
}
