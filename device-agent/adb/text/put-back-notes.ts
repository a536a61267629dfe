import { readFileSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import type { Clock } from "../../../shared/clock.ts";
import type { Logger } from "../../../shared/log.ts";
import { syncDirectory, writeDurably } from "../../identity/durable-write.ts";

const clipboardDebt = z.object({
  /** What the user had copied: it may be a secret. */
  was: z.string(),
  /** Tells whether the clipboard still holds what we put there, without keeping that. */
  mark: z.object({ salt: z.string(), sha256: z.string() }),
  /** Milliseconds since 1970. */
  at: z.number(),
});
const keyboardDebt = z.object({
  /** Input method that the user had; "" for none. */
  was: z.string(),
  /** The one that we chose. */
  ours: z.string(),
  /** It was not among those that the user can choose, and is to be taken out again. */
  isEnabledByUs: z.boolean(),
});
const note = z.object({ clipboard: clipboardDebt.optional(), keyboard: keyboardDebt.optional() });
const contents = z.object({ phones: z.array(note.extend({ phone: z.string() })) });

export type ClipboardDebt = z.output<typeof clipboardDebt>;
export type KeyboardDebt = z.output<typeof keyboardDebt>;
export type PutBackNote = z.output<typeof note>;

/** A clipboard is not kept for a phone that does not come back. */
const CLIPBOARD_MS = 24 * 60 * 60_000;

export interface PutBackNotesParts {
  /** Mode 0600, there only while something is owed. Left out: nothing outlives the process. */
  file: string | undefined;
  clock: Clock;
  logger: Logger;
}

/** What has to be put back on which phone, on the disk before it is changed, so that it outlives the process. */
export class PutBackNotes {
  readonly #parts: PutBackNotesParts;
  readonly #notes: Map<string, PutBackNote>;
  #line: Promise<void> = Promise.resolve();
  #callOff = () => {};

  constructor(parts: PutBackNotesParts) {
    this.#parts = parts;
    this.#notes = new Map(parts.file === undefined ? [] : load(parts.file, parts.logger));
    this.#forget();
  }

  get(phone: string): PutBackNote | undefined {
    return this.#notes.get(phone);
  }

  /** Resolves when it is on the disk, and not before. Throws what the disk says. */
  async add(phone: string, debt: PutBackNote): Promise<void> {
    const before = this.#notes.get(phone);
    this.#notes.set(phone, { ...before, ...debt });
    this.#watch();
    try {
      await this.#save();
    } catch (cause) {
      this.#set(phone, before ?? {});
      throw cause;
    }
  }

  /** It was put back, or is no longer ours. */
  async remove(phone: string, kind: keyof PutBackNote): Promise<void> {
    const { [kind]: _, ...rest } = this.#notes.get(phone) ?? {};
    this.#set(phone, rest);
    await this.#saveIfPossible();
  }

  close(): void {
    this.#callOff();
  }

  #set(phone: string, rest: PutBackNote): void {
    if (rest.clipboard || rest.keyboard) this.#notes.set(phone, rest);
    else this.#notes.delete(phone);
    this.#watch();
  }

  /** Drops clipboards that were kept for too long, and looks again when the next one will have been. */
  #forget(): void {
    const { clock } = this.#parts;
    const old = [...this.#notes].filter(([, { clipboard }]) => clipboard && clock.now() - clipboard.at >= CLIPBOARD_MS);
    for (const [phone, { keyboard }] of old) this.#set(phone, keyboard ? { keyboard } : {});
    this.#watch();
    if (old.length > 0) void this.#saveIfPossible();
  }

  #watch(): void {
    this.#callOff();
    const times = [...this.#notes.values()].flatMap(({ clipboard }) => (clipboard ? [clipboard.at] : []));
    if (times.length === 0) return;
    const left = Math.min(...times) + CLIPBOARD_MS - this.#parts.clock.now();
    this.#callOff = this.#parts.clock.after(Math.min(Math.max(left, 0), CLIPBOARD_MS), () => this.#forget());
  }

  async #saveIfPossible(): Promise<void> {
    await this.#save().catch((cause: unknown) =>
      this.#parts.logger.warn("what is to be put back on phones cannot be written", { cause }),
    );
  }

  #save(): Promise<void> {
    const { file } = this.#parts;
    if (file === undefined) return Promise.resolve();
    const written = this.#line.then(async () => {
      const phones = [...this.#notes].map(([phone, debts]) => ({ phone, ...debts }));
      if (phones.length > 0) return writeDurably(file, `${JSON.stringify({ phones })}\n`);
      await rm(file, { force: true });
      await syncDirectory(dirname(file));
    });
    this.#line = written.catch(() => {});
    return written;
  }
}

/** What a crash left half written is removed: it holds as much as the file. Nothing of the contents reaches the log. */
function load(file: string, logger: Logger): [string, PutBackNote][] {
  try {
    rmSync(`${file}.next`, { force: true });
    const { phones } = contents.parse(JSON.parse(readFileSync(file, "utf8")));
    return phones.map(({ phone, ...debts }) => [phone, debts]);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing) logger.warn("what is to be put back on phones cannot be read", { file });
    return [];
  }
}
