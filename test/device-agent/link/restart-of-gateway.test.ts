import { expect, test } from "vitest";
import { createLink } from "../../../device-agent/link/link.ts";
import type { Hello } from "../../../shared/link/messages.ts";
import { createManualClock, settled } from "../../support/manual-clock.ts";
import { createFakeDial } from "../support/fake-dial.ts";
import { createLogLines } from "../support/log-lines.ts";

const hello: Hello = {
  type: "hello",
  protocol: 1,
  oldest: 1,
  version: "0.1.0",
  installId: "install-0123456789",
  name: "bench",
  bootId: "boot-0123",
  connectSeq: 1,
  maxFrameBytes: 8_388_608,
  tools: {},
  streams: [],
  heldTasks: [],
};

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** The busiest of the windows, compared with a window on average. */
function peakToMean(times: number[], windowMs: number): number {
  const first = Math.min(...times);
  const counts = new Map<number, number>();
  for (const time of times) {
    const window = Math.floor((time - first) / windowMs);
    counts.set(window, (counts.get(window) ?? 0) + 1);
  }
  return Math.max(...counts.values()) / (times.length / (Math.max(...counts.keys()) + 1));
}

async function hundredLinks() {
  const clock = createManualClock(0);
  const { log } = createLogLines();
  const dialled = createFakeDial();
  const random = seeded(20_261_130);
  const dialledAt: number[] = [];
  for (let one = 0; one < 100; one++) {
    createLink({
      clock,
      random,
      log,
      dial(target, events) {
        dialledAt.push(clock.now());
        return dialled.dial(target, events);
      },
      url: "ws://127.0.0.1:1/link",
      token: async () => "",
      hello: async () => hello,
      events: { linked: () => {}, message: () => {}, unlinked: () => {} },
    }).start();
  }
  await settled();
  return { clock, dialledAt, attempts: dialled.attempts };
}

test("a hundred device agents that lose their gateway in one moment do not return in one moment", async () => {
  const { clock, dialledAt, attempts } = await hundredLinks();
  for (const attempt of attempts) attempt.welcome();
  await clock.advance(40_000);
  for (const attempt of [...attempts]) attempt.end(1012);
  await clock.advance(500);
  const back = dialledAt.slice(100);
  expect(back).toHaveLength(100);
  expect(Math.max(...back) - Math.min(...back)).toBeGreaterThan(400);
  expect(peakToMean(back, 100)).toBeLessThan(3);
});

test("while their gateway is away for long, a hundred device agents ask it a few times a second at most", async () => {
  const { clock, dialledAt, attempts } = await hundredLinks();
  let ended = 0;
  for (let passed = 0; passed < 600_000; passed += 50) {
    for (; ended < attempts.length; ended++) attempts[ended]?.end(1006);
    await clock.advance(50);
  }
  const late = dialledAt.filter((at) => at > 300_000);
  expect(late.length / 300).toBeLessThan(6);
  expect(late.length / 300).toBeGreaterThan(2);
});
