import { type Clock, pause } from "../../../shared/clock.ts";
import type { TypedText, UiTree } from "../../../shared/device.ts";
import { CodedError, type CodedErrorOptions } from "../../../shared/errors.ts";
import type { PointerAndKeys } from "../input/pointer-and-keys.ts";
import { withDeadline } from "../shell/deadline.ts";
import type { Clipboard } from "./clipboard.ts";
import type { HelperKeyboard } from "./helper-keyboard.ts";
import { type InputChunk, inputChunks, isPlainInput } from "./input-chunks.ts";
import type { PutBack } from "./put-back.ts";
import { namesOf, notPlain } from "./unsupported-characters.ts";
import { verification } from "./verify-text.ts";

export interface TextTyperParts {
  keys: PointerAndKeys;
  clipboard: Pick<Clipboard, "open" | "readIfText" | "write" | "paste">;
  putBack: PutBack;
  /** An input method that the owner allows, for what the other ways cannot type. */
  helper: HelperKeyboard | undefined;
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
    return this.#parts.putBack.alone(signal, async () => {
      const type = await this.#route(text, signal);
      return type(await this.#look(signal));
    });
  }

  /** The way that can type all of it. Nothing on the phone is changed before one is found. */
  async #route(text: string, signal: AbortSignal): Promise<(before: UiTree | undefined) => Promise<TypedText>> {
    if (isPlainInput(text)) return (before) => this.#byKeys(text, before, signal);
    const { clipboard, helper } = this.#parts;
    try {
      await clipboard.open(signal);
      return (before) => this.#byPaste(text, before, signal);
    } catch (error) {
      if (signal.aborted || !isUnavailable(error)) throw error;
      if (await helper?.isInstalled(signal)) return (before) => this.#byHelper(text, before, signal);
      if (error.code !== "clipboard_unavailable") throw error;
      throw unsupported(text, { cause: error, hint: whatHelps(helper?.id) });
    }
  }

  async #byKeys(text: string, before: UiTree | undefined, signal: AbortSignal): Promise<TypedText> {
    for (const chunk of inputChunks(text)) await this.#send(chunk, signal);
    return { route: "input", ...(await this.#verify(text, before, signal)) };
  }

  /** The user's clipboard is put back, but only after the app has had the time to take the text. */
  async #byPaste(text: string, before: UiTree | undefined, signal: AbortSignal): Promise<TypedText> {
    const { clipboard, putBack } = this.#parts;
    const { result, hadText } = await putBack.withClipboard(clipboard, text, signal, async () => {
      await clipboard.paste(text, signal);
      return this.#verify(text, before, signal);
    });
    return { route: "clipboard", ...(!hadText && { clipboardEmptied: true }), ...result };
  }

  async #byHelper(text: string, before: UiTree | undefined, signal: AbortSignal): Promise<TypedText> {
    const { helper, putBack } = this.#parts;
    if (!helper) throw unsupported(text);
    const result = await putBack.withKeyboard(helper.id, signal, async () => {
      await helper.type(text, signal);
      return this.#verify(text, before, signal);
    });
    return { route: "helper_keyboard", ...result };
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
      const isTolerable = error instanceof CodedError && /^(ui_|deadline_exceeded|unsupported$)/.test(error.code);
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

/** scrcpy does not run, or does not come up in time. */
const isUnavailable = (error: unknown): error is CodedError =>
  error instanceof CodedError && /^(clipboard_unavailable|deadline_exceeded)$/.test(error.code);

function unsupported(text: string, options: CodedErrorOptions = {}): CodedError {
  const names = namesOf(notPlain(text));
  return new CodedError(
    "unsupported_characters",
    `This phone has no way to type ${names}; nothing was typed.`,
    options,
  );
}

function whatHelps(missingHelper: string | undefined): string {
  return missingHelper === undefined
    ? "Type the text without these characters, or ask the phone's owner to allow a helper keyboard."
    : `Type the text without these characters, or have ${missingHelper} installed on the phone.`;
}
