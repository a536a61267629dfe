import type { Dial, DialEvents, DialTarget } from "../../../device-agent/link/dial.ts";
import { decodeFrame, encodeFrame } from "../../../shared/link/frame.ts";
import type { ToDeviceAgent } from "../../../shared/link/messages.ts";

/** One attempt to dial, seen from the gateway's side. */
export class FakeAttempt {
  readonly target: DialTarget;
  /** Heads of the frames that came, and texts. */
  readonly received: unknown[] = [];
  closedWith: { code: number; reason: string } | undefined;
  terminated = false;
  buffered = 0;
  readonly #events: DialEvents;

  constructor(target: DialTarget, events: DialEvents) {
    this.target = target;
    this.#events = events;
  }

  take(data: string | Uint8Array): void {
    this.received.push(typeof data === "string" ? data : decodeFrame(data).head);
  }

  open(): void {
    this.#events.opened();
  }

  decline(status: number): void {
    this.#events.declined(status);
    this.end(1006);
  }

  say(message: ToDeviceAgent | object): void {
    this.#events.message(encodeFrame(message));
  }

  sayRaw(data: string | Uint8Array): void {
    this.#events.message(data);
  }

  welcome(about: Partial<{ protocol: number; maxFrameBytes: number; pingMs: number }> = {}): void {
    this.open();
    const defaults = { protocol: 1, maxFrameBytes: 8_388_608, pingMs: 25_000 };
    this.say({ type: "welcome", version: "1", deviceAgentId: "da_1", ...defaults, ...about });
  }

  end(code: number, reason = ""): void {
    this.#events.closed(code, reason);
  }
}

/** Dials nothing: each attempt waits for what the test lets happen to it. */
export function createFakeDial(): { dial: Dial; attempts: FakeAttempt[]; last(): FakeAttempt } {
  const attempts: FakeAttempt[] = [];
  return {
    attempts,
    last() {
      const attempt = attempts.at(-1);
      if (!attempt) throw new Error("Nothing was dialled yet.");
      return attempt;
    },
    dial(target, events) {
      const attempt = new FakeAttempt(target, events);
      attempts.push(attempt);
      return {
        send: (data) => attempt.take(data),
        bufferedBytes: () => attempt.buffered,
        close(code, reason) {
          attempt.closedWith = { code, reason };
        },
        terminate() {
          if (attempt.terminated) return;
          attempt.terminated = true;
          attempt.end(1006);
        },
      };
    },
  };
}
