import type { Point } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import { type KeyName, keyCodes } from "../../../shared/keys.ts";
import { commandFailure } from "../errors.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { commandLine } from "../shell/quote.ts";

const INPUT_MS = 10_000;

/** Touches and keys by the phone's own `input` program. */
export class PointerAndKeys {
  readonly #runner: CommandRunner;
  /** Hears of a phone that refuses injected input. */
  readonly #refused: () => void;
  /** Which display is meant; without it touches are for the main one, and keys go where the focus is. */
  readonly #target: readonly (string | number)[];

  constructor(runner: CommandRunner, refused: () => void, display?: number) {
    this.#runner = runner;
    this.#refused = refused;
    this.#target = display === undefined ? [] : ["-d", display];
  }

  async tap({ x, y }: Point, signal: AbortSignal): Promise<void> {
    await this.input(["tap", whole(x), whole(y)], INPUT_MS, signal);
  }

  /**
   * Two taps a tenth of a second apart. Each `input` needs 30 to 700 ms to start, depending on the phone, so the second
   * is started while the first one is under way; that they may change places does not matter.
   */
  async doubleTap({ x, y }: Point, signal: AbortSignal): Promise<void> {
    const tap = commandLine("input", ...this.#target, "tap", whole(x), whole(y));
    await this.#run(`${tap} & sleep 0.1; ${tap} && wait $!`, INPUT_MS, signal);
  }

  async swipe(from: Point, to: Point, durationMs: number, signal: AbortSignal): Promise<void> {
    const points = [from.x, from.y, to.x, to.y].map(whole);
    await this.input(["swipe", ...points, whole(durationMs)], INPUT_MS + durationMs, signal);
  }

  async pressKey(key: KeyName, signal: AbortSignal): Promise<void> {
    await this.pressCode(keyCodes[key], signal);
  }

  async pressCode(code: number, signal: AbortSignal): Promise<void> {
    await this.input(["keyevent", code], INPUT_MS, signal);
  }

  /** Throws `input_permission_denied`, `unsupported`. Never repeated: it may have happened. */
  async input(words: (string | number)[], timeoutMs: number, signal: AbortSignal): Promise<void> {
    await this.#run(commandLine("input", ...this.#target, ...words), timeoutMs, signal);
  }

  async #run(command: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
    const options = { signal, timeoutMs, task: "take the input", writes: true };
    const { output, exitCode } = await this.#runner.text(command, options);
    const failure = commandFailure(output);
    if (failure?.code === "input_permission_denied") this.#refused();
    if (failure) throw failure;
    if (exitCode !== 0) {
      throw new CodedError("unsupported", "The phone's input program failed.", {
        cause: `exit ${exitCode}: ${output}`,
      });
    }
  }
}

function whole(value: number): number {
  if (!Number.isFinite(value)) throw new TypeError("A coordinate must be a finite number.");
  return Math.round(value);
}
