import { CodedError } from "../../../shared/errors.ts";
import type { CommandRunner } from "../shell/command-runner.ts";

/**
 * Whether the phone takes touches and keys on displays beside the main one: from Android 10 on, where the help of its
 * `input` program has `-d DISPLAY_ID`. An older one takes `-d` for a command that it does not know, and scrcpy can aim
 * at the main display only there (Device.supportsInputEvents). Asked once.
 */
export class DisplayInput {
  readonly #runner: CommandRunner;
  #known: boolean | undefined;

  constructor(runner: CommandRunner) {
    this.#runner = runner;
  }

  async isPossible(signal: AbortSignal): Promise<boolean> {
    if (this.#known !== undefined) return this.#known;
    const options = { signal, timeoutMs: 8000, task: "tell what its input program can do" };
    const [help = ""] = await this.#runner.sections(["input"], options);
    const isPossible = /\bDISPLAY_ID\b/.test(help);
    if (/usage:/i.test(help)) this.#known = isPossible;
    return isPossible;
  }

  /** Throws `unsupported`. Nothing has been sent. */
  async require(signal: AbortSignal): Promise<void> {
    if (await this.isPossible(signal)) return;
    throw new CodedError(
      "unsupported",
      "This phone takes touches and keys on its main display only; nothing was sent.",
      {
        hint: "Other displays need Android 10 or newer; use the main one.",
      },
    );
  }
}
