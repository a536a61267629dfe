import type { Clock } from "../../../shared/clock.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { Logger } from "../../../shared/log.ts";
import { abortError, adbFailure } from "../errors.ts";
import type { Connect } from "../phones/connection.ts";
import { withDeadline } from "../shell/deadline.ts";
import { readScrcpyServer } from "./scrcpy-server-file.ts";
import { openScrcpySession, type ScrcpySession } from "./scrcpy-session.ts";

export interface ClipboardParts {
  connect: Connect;
  clock: Clock;
  random: () => number;
  logger: Logger;
  serverFile: string | undefined;
}

const OPEN_MS = 12_000;
const ANSWER_MS = 5000;
/** Waiting for one's turn included. */
const QUEUE_MS = 45_000;
const IDLE_MS = 30_000;
/** A phone that would not run the helper is not asked again for so long. */
const REFUSAL_MS = 5 * 60_000;

/**
 * The phone's clipboard, through a control-only scrcpy session that is opened when it is needed, kept for a while and
 * opened anew when it died.
 */
export class Clipboard {
  readonly #parts: ClipboardParts;
  #session: { opened: Promise<ScrcpySession> } | undefined;
  #callOffIdle = () => {};
  #queue: Promise<unknown> = Promise.resolve();
  /** Why it cannot work with this device agent, once that is known. */
  #noServer: CodedError | undefined;
  #refusedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: ClipboardParts) {
    this.#parts = parts;
  }

  /** Looks whether the helper that would be started is there and is the published one. */
  async checkServer(): Promise<void> {
    const server = await readScrcpyServer(this.#parts.serverFile);
    this.#noServer = server.ok ? undefined : unavailable(server.reason);
  }

  /** Why it cannot work now, as far as that is known. */
  get impossible(): CodedError | undefined {
    if (this.#noServer) return this.#noServer;
    const isRecent = this.#parts.clock.now() - this.#refusedAt < REFUSAL_MS;
    return isRecent ? unavailable("The phone does not let the clipboard helper (scrcpy) run.") : undefined;
  }

  /** Makes sure that a session stands. Throws `clipboard_unavailable`. */
  async open(signal: AbortSignal): Promise<void> {
    await this.#use(signal, async () => {});
  }

  read(signal: AbortSignal): Promise<string> {
    return this.#use(signal, (session, own) => session.readClipboard(own));
  }

  write(text: string, signal: AbortSignal): Promise<void> {
    return this.#use(signal, (session, own) => session.setClipboard(text, false, own));
  }

  /** Puts a text into the clipboard and presses the paste key. Throws `outcome_unknown` when it may have done so. */
  paste(text: string, signal: AbortSignal): Promise<void> {
    return this.#use(signal, (session, own) =>
      session.setClipboard(text, true, own).catch((cause: unknown) => {
        throw new CodedError("outcome_unknown", "The connection to the phone was lost while it pasted.", { cause });
      }),
    );
  }

  close(): void {
    this.#callOffIdle();
    const session = this.#session;
    this.#session = undefined;
    session?.opened.then((opened) => opened.close()).catch(() => {});
  }

  /** One at a time. After any failure the next one begins with a new session. */
  #use<T>(signal: AbortSignal, work: (session: ScrcpySession, signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock } = this.#parts;
    const run = this.#queue.then(async () => {
      if (signal.aborted) throw abortError(signal);
      this.#callOffIdle();
      try {
        const session = await this.#alive(signal);
        const limit = { clock, ms: ANSWER_MS, signal, task: "answer about its clipboard" };
        return await withDeadline(limit, (own) => work(session, own));
      } catch (error) {
        this.close();
        throw adbFailure(error);
      } finally {
        this.#callOffIdle = clock.after(IDLE_MS, () => this.close());
      }
    });
    this.#queue = run.catch(() => {});
    return withDeadline({ clock, ms: QUEUE_MS, signal, task: "answer about its clipboard" }, () => run);
  }

  async #alive(signal: AbortSignal): Promise<ScrcpySession> {
    const held = this.#session;
    const session = await held?.opened.catch(() => undefined);
    if (session?.isOpen) return session;
    if (this.impossible) throw this.impossible;
    const limit = { clock: this.#parts.clock, ms: OPEN_MS, signal, task: "start its clipboard helper" };
    const opened = withDeadline(limit, (own) => this.#open(own));
    this.#session = { opened };
    opened.catch(() => {});
    return opened;
  }

  async #open(signal: AbortSignal): Promise<ScrcpySession> {
    const { serverFile, connect, clock, random, logger } = this.#parts;
    const server = await readScrcpyServer(serverFile);
    if (!server.ok) throw unavailable(server.reason);
    const connection = await connect(signal);
    try {
      return await openScrcpySession({ connection, server: server.bytes, clock, random, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      const failure = adbFailure(error);
      logger.info("scrcpy does not run on a phone", { cause: error });
      if (failure.code === "clipboard_unavailable") this.#refusedAt = clock.now();
      throw failure.code === "unsupported"
        ? unavailable("The phone does not let the clipboard helper (scrcpy) run.", error)
        : failure;
    }
  }
}

const unavailable = (message: string, cause?: unknown) => new CodedError("clipboard_unavailable", message, { cause });
