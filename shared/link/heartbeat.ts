import type { Clock } from "../clock.ts";

/**
 * Notices a peer that fell silent. The end that pings (the device agent) sends after `intervalMs` without any byte
 * either way; both ends give up after two intervals without a byte received.
 */
export interface Heartbeat {
  received(): void;
  sent(): void;
  stop(): void;
}

export function createHeartbeat(options: {
  clock: Clock;
  intervalMs: number;
  /** Left out on the end that only listens, so that a Durable Object can sleep. */
  ping?: () => void;
  silent: () => void;
}): Heartbeat {
  const { clock, intervalMs, ping, silent } = options;
  let lastReceivedAt = clock.now();
  let lastByteAt = lastReceivedAt;
  let callOff = () => {};

  const look = () => {
    const now = clock.now();
    if (now - lastReceivedAt >= 2 * intervalMs) return silent();
    if (ping && now - lastByteAt >= intervalMs) {
      lastByteAt = now;
      ping();
    }
    schedule();
  };
  const schedule = () => {
    const untilPing = ping ? lastByteAt + intervalMs : Number.POSITIVE_INFINITY;
    const next = Math.min(untilPing, lastReceivedAt + 2 * intervalMs);
    callOff = clock.after(Math.max(1, next - clock.now()), look);
  };
  schedule();

  return {
    received() {
      lastReceivedAt = clock.now();
      lastByteAt = lastReceivedAt;
    },
    sent() {
      lastByteAt = clock.now();
    },
    stop() {
      callOff();
    },
  };
}
