import type { CommandRunner, RunOptions } from "../../../device-agent/adb/shell/command-runner.ts";
import { withDeadline } from "../../../device-agent/adb/shell/deadline.ts";
import { clock } from "./test-parts.ts";

type Answer = string | Uint8Array | Promise<string | Uint8Array>;

/** A phone made of one function from command to output; remembers what it was asked. */
export function scriptedRunner(
  answer: (command: string, options: RunOptions) => Answer,
): CommandRunner & { asked: string[] } {
  const asked: string[] = [];
  const ask = (command: string, options: RunOptions): Promise<Uint8Array> => {
    asked.push(command);
    const { signal, timeoutMs: ms, task } = options;
    return withDeadline({ clock, ms, signal, task }, async (own) =>
      Buffer.from(await answer(command, { ...options, signal: own })),
    );
  };
  return {
    asked,
    run: async (command, options) => ({ stdout: await ask(command, options), stderr: new Uint8Array(0), exitCode: 0 }),
    text: async (command, options) => ({ output: Buffer.from(await ask(command, options)).toString(), exitCode: 0 }),
    async sections(commands, options) {
      const answers: string[] = [];
      for (const command of commands) answers.push(Buffer.from(await ask(command, options)).toString());
      return answers;
    },
  };
}
