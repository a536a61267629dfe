import { type Clock, pause } from "../../../shared/clock.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { commandLine } from "../shell/quote.ts";
import { componentPattern, shortComponent } from "./component-name.ts";
import type { KeyboardDebt } from "./put-back-notes.ts";

/** The input methods of a phone, by their ids. */
export interface InputMethods {
  installed: string[];
  /** Those that the user can choose. */
  enabled: string[];
  /** "" where none is chosen. */
  current: string;
}

export interface InputMethodParts {
  runner: CommandRunner;
  clock: Clock;
}

const COMMAND_MS = 8000;
/** The system starts the input method's process and connects it to the app. */
const UP_MS = 5000;
const POLL_MS = 150;
const chosen = "settings get secure default_input_method";

export async function readInputMethods(runner: CommandRunner, signal: AbortSignal): Promise<InputMethods> {
  const options = { signal, timeoutMs: COMMAND_MS, task: "name its keyboards" };
  const [all = "", enabled = "", current = ""] = await runner.sections(
    ["ime list -a -s", "ime list -s", chosen],
    options,
  );
  return { installed: idsIn(all), enabled: idsIn(enabled), current: idsIn(current)[0] ?? "" };
}

/**
 * Makes an input method the current one and waits until the field that has the focus is connected to it and its view is
 * shown: only then do helper keyboards listen. Throws `unsupported_characters` when it does not come to that.
 */
export async function bringUp(
  { runner, clock }: InputMethodParts,
  id: string,
  isEnabled: boolean,
  signal: AbortSignal,
): Promise<void> {
  const options = { signal, timeoutMs: COMMAND_MS, task: "switch its keyboard" };
  if (!isEnabled) await runner.text(commandLine("ime", "enable", id), options);
  const until = clock.now() + UP_MS;
  let told = "";
  do {
    const [current = "", dump = ""] = await runner.sections([chosen, "dumpsys input_method"], options);
    if (idsIn(current)[0] !== id) told = (await runner.text(commandLine("ime", "set", id), options)).output;
    else if (isUp(dump, id)) return;
    await pause(clock, POLL_MS, signal);
  } while (clock.now() < until);
  throw new CodedError("unsupported_characters", "The helper keyboard did not come up; nothing was typed.", {
    hint: "Tap the field so that its keyboard shows, then call again.",
    cause: told,
  });
}

/** AOSP frameworks/base, InputMethodManagerService.dump. */
function isUp(dump: string, id: string): boolean {
  const bound = /\bmCurId=(\S+)/.exec(dump)?.[1] ?? "";
  return shortComponent(bound) === id && /\bmBoundToMethod=true\b/.test(dump) && /\bmInputShown=true\b/.test(dump);
}

/**
 * Gives the user's keyboard back where ours is still the chosen one, and takes ours out of the list if we put it there;
 * a choice that the user has made meanwhile stays. Android itself chooses when the user's keyboard is gone. Throws
 * `unsupported` when the phone does not follow.
 */
export async function putBackKeyboard(runner: CommandRunner, debt: KeyboardDebt, signal: AbortSignal): Promise<void> {
  const { was, ours, isEnabledByUs } = debt;
  const found = await readInputMethods(runner, signal);
  const canSelect = found.current === ours && found.enabled.includes(was);
  const commands = [
    ...(canSelect ? [commandLine("ime", "set", was)] : []),
    ...(isEnabledByUs && found.enabled.includes(ours) ? [commandLine("ime", "disable", ours)] : []),
  ];
  if (commands.length === 0) return;
  const answers = await runner.sections(commands, { signal, timeoutMs: COMMAND_MS, task: "switch its keyboard back" });
  const after = await readInputMethods(runner, signal);
  if (after.current !== ours && !(isEnabledByUs && after.enabled.includes(ours))) return;
  throw new CodedError("unsupported", "The phone does not switch back to its user's keyboard.", {
    cause: answers.join("\n"),
  });
}

function idsIn(output: string): string[] {
  const lines = output.split("\n").map((line) => line.trim());
  return lines.filter((line) => componentPattern.test(line)).map(shortComponent);
}
