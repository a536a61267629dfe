import type { ScreenStatus } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { parseStatus, statusCommands } from "./screen-status.ts";

/** Reads the screen's state anew, in one round trip (two on phones before Android 5). */
export async function readStatus(runner: CommandRunner, signal: AbortSignal): Promise<ScreenStatus> {
  const options = { signal, timeoutMs: 8000, task: "tell its screen's state" };
  const answers = await runner.sections(statusCommands, options);
  const status = parseStatus(answers) ?? parseStatus([...answers, ...(await runner.sections(["wm size"], options))]);
  if (status) return status;
  throw new CodedError("unsupported", "The phone does not tell the size of its screen.", {
    cause: answers.join("\n").slice(0, 500),
  });
}
