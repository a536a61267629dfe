import type { LogRequest } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import { checkPackageName } from "../apps/package-name.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { commandLine, quote } from "../shell/quote.ts";

const letters = { verbose: "V", debug: "D", info: "I", warn: "W", error: "E", fatal: "F" } as const;
const MAX_BYTES = 2 * 1024 * 1024;
/** `threadtime`, the one format that every Android has: month-day time pid tid priority tag: message. */
const stamped = /^(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{3})/;

/** The newest lines of the phone's log that fit, oldest first. Throws `target_not_found` for an app without a process. */
export async function readLogLines(runner: CommandRunner, request: LogRequest, signal: AbortSignal): Promise<string[]> {
  const options = { signal, timeoutMs: 15_000, task: "give its log", maxBytes: MAX_BYTES };
  const { packageName, tag, priority, lines, sinceSeconds } = request;
  const pids = packageName === undefined ? undefined : await processesOf(runner, packageName, signal);
  const least = letters[priority];
  const filter = tag === undefined ? [`*:${least}`] : [`${tag}:${least}`, "*:S"];
  const steps = [commandLine("logcat", "-d", "-v", "threadtime", ...filter)];
  if (pids) steps.push(`grep -E ${quote(`^[^ ]+ [^ ]+ +(${pids.join("|")}) `)}`);
  steps.push(`tail -n ${lines + 5}`);
  const [told = "", now = ""] = await runner.sections([steps.join(" | "), "date '+%m-%d %H:%M:%S.000'"], options);
  const all = told.split(/\r?\n/).filter((line) => stamped.test(line));
  const since = timeOf(now.trim());
  const recent =
    sinceSeconds === undefined || since === undefined ? all : all.filter((line) => age(line, since) <= sinceSeconds);
  return recent.slice(-lines);
}

async function processesOf(runner: CommandRunner, packageName: string, signal: AbortSignal): Promise<string[]> {
  checkPackageName(packageName);
  const options = { signal, timeoutMs: 8000, task: "look for the app's processes" };
  const [told = ""] = await runner.sections([commandLine("pidof", packageName)], options);
  const pids = told
    .trim()
    .split(/\s+/)
    .filter((pid) => /^\d{1,7}$/.test(pid));
  if (pids.length > 0) return pids;
  throw new CodedError("target_not_found", "This app has no process now, so its log lines cannot be told apart.", {
    hint: "Open the app first, or leave package out and give a tag, for example AndroidRuntime for crashes.",
    cause: told,
  });
}

/** Seconds within a leap year, since the log names no year. */
function timeOf(text: string): number | undefined {
  const [, month, day, hour, minute, second, milli] = stamped.exec(text) ?? [];
  if (month === undefined) return undefined;
  const date = Date.UTC(2000, Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return (date + Number(milli)) / 1000;
}

const YEAR_SECONDS = 366 * 86_400;

/** A line of December read in January is a few days old, not minus a year. */
function age(line: string, now: number): number {
  const seconds = now - (timeOf(line) ?? now);
  return seconds < -YEAR_SECONDS / 2 ? seconds + YEAR_SECONDS : seconds;
}
