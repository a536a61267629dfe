import type { Clock } from "../../../shared/clock.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { Logger } from "../../../shared/log.ts";
import { adbFailure } from "../errors.ts";
import type { Connect } from "../phones/connection.ts";
import { withDeadline } from "../shell/deadline.ts";
import { readScrcpyServer } from "./scrcpy-server-file.ts";
import { openScrcpySession, type ScrcpySession } from "./scrcpy-session.ts";

export interface ScrcpyChannelParts {
  connect: Connect;
  clock: Clock;
  random: () => number;
  logger: Logger;
  serverFile: string | undefined;
  /** Android's number of the display that events are for; left out: the main one. */
  display?: number;
}

const OPEN_MS = 12_000;
const IDLE_MS = 60_000;
/** A phone that would not run the helper is not asked again for so long. */
const REFUSAL_MS = 5 * 60_000;

interface Held {
  opened: Promise<ScrcpySession>;
  session: ScrcpySession | undefined;
  life: AbortController;
}

/**
 * The one scrcpy session of a display, which clipboard and input share: opened when it is needed, kept for a while after
 * its last use and opened anew when it died.
 */
export class ScrcpyChannel {
  readonly #parts: ScrcpyChannelParts;
  #held: Held | undefined;
  #callOffIdle = () => {};
  /** Why it cannot work with this device agent, once that is known. */
  #noServer: CodedError | undefined;
  #refusedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: ScrcpyChannelParts) {
    this.#parts = parts;
  }

  /** Looks whether the helper that would be started is there and is the published one. */
  async checkServer(): Promise<void> {
    const server = await readScrcpyServer(this.#parts.serverFile);
    this.#noServer = server.ok ? undefined : new CodedError("unsupported", server.reason);
  }

  /** Whether this device agent has what it would start; known after checkServer. */
  get hasServer(): boolean {
    return this.#noServer === undefined;
  }

  /** Why it cannot work now, as far as that is known. */
  get impossible(): CodedError | undefined {
    if (this.#noServer) return this.#noServer;
    const isRecent = this.#parts.clock.now() - this.#refusedAt < REFUSAL_MS;
    return isRecent ? doesNotRun() : undefined;
  }

  /** The session if one stands at this moment. */
  get ready(): ScrcpySession | undefined {
    const session = this.#held?.session;
    return session?.isOpen ? session : undefined;
  }

  /** Waits for a session. Throws `unsupported` when there can be none. */
  open(signal: AbortSignal): Promise<ScrcpySession> {
    const limit = { clock: this.#parts.clock, ms: OPEN_MS, signal, task: "start its helper program" };
    return withDeadline(limit, async () => {
      const known = await this.#held?.opened.catch(() => undefined);
      if (known?.isOpen) return known;
      if (this.impossible) throw this.impossible;
      return this.#begin().opened;
    });
  }

  /** Begins to open a session and does not wait for it, so that a later input finds one. */
  warmUp(): void {
    const isThere = this.#held !== undefined && this.#held.session?.isOpen !== false;
    if (isThere || this.impossible) return;
    this.#begin();
    this.used();
  }

  /** Counts the time without use from now on. */
  used(): void {
    this.#callOffIdle();
    this.#callOffIdle = this.#parts.clock.after(IDLE_MS, () => this.close());
  }

  close(): void {
    this.#callOffIdle();
    const held = this.#held;
    this.#held = undefined;
    held?.life.abort();
    held?.opened.then((session) => session.close()).catch(() => {});
  }

  #begin(): Held {
    this.close();
    const life = new AbortController();
    const limit = { clock: this.#parts.clock, ms: OPEN_MS, signal: life.signal, task: "start its helper program" };
    const opened = withDeadline(limit, (own) => this.#start(own));
    const held: Held = { opened, session: undefined, life };
    this.#held = held;
    opened.then(
      (session) => {
        held.session = session;
      },
      () => {
        if (this.#held === held) this.#held = undefined;
      },
    );
    return held;
  }

  async #start(signal: AbortSignal): Promise<ScrcpySession> {
    const { serverFile, connect, clock, random, logger, display = 0 } = this.#parts;
    const server = await readScrcpyServer(serverFile);
    if (!server.ok) {
      this.#noServer = new CodedError("unsupported", server.reason);
      throw this.#noServer;
    }
    for (let attempt = 1; ; attempt++) {
      const connection = await connect(signal);
      try {
        return await openScrcpySession({ connection, server: server.bytes, clock, random, signal, display });
      } catch (error) {
        if (signal.aborted) throw error;
        const failure = adbFailure(error);
        // One that ended without a word may just have lost its connection; a second try tells.
        if (attempt === 1 && failure.code === "unsupported" && `${failure.cause}`.trim() === "") continue;
        logger.info("scrcpy does not run on a phone", { cause: error });
        if (failure.code !== "unsupported") throw failure;
        this.#refusedAt = clock.now();
        throw doesNotRun(error);
      }
    }
  }
}

const doesNotRun = (cause?: unknown) =>
  new CodedError("unsupported", "The phone does not let the helper program (scrcpy) run.", { cause });
