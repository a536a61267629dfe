import { type Clock, pause } from "../../../shared/clock.ts";
import type { ScreenStatus } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { PointerAndKeys } from "../input/pointer-and-keys.ts";
import type { CommandRunner } from "../shell/command-runner.ts";

export interface PowerParts {
  runner: CommandRunner;
  clock: Clock;
  keys: PointerAndKeys;
  readStatus(signal: AbortSignal): Promise<ScreenStatus>;
}

/** Never 26, the power key, which turns a screen off as readily as on. */
const WAKE = 224;
const SLEEP = 223;
const MENU = 82;
const LOOKS = 12;
const BETWEEN_LOOKS_MS = 150;

/** Wakes the screen of one phone and sends it to sleep. */
export class Power {
  readonly #parts: PowerParts;

  constructor(parts: PowerParts) {
    this.#parts = parts;
  }

  /** A keyguard with a secret stays, which the status tells. Throws `screen_off` when the phone does not wake. */
  async wake(signal: AbortSignal): Promise<ScreenStatus> {
    const { keys, readStatus } = this.#parts;
    const before = await readStatus(signal);
    if (!before.awake) await keys.pressCode(WAKE, signal);
    const awake = before.awake ? before : await this.#until((now) => now.awake, signal);
    if (!awake.awake)
      throw new CodedError("screen_off", "The phone did not wake.", { hint: "Press its power button." });
    if (!awake.locked || awake.secureLock) return awake;
    await this.#dismissKeyguard(signal);
    return this.#until((now) => !now.locked, signal);
  }

  async sleep(signal: AbortSignal): Promise<ScreenStatus> {
    await this.#parts.keys.pressCode(SLEEP, signal);
    return this.#until((now) => !now.awake, signal);
  }

  async #dismissKeyguard(signal: AbortSignal): Promise<void> {
    const options = { signal, timeoutMs: 8000, task: "dismiss its keyguard", writes: true };
    const { output } = await this.#parts.runner.text("wm dismiss-keyguard", options);
    // Before Android 7 there is no such command, and the menu key opens a keyguard without a secret.
    if (/unknown command|usage:/i.test(output)) await this.#parts.keys.pressCode(MENU, signal);
  }

  /** The status in which `reached` holds, or the last one after about two seconds. */
  async #until(reached: (status: ScreenStatus) => boolean, signal: AbortSignal): Promise<ScreenStatus> {
    for (let look = 1; ; look++) {
      const now = await this.#parts.readStatus(signal);
      if (reached(now) || look >= LOOKS) return now;
      await pause(this.#parts.clock, BETWEEN_LOOKS_MS, signal).catch(() => {});
    }
  }
}
