import { type Clock, pause } from "../../../shared/clock.ts";
import type { InputRoute, Point, ScreenShape, Size } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import { type KeyName, keyCodes } from "../../../shared/keys.ts";
import { abortError } from "../errors.ts";
import type { ScrcpyChannel } from "../scrcpy/scrcpy-channel.ts";
import type { ScrcpySession } from "../scrcpy/scrcpy-session.ts";
import { withDeadline } from "../shell/deadline.ts";
import type { PointerAndKeys } from "./pointer-and-keys.ts";
import { doubleTap, pinch, pinchPaths, type Stage, swipe, tap } from "./scrcpy-gestures.ts";

export interface InputRouterParts {
  channel: ScrcpyChannel;
  keys: PointerAndKeys;
  clock: Clock;
  /** The screen's size and rotation as they are now, or were a moment ago. */
  readShape(signal: AbortSignal): Promise<ScreenShape>;
}

interface Gesture {
  perform(stage: Stage): Promise<void>;
  ms: number;
  /** It has places on the screen. */
  touches: boolean;
}

const INPUT_MS = 10_000;
/** The server complains of a refused event within this time; waited for until a session has shown that it is heard. */
const COMPLAINT_MS = 200;

/**
 * Sends touches and keys over the scrcpy channel when it stands (a few milliseconds instead of the start of a program
 * on the phone), else by the `input` program, and opens the channel meanwhile for the next one. An input that may have
 * reached the phone by one way is never sent by the other.
 */
export class InputRouter {
  readonly #parts: InputRouterParts;
  readonly #heard = new WeakSet<ScrcpySession>();

  constructor(parts: InputRouterParts) {
    this.#parts = parts;
  }

  tap(point: Point, signal: AbortSignal): Promise<InputRoute> {
    const { keys } = this.#parts;
    return this.#send(
      touching((stage) => tap(stage, point)),
      () => keys.tap(point, signal),
      signal,
    );
  }

  doubleTap(point: Point, signal: AbortSignal): Promise<InputRoute> {
    const { keys } = this.#parts;
    return this.#send(
      touching((stage) => doubleTap(stage, point)),
      () => keys.doubleTap(point, signal),
      signal,
    );
  }

  swipe(from: Point, to: Point, ms: number, signal: AbortSignal): Promise<InputRoute> {
    const { keys } = this.#parts;
    return this.#send(
      touching((stage) => swipe(stage, { from, to }, ms), ms),
      () => keys.swipe(from, to, ms, signal),
      signal,
    );
  }

  pressKey(key: KeyName, signal: AbortSignal): Promise<InputRoute> {
    const { keys } = this.#parts;
    const perform = ({ session }: Stage) => session.pressKey(keyCodes[key]);
    return this.#send({ perform, ms: 0, touches: false }, () => keys.pressKey(key, signal), signal);
  }

  /** Throws `unsupported` without the channel, since `input` has one finger only. */
  async pinch(centre: Point, scale: number, signal: AbortSignal): Promise<InputRoute> {
    const session = await this.#parts.channel.open(signal).catch((error: unknown) => {
      if (error instanceof CodedError && error.code === "unsupported") throw noSecondFinger(error.message, error);
      throw error;
    });
    const { size } = await this.#parts.readShape(signal);
    const paths = pinchPaths(centre, scale, size);
    if (!paths) {
      throw new CodedError("invalid_argument", "The point is too near the edge of the screen for two fingers.", {
        hint: "Choose a point nearer to the middle.",
      });
    }
    await this.#perform(
      session,
      touching((stage) => pinch(stage, paths), 1000),
      size,
      signal,
    );
    if (await this.#isRefused(session, signal)) {
      throw new CodedError("input_permission_denied", "The phone refuses injected input.");
    }
    return "scrcpy";
  }

  async #send(gesture: Gesture, otherwise: () => Promise<void>, signal: AbortSignal): Promise<InputRoute> {
    const { channel, readShape } = this.#parts;
    const screen = channel.ready && gesture.touches ? (await readShape(signal)).size : { width: 0, height: 0 };
    const session = channel.ready;
    if (!session || session.refusesInput) {
      await otherwise();
      channel.warmUp();
      return "input";
    }
    await this.#perform(session, gesture, screen, signal);
    // What the phone refused, it has not done, and `input` tells the reason.
    if (!(await this.#isRefused(session, signal))) return "scrcpy";
    await otherwise();
    return "input";
  }

  /** Throws `outcome_unknown` when the channel broke after the first event may have left. */
  async #perform(session: ScrcpySession, gesture: Gesture, screen: Size, signal: AbortSignal): Promise<void> {
    const { channel, clock } = this.#parts;
    const limit = { clock, ms: INPUT_MS + gesture.ms, signal, task: "take the input" };
    try {
      await withDeadline(limit, (own) => gesture.perform({ session, screen, clock, signal: own }));
    } catch (error) {
      if (signal.aborted) throw abortError(signal);
      if (error instanceof CodedError && error.code === "screen_changed") throw error;
      channel.close();
      if (error instanceof CodedError && error.code === "deadline_exceeded") throw error;
      throw new CodedError("outcome_unknown", "The connection to the phone was lost while it took the input.", {
        cause: error,
      });
    } finally {
      channel.used();
    }
  }

  async #isRefused(session: ScrcpySession, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#parts;
    for (let waited = 0; !this.#heard.has(session) && !session.refusesInput && waited < COMPLAINT_MS; waited += 10) {
      await pause(clock, 10, signal).catch(() => {
        throw abortError(signal);
      });
    }
    if (!session.refusesInput) this.#heard.add(session);
    return session.refusesInput;
  }
}

const touching = (perform: Gesture["perform"], ms = 0): Gesture => ({ perform, ms, touches: true });

const noSecondFinger = (reason: string, cause?: unknown) =>
  new CodedError("unsupported", `Two fingers need the helper program (scrcpy). ${reason}`, { cause });
