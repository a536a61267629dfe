import type { PhoneProfile } from "../options.ts";
import type { TouchEvent } from "../screen/gestures.ts";
import { keyName } from "../screen/key-codes.ts";
import type { KeyPress } from "../screen/keys.ts";
import type { Screen } from "../screen/screen.ts";
import { gestureWaitMs } from "./latency.ts";

/** One input that reached the phone, as a person beside it would tell it. */
export interface ReceivedInput {
  readonly at: number;
  /** `input` commands of the shell, or the screen-control server. */
  readonly source: "shell" | "scrcpy";
  readonly displayId: number;
  readonly kind: "tap" | "swipe" | "drag" | "motion" | "text" | "key" | "scroll";
  readonly detail: string;
}

/** A key or a text without a display of its own goes where the focus is. */
export const FOCUSED_DISPLAY = -1;

export interface Injector {
  tap(source: ReceivedInput["source"], displayId: number, x: number, y: number): void;
  swipe(options: SwipeOptions, signal?: AbortSignal): Promise<void>;
  motion(source: ReceivedInput["source"], displayId: number, event: Omit<TouchEvent, "time">): void;
  text(source: ReceivedInput["source"], displayId: number, text: string): void;
  key(source: ReceivedInput["source"], displayId: number, press: KeyPress): void;
  scroll(displayId: number, x: number, y: number, pixels: number): void;
  received(): readonly ReceivedInput[];
}

export interface SwipeOptions {
  readonly source: ReceivedInput["source"];
  readonly displayId: number;
  readonly kind: "swipe" | "drag";
  readonly from: { readonly x: number; readonly y: number };
  readonly to: { readonly x: number; readonly y: number };
  readonly durationMs: number;
}

const SWIPE_STEPS = 10;
const TAP_MS = 10;
const KEPT_INPUTS = 5_000;

export function createInjector(
  screenOf: (displayId: number) => Screen | undefined,
  focus: { display: number },
  profile: PhoneProfile,
): Injector {
  const { clock } = profile;
  let received: ReceivedInput[] = [];

  /** The screen that gets it: none for a display that is not there, whose events Android drops without a word. */
  function record(
    source: ReceivedInput["source"],
    wanted: number,
    kind: ReceivedInput["kind"],
    detail: string,
  ): Screen | undefined {
    const displayId = wanted === FOCUSED_DISPLAY ? focus.display : wanted;
    received.push({ at: clock.now(), source, displayId, kind, detail });
    if (received.length > KEPT_INPUTS) received = received.slice(KEPT_INPUTS / 10);
    const screen = screenOf(displayId);
    if (screen) focus.display = displayId;
    return screen;
  }

  return {
    received: () => received,
    tap(source, displayId, x, y) {
      const screen = record(source, displayId, "tap", `${x} ${y}`);
      if (!screen) return;
      const time = clock.now();
      screen.touch({ action: "down", pointerId: 0, x, y, time });
      screen.touch({ action: "up", pointerId: 0, x, y, time: time + TAP_MS });
    },
    async swipe({ source, displayId, kind, from, to, durationMs }, signal) {
      const screen = record(source, displayId, kind, `${from.x} ${from.y} ${to.x} ${to.y} ${durationMs}`);
      if (!screen) return;
      const start = clock.now();
      const pause = gestureWaitMs(profile.latency, durationMs) / SWIPE_STEPS;
      screen.touch({ action: "down", pointerId: 0, ...from, time: start });
      try {
        for (let step = 1; step <= SWIPE_STEPS; step++) {
          await clock.sleep(pause, signal);
          const share = step / SWIPE_STEPS;
          const x = from.x + (to.x - from.x) * share;
          const y = from.y + (to.y - from.y) * share;
          screen.touch({ action: "move", pointerId: 0, x, y, time: start + durationMs * share });
        }
      } finally {
        screen.touch({ action: signal?.aborted ? "cancel" : "up", pointerId: 0, ...to, time: start + durationMs });
      }
    },
    motion(source, displayId, event) {
      if (event.action !== "move")
        record(source, displayId, "motion", `${event.action} ${event.pointerId} ${event.x} ${event.y}`);
      screenOf(displayId)?.touch({ ...event, time: clock.now() });
    },
    text(source, displayId, text) {
      record(source, displayId, "text", text)?.type(text);
    },
    key(source, displayId, press) {
      record(source, displayId, "key", keyName(press.code))?.press(press);
    },
    scroll(displayId, x, y, pixels) {
      record("scrcpy", displayId, "scroll", `${x} ${y} ${pixels}`)?.scrollAt(x, y, pixels);
    },
  };
}
