import { expect, it } from "vitest";
import { startChores } from "../../../gateway/node/chores.ts";
import { createLogger } from "../../../shared/log.ts";
import { createManualClock } from "../../support/manual-clock.ts";

function start(run: (now: number) => Promise<void> = async () => {}) {
  const clock = createManualClock(0);
  const logged: string[] = [];
  const done: number[] = [];
  const log = createLogger({ source: "test", level: "debug", write: (line) => logged.push(line), now: clock.now });
  const chores = startChores({
    clock,
    log,
    chores: {
      tidy: {
        everyMs: 1_000,
        async run(now) {
          done.push(now);
          await run(now);
        },
      },
    },
  });
  return { clock, logged, done, chores };
}

it("a chore is done again and again, and once sooner when it is wanted", async () => {
  const { clock, done, chores } = start();
  await clock.advance(2_500);
  expect(done).toEqual([1_000, 2_000]);
  chores.soon("tidy");
  chores.soon("tidy");
  await clock.advance(0);
  expect(done).toEqual([1_000, 2_000, 2_500]);
  await clock.advance(1_000);
  expect(done.at(-1)).toBe(3_500);
});

it("a chore that is wanted while it is at work is done once more, never twice at a time", async () => {
  let finish = () => {};
  let atWork = 0;
  const { clock, done, chores } = start(async () => {
    atWork += 1;
    expect(atWork).toBe(1);
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    atWork -= 1;
  });
  await clock.advance(1_000);
  for (let n = 0; n < 5; n++) chores.soon("tidy");
  await clock.advance(10_000);
  expect(done).toHaveLength(1);
  finish();
  await clock.advance(0);
  expect(done).toHaveLength(2);
  finish();
});

it("a chore that fails is logged and done again", async () => {
  const { clock, logged, done } = start(() => Promise.reject(new Error("the disk is full")));
  await clock.advance(3_000);
  expect(done).toHaveLength(3);
  expect(logged.filter((line) => line.includes("the disk is full"))).toHaveLength(3);
});

it("stopping waits for what is at work, and begins nothing more", async () => {
  let finish = () => {};
  const { clock, done, chores } = start(
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  await clock.advance(1_000);
  let isStopped = false;
  const stopping = chores.stop().then(() => {
    isStopped = true;
  });
  await clock.advance(0);
  expect(isStopped).toBe(false);
  chores.soon("tidy");
  finish();
  await stopping;
  await clock.advance(10_000);
  expect(done).toEqual([1_000]);
  expect(clock.waiting()).toBe(0);
});
