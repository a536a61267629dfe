import type { ScreenStatus } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { keyboardCommand, parseKeyboard } from "./keyboard.ts";
import { parseStatus, statusCommands } from "./screen-status.ts";

/** Reads the screen's state anew, in one round trip (two on phones before Android 5). */
export async function readStatus(runner: CommandRunner, signal: AbortSignal): Promise<ScreenStatus> {
  const options = { signal, timeoutMs: 8000, task: "tell its screen's state" };
  const [inputMethod = "", ...answers] = await runner.sections([keyboardCommand, ...statusCommands], options);
  const state = parseStatus(answers) ?? parseStatus([...answers, ...(await runner.sections(["wm size"], options))]);
  if (state) return { ...state, keyboard: state.awake ? parseKeyboard(inputMethod, answers[1] ?? "") : [] };
  throw new CodedError("unsupported", "The phone does not tell the size of its screen.", {
    cause: answers.join("\n").slice(0, 500),
  });
}
