import { createHash } from "node:crypto";
import type { Clock } from "../../../shared/clock.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { Logger } from "../../../shared/log.ts";
import { isConnectionLoss } from "../errors.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { withDeadline } from "../shell/deadline.ts";
import type { Clipboard } from "./clipboard.ts";
import { bringUp, putBackKeyboard, readInputMethods } from "./input-methods.ts";
import type { ClipboardDebt, KeyboardDebt, PutBackNotes } from "./put-back-notes.ts";

type ClipboardText = Pick<Clipboard, "readIfText" | "write">;

export interface PutBackParts {
  /** Key of the phone. */
  phone: string;
  notes: PutBackNotes;
  runner: CommandRunner;
  clipboard: ClipboardText;
  clock: Clock;
  random: () => number;
  logger: Logger;
}

/** Waiting for others that type or use the clipboard. */
const QUEUE_MS = 40_000;
const RETURN_MS = 8000;
const FIRST_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 60 * 60_000;

/** What belongs to a phone's user and is lent to us while we type: the clipboard and the choice of the keyboard. */
export class PutBack {
  readonly #parts: PutBackParts;
  #turn: Promise<void> = Promise.resolve();
  #retryMs = FIRST_RETRY_MS;
  #notBefore = Number.NEGATIVE_INFINITY;
  #callOff = () => {};

  constructor(parts: PutBackParts) {
    this.#parts = parts;
  }

  /** One at a time, after what is owed from before was put back, if that is possible within a few seconds. */
  async alone<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#turn;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#turn = before.then(() => ended);
    try {
      const limit = { clock: this.#parts.clock, ms: QUEUE_MS, signal, task: "finish what was typed before" };
      await withDeadline(limit, () => before);
      await this.#payDebts();
      signal.throwIfAborted();
      return await work();
    } finally {
      end();
    }
  }

  /** The phone is there: begins to put back what is owed. */
  settle(): void {
    this.#notBefore = Number.NEGATIVE_INFINITY;
    this.alone(new AbortController().signal, async () => {}).catch(() => {});
  }

  /** No further attempts by itself. */
  close(): void {
    this.#callOff();
  }

  /** Puts the clipboard back after `work`, which pastes `text`. Tells whether a text had been there. */
  async withClipboard<T>(
    clipboard: ClipboardText,
    text: string,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<{ result: T; hadText: boolean }> {
    const { phone, notes, clock, random } = this.#parts;
    const found = await clipboard.readIfText(signal);
    const owed = notes.get(phone)?.clipboard;
    // What could not be put back before is still the user's.
    const was = owed && isMarked(owed, found) ? owed.was : (found ?? "");
    const salt = String(random());
    const debt = { was, mark: { salt, sha256: hash(salt, text) }, at: clock.now() };
    await notes.add(phone, { clipboard: debt });
    try {
      return { result: await work(), hadText: found !== undefined };
    } finally {
      await this.#attempt((own) => this.#returnClipboard(clipboard, debt, own));
    }
  }

  /** Has the input method `ours` come up for `work` and puts the user's keyboard back. */
  async withKeyboard<T>(ours: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { phone, notes, runner } = this.#parts;
    const { current, enabled } = await readInputMethods(runner, signal);
    const isEnabled = enabled.includes(ours);
    const owed = notes.get(phone)?.keyboard;
    const isEnabledByUs = !isEnabled || (owed?.ours === ours && owed.isEnabledByUs);
    const fresh = current === ours ? undefined : { was: current, ours, isEnabledByUs };
    // One that is current already is the user's own choice, unless it is still to be taken back.
    const debt = fresh ?? owed;
    if (fresh) await notes.add(phone, { keyboard: fresh });
    try {
      await bringUp(this.#parts, ours, isEnabled, signal);
      return await work();
    } finally {
      if (debt) await this.#attempt((own) => this.#returnKeyboard(debt, own));
    }
  }

  async #payDebts(): Promise<void> {
    const { phone, notes, clipboard, clock } = this.#parts;
    const owed = notes.get(phone);
    if (!owed || clock.now() < this.#notBefore) return;
    const { keyboard, clipboard: copied } = owed;
    if (keyboard) await this.#attempt((own) => this.#returnKeyboard(keyboard, own));
    if (copied) await this.#attempt((own) => this.#returnClipboard(clipboard, copied, own));
  }

  async #returnKeyboard(debt: KeyboardDebt, signal: AbortSignal): Promise<void> {
    const { phone, notes, runner } = this.#parts;
    await putBackKeyboard(runner, debt, signal);
    await notes.remove(phone, "keyboard");
  }

  /** What the user has copied meanwhile stays. */
  async #returnClipboard(clipboard: ClipboardText, debt: ClipboardDebt, signal: AbortSignal): Promise<void> {
    const { phone, notes } = this.#parts;
    const found = await clipboard.readIfText(signal);
    // A locked phone says nothing either.
    if (found === undefined)
      throw new CodedError("clipboard_unavailable", "The phone does not tell its clipboard now.");
    if (isMarked(debt, found)) await clipboard.write(debt.was, signal);
    await notes.remove(phone, "clipboard");
  }

  /** Never fails: what could not be put back stays noted and is tried again later, or when the phone is back. */
  async #attempt(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { clock, logger, phone } = this.#parts;
    const { signal } = new AbortController();
    const task = "take its keyboard or clipboard back";
    try {
      await withDeadline({ clock, ms: RETURN_MS, signal, task }, work);
      this.#retryMs = FIRST_RETRY_MS;
    } catch (cause) {
      logger.warn("a phone's keyboard or clipboard is not put back yet", { phone, cause });
      if (!isConnectionLoss(cause)) this.#tryLater();
    }
  }

  #tryLater(): void {
    const { clock } = this.#parts;
    this.#callOff();
    this.#notBefore = clock.now() + this.#retryMs;
    this.#callOff = clock.after(this.#retryMs, () => this.settle());
    this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
  }
}

const hash = (salt: string, text: string) => createHash("sha256").update(`${salt}\0${text}`).digest("hex");

const isMarked = ({ mark }: ClipboardDebt, text: string | undefined) =>
  text !== undefined && hash(mark.salt, text) === mark.sha256;
