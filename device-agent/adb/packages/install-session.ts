import { CodedError } from "../../../shared/errors.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { commandLine, quote } from "../shell/quote.ts";
import { packageFailure } from "./install-failures.ts";

export interface AppPart {
  /** On the phone. */
  path: string;
  size: number;
}

/** Installs the parts of one app at once, by a session of the package manager (Android 5 and later). */
export async function installParts(
  runner: CommandRunner,
  parts: AppPart[],
  user: string,
  signal: AbortSignal,
): Promise<void> {
  const pm = async (command: string, timeoutMs: number) => {
    const options = { signal, timeoutMs, task: "install the app", writes: true };
    const { output } = await runner.text(command, options);
    if (!/^Success/m.test(output)) throw packageFailure(output);
    return output;
  };
  const total = parts.reduce((sum, { size }) => sum + size, 0);
  const created = await pm(commandLine("pm", "install-create", "-r", "--user", user, "-S", total), 15_000);
  const session = /\[(\d{1,12})\]/.exec(created)?.[1];
  if (session === undefined) {
    throw new CodedError("install_refused", "The phone opened no install.", { cause: created });
  }
  try {
    for (const [index, { path, size }] of parts.entries()) {
      // By a pipe, since the package manager itself may not read every place that the shell may.
      const write = commandLine("pm", "install-write", "-S", size, session, `${index}.apk`, "-");
      await pm(`cat ${quote(path)} | ${write}`, 45_000);
    }
    await pm(commandLine("pm", "install-commit", session), 45_000);
  } catch (error) {
    const { signal } = new AbortController();
    const options = { signal, timeoutMs: 3_000, task: "give up the install", writes: true };
    await runner.text(commandLine("pm", "install-abandon", session), options).catch(() => {});
    throw error;
  }
}
