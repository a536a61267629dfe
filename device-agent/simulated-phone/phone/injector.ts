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

export function createInjector(screen: Screen, profile: PhoneProfile): Injector {
  const { clock } = profile;
  let received: ReceivedInput[] = [];

  function record(
    source: ReceivedInput["source"],
    displayId: number,
    kind: ReceivedInput["kind"],
    detail: string,
  ): boolean {
    received.push({ at: clock.now(), source, displayId, kind, detail });
    if (received.length > KEPT_INPUTS) received = received.slice(KEPT_INPUTS / 10);
    // Nothing on the second panel can be touched.
    return displayId === 0;
  }

  return {
    received: () => received,
    tap(source, displayId, x, y) {
      if (!record(source, displayId, "tap", `${x} ${y}`)) return;
      const time = clock.now();
      screen.touch({ action: "down", pointerId: 0, x, y, time });
      screen.touch({ action: "up", pointerId: 0, x, y, time: time + TAP_MS });
    },
    async swipe({ source, displayId, kind, from, to, durationMs }, signal) {
      if (!record(source, displayId, kind, `${from.x} ${from.y} ${to.x} ${to.y} ${durationMs}`)) return;
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
      if (displayId === 0) screen.touch({ ...event, time: clock.now() });
    },
    text(source, displayId, text) {
      if (record(source, displayId, "text", text)) screen.type(text);
    },
    key(source, displayId, press) {
      if (record(source, displayId, "key", keyName(press.code))) screen.press(press);
    },
    scroll(displayId, x, y, pixels) {
      if (record("scrcpy", displayId, "scroll", `${x} ${y} ${pixels}`)) screen.scrollAt(x, y, pixels);
    },
  };
}
