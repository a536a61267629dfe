import type { Clock } from "../../../shared/clock.ts";
import { CodedError } from "../../../shared/errors.ts";
import { abortError, adbFailure } from "../errors.ts";
import type { ScrcpyChannel } from "../scrcpy/scrcpy-channel.ts";
import type { ScrcpySession } from "../scrcpy/scrcpy-session.ts";
import { withDeadline } from "../shell/deadline.ts";

const ANSWER_MS = 5000;
/** Waiting for one's turn included. */
const QUEUE_MS = 45_000;

/** The phone's clipboard, through the scrcpy session of the phone. */
export class Clipboard {
  readonly #channel: ScrcpyChannel;
  readonly #clock: Clock;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(channel: ScrcpyChannel, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
  }

  /** Makes sure that a session stands. Throws `clipboard_unavailable`. */
  async open(signal: AbortSignal): Promise<void> {
    await this.#use(signal, async () => {});
  }

  /** A clipboard without text is "". */
  async read(signal: AbortSignal): Promise<string> {
    return (await this.readIfText(signal)) ?? "";
  }

  /** Undefined where there is no text, or none that the phone tells now. */
  readIfText(signal: AbortSignal): Promise<string | undefined> {
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

  /** One at a time. After any failure the next one begins with a new session. */
  #use<T>(signal: AbortSignal, work: (session: ScrcpySession, signal: AbortSignal) => Promise<T>): Promise<T> {
    const channel = this.#channel;
    const run = this.#queue.then(async () => {
      if (signal.aborted) throw abortError(signal);
      try {
        const session = await channel.open(signal);
        const limit = { clock: this.#clock, ms: ANSWER_MS, signal, task: "answer about its clipboard" };
        return await withDeadline(limit, (own) => work(session, own));
      } catch (error) {
        channel.close();
        throw forClipboard(adbFailure(error));
      } finally {
        channel.used();
      }
    });
    this.#queue = run.catch(() => {});
    const limit = { clock: this.#clock, ms: QUEUE_MS, signal, task: "answer about its clipboard" };
    return withDeadline(limit, () => run);
  }
}

function forClipboard(error: CodedError): CodedError {
  if (error.code !== "unsupported") return error;
  return new CodedError("clipboard_unavailable", error.message, { cause: error });
}
