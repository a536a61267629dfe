import { type Clock, pause } from "../../../shared/clock.ts";
import type { TypedText, UiTree } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { PointerAndKeys } from "../input/pointer-and-keys.ts";
import { withDeadline } from "../shell/deadline.ts";
import type { Clipboard } from "./clipboard.ts";
import { type InputChunk, inputChunks, isPlainInput } from "./input-chunks.ts";
import { namesOf, notPlain } from "./unsupported-characters.ts";
import { verification } from "./verify-text.ts";

export interface TextTyperParts {
  keys: PointerAndKeys;
  clipboard: Clipboard;
  clock: Clock;
  readTree(signal: AbortSignal): Promise<UiTree>;
}

const loneSurrogate = /\p{Cs}/u;
const ENTER = 66;
/** Looking is a courtesy: a screen that keeps moving must not eat the time for typing. */
const LOOK_MS = 6000;
/** Slow phones show typed text a moment later. */
const SETTLE_MS = 350;
const CHUNK_MS = 20_000;

/** Types any text exactly as given, or says before the first character that it cannot. */
export class TextTyper {
  readonly #parts: TextTyperParts;

  constructor(parts: TextTyperParts) {
    this.#parts = parts;
  }

  /** Throws `unsupported_characters`, `screen_off`, `input_permission_denied`, `outcome_unknown`. */
  async type(text: string, signal: AbortSignal): Promise<TypedText> {
    if (loneSurrogate.test(text)) throw unsupported(text);
    const route = isPlainInput(text) ? "input" : "clipboard";
    if (route === "clipboard") await this.#prepareClipboard(text, signal);
    const before = await this.#look(signal);
    const result =
      route === "input" ? await this.#byKeys(text, before, signal) : await this.#byPaste(text, before, signal);
    return { route, ...result };
  }

  async #byKeys(text: string, before: UiTree | undefined, signal: AbortSignal) {
    for (const chunk of inputChunks(text)) await this.#send(chunk, signal);
    return this.#verify(text, before, signal);
  }

  /** The owner's clipboard is put back, but only after the app has had the time to take the text. */
  async #byPaste(text: string, before: UiTree | undefined, signal: AbortSignal) {
    const { clipboard } = this.#parts;
    const kept = await clipboard.read(signal);
    try {
      await clipboard.paste(text, signal);
      return await this.#verify(text, before, signal);
    } finally {
      await clipboard.write(kept, signal.aborted ? AbortSignal.timeout(2000) : signal).catch(() => {});
    }
  }

  async #prepareClipboard(text: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#parts.clipboard.open(signal);
    } catch (error) {
      if (error instanceof CodedError && error.code === "clipboard_unavailable") throw unsupported(text, error);
      throw error;
    }
  }

  async #send(chunk: InputChunk, signal: AbortSignal): Promise<void> {
    if (chunk.kind === "enter") await this.#parts.keys.pressCode(ENTER, signal);
    else await this.#parts.keys.input(["text", chunk.argument], CHUNK_MS, signal);
  }

  async #verify(text: string, before: UiTree | undefined, signal: AbortSignal) {
    const { clock } = this.#parts;
    await pause(clock, SETTLE_MS, signal);
    const first = verification(before, await this.#lookAfter(signal), text);
    if (first.verified !== "false") return first;
    await pause(clock, 2 * SETTLE_MS, signal);
    return verification(before, await this.#lookAfter(signal), text);
  }

  /** A tree that cannot be had is undefined; whatever makes typing itself senseless is thrown. */
  async #look(signal: AbortSignal): Promise<UiTree | undefined> {
    const limit = { clock: this.#parts.clock, ms: LOOK_MS, signal, task: "describe its screen" };
    try {
      return await withDeadline(limit, (own) => this.#parts.readTree(own));
    } catch (error) {
      const isTolerable = error instanceof CodedError && /^(ui_|deadline_exceeded)/.test(error.code);
      if (signal.aborted || !isTolerable) throw error;
      return undefined;
    }
  }

  /** After the text was sent, failing to look at it is no failure of typing. */
  async #lookAfter(signal: AbortSignal): Promise<UiTree | undefined> {
    return this.#look(signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return undefined;
    });
  }
}

function unsupported(text: string, cause?: unknown): CodedError {
  const names = namesOf(notPlain(text));
  return new CodedError("unsupported_characters", `This phone has no way to type ${names}; nothing was typed.`, {
    cause,
  });
}
