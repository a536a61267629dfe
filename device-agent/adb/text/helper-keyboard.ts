import { CodedError } from "../../../shared/errors.ts";
import { commandFailure } from "../errors.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { commandLine } from "../shell/quote.ts";
import { packageOf } from "./component-name.ts";
import { readInputMethods } from "./input-methods.ts";

const PIECE_MS = 20_000;
/** Below what the oldest adbd takes in one command, even as Base64. */
const PIECE_BYTES = 2400;

/** Splits a text between characters into pieces of UTF-8 that fit a command, in Base64. */
export function base64Pieces(text: string, maxBytes = PIECE_BYTES): string[] {
  const pieces: string[] = [];
  let piece = "";
  let bytes = 0;
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (bytes + size > maxBytes && piece !== "") {
      pieces.push(piece);
      piece = "";
      bytes = 0;
    }
    piece += character;
    bytes += size;
  }
  return [...pieces, piece].map((one) => Buffer.from(one).toString("base64"));
}

/** An input method that types what a broadcast brings, as com.android.adbkeyboard does. */
export class HelperKeyboard {
  readonly id: string;
  readonly #runner: CommandRunner;

  constructor(id: string, runner: CommandRunner) {
    this.id = id;
    this.#runner = runner;
  }

  async isInstalled(signal: AbortSignal): Promise<boolean> {
    return (await readInputMethods(this.#runner, signal)).installed.includes(this.id);
  }

  /** While it is up. The broadcasts are for its app alone; that they were delivered says nothing about the field. */
  async type(text: string, signal: AbortSignal): Promise<void> {
    const options = { signal, timeoutMs: PIECE_MS, task: "hand the text to its keyboard", writes: true };
    const broadcast = ["am", "broadcast", "-a", "ADB_INPUT_B64", "-p", packageOf(this.id), "--es", "msg"];
    for (const piece of base64Pieces(text)) {
      const { output } = await this.#runner.text(commandLine(...broadcast, piece), options);
      const failure = commandFailure(output);
      if (failure) throw failure;
      if (/Broadcast completed/.test(output)) continue;
      throw new CodedError("unsupported", "The phone did not hand the text to its helper keyboard.", { cause: output });
    }
  }
}
