import { type Clock, pause } from "../../../shared/clock.ts";
import type { Orientation, Rotation, ScreenShape, ScreenStatus } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import { abortError, commandFailure } from "../errors.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { parseNamedRotation } from "./screen-status.ts";

export interface OrientationParts {
  runner: CommandRunner;
  clock: Clock;
  readStatus(signal: AbortSignal): Promise<ScreenStatus>;
}

export type Turns = Record<Orientation, Rotation>;

const LOOKS = 8;
const BETWEEN_LOOKS_MS = 250;

/** Turns the screen of one phone. */
export class ScreenOrientation {
  readonly #parts: OrientationParts;

  constructor(parts: OrientationParts) {
    this.#parts = parts;
  }

  /**
   * Holds the screen as wanted, or lets it turn by itself, and tells how it stands then. The settings work on every
   * Android; where they are refused or not minded, the window manager's command (Android 9 and newer, its name changed)
   * is tried. Throws `unsupported` when both are refused.
   */
  async set(wanted: Orientation | "auto", signal: AbortSignal): Promise<ScreenShape & { orientation: Orientation }> {
    const { readStatus } = this.#parts;
    const before = await readStatus(signal);
    const turns = await this.#turns(before, signal);
    const holds = (now: ScreenStatus) => wanted === "auto" || now.rotation === turns[wanted];
    const told = await this.#run(bySettings(wanted, turns), signal);
    const refusal = commandFailure(told);
    let now = refusal ? before : await this.#until(holds, signal);
    if (refusal || !holds(now)) {
      const answer = await this.#run(byWindowManager(wanted, turns), signal);
      now = await this.#until(holds, signal);
      if (refusal && commandFailure(answer)) throw refusal;
    }
    if (refusal && !holds(now)) {
      throw new CodedError("unsupported", "The phone does not let its screen be turned from here.", { cause: refusal });
    }
    return { size: now.size, rotation: now.rotation, orientation: orientationOf(now.rotation, turns) };
  }

  async #turns(shape: ScreenShape, signal: AbortSignal): Promise<Turns> {
    const options = { signal, timeoutMs: 8000, task: "tell its rotations" };
    const [displays = "", policy = ""] = await this.#parts.runner.sections(
      ["dumpsys window displays", "dumpsys window policy"],
      options,
    );
    return turnsOf(shape, `${displays}\n${policy}`);
  }

  async #run(commands: string[], signal: AbortSignal): Promise<string> {
    const options = { signal, timeoutMs: 10_000, task: "turn its screen", writes: true };
    return (await this.#parts.runner.sections(commands, options)).join("\n");
  }

  async #until(holds: (now: ScreenStatus) => boolean, signal: AbortSignal): Promise<ScreenStatus> {
    const { clock, readStatus } = this.#parts;
    for (let look = 1; ; look++) {
      const now = await readStatus(signal);
      if (holds(now) || look >= LOOKS) return now;
      await pause(clock, BETWEEN_LOOKS_MS, signal).catch(() => {
        throw abortError(signal);
      });
    }
  }
}

/**
 * Which quarter turn each orientation is on this phone: as it tells, else as Android sets them for a screen that is
 * upright or wide by nature (AOSP frameworks/base, DisplayRotation.configure).
 */
export function turnsOf({ size, rotation }: ScreenShape, dump: string): Turns {
  const isWide = rotation % 2 === 0 ? size.width > size.height : size.height > size.width;
  const usual: Turns = isWide
    ? { landscape: 0, reverse_landscape: 2, portrait: 3, reverse_portrait: 1 }
    : { portrait: 0, reverse_portrait: 2, landscape: 1, reverse_landscape: 3 };
  return {
    portrait: parseNamedRotation(dump, "mPortraitRotation") ?? usual.portrait,
    reverse_portrait: parseNamedRotation(dump, "mUpsideDownRotation") ?? usual.reverse_portrait,
    landscape: parseNamedRotation(dump, "mLandscapeRotation") ?? usual.landscape,
    reverse_landscape: parseNamedRotation(dump, "mSeascapeRotation") ?? usual.reverse_landscape,
  };
}

function orientationOf(rotation: Rotation, turns: Turns): Orientation {
  const names: Orientation[] = ["portrait", "landscape", "reverse_portrait", "reverse_landscape"];
  return names.find((name) => turns[name] === rotation) ?? "portrait";
}

function bySettings(wanted: Orientation | "auto", turns: Turns): string[] {
  if (wanted === "auto") return ["settings put system accelerometer_rotation 1"];
  return ["settings put system accelerometer_rotation 0", `settings put system user_rotation ${turns[wanted]}`];
}

function byWindowManager(wanted: Orientation | "auto", turns: Turns): string[] {
  const mode = wanted === "auto" ? "free" : `lock ${turns[wanted]}`;
  return [`cmd window user-rotation ${mode}`, `cmd window set-user-rotation ${mode}`];
}
