import fc from "fast-check";
import { expect, test } from "vitest";
import type { LinkConnection } from "../../../device-agent/link/open-link.ts";
import type { TaskExecutor } from "../../../device-agent/tasks/task-executor.ts";
import { limits } from "../../../shared/limits.ts";
import type { ToDeviceAgent, ToGateway } from "../../../shared/link/messages.ts";
import { isTerminal } from "../../../shared/tasks/task-state.ts";
import { createTasksBench, tap, taskStart } from "../support/tasks-bench.ts";

/** Taps every two seconds, a hundred and twenty times. */
const tapper: TaskExecutor = {
  check: () => {},
  async run({ tools, signal }) {
    for (let n = 1; n <= 120; n++) {
      signal.throwIfAborted();
      const call = await tools.run(tap(n));
      if (!call.ok) return { state: "TASK_STATE_FAILED", text: "A tap failed." };
      await tools.run({ tool: "count", arguments: { values: [1], every_ms: 2_000 } });
    }
    return { state: "TASK_STATE_COMPLETED", text: "Done." };
  },
};

const weather = fc.record({
  /** How long it stays so. */
  ms: fc.integer({ min: 500, max: 60_000 }),
  link: fc.constantFrom("up", "down", "deaf", "mute"),
  upMs: fc.integer({ min: 0, max: 8_000 }),
  downMs: fc.integer({ min: 0, max: 8_000 }),
});
type Weather = { ms: number; link: string; upMs: number; downMs: number };

test("however slow and torn the link is, no phone is touched after its Task has ended at the gateway", async () => {
  let endings = { completed: 0, lost: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(weather, { minLength: 1, maxLength: 12 }), async (forecast) => {
      const bench = createTasksBench({ executors: { tapper } });
      const { clock, store } = bench;
      let leaseEndsAt = Number.POSITIVE_INFINITY;
      const lookAtLease = () => {
        if (clock.now() >= leaseEndsAt) store.end("t1", "TASK_STATE_FAILED");
      };
      bench.a.before = (action) => {
        lookAtLease();
        if (action === "tap") expect(isTerminal(store.task("t1").state)).toBe(false);
      };
      let now: Weather = { ms: 0, link: "up", upMs: 0, downMs: 0 };
      const take = (message: ToGateway): ToDeviceAgent[] => {
        lookAtLease();
        const answers = store.take(message);
        const isAlive = !isTerminal(store.task("t1").state);
        if (answers.length > 0 && isAlive) leaseEndsAt = clock.now() + limits.taskLeaseMs;
        return answers;
      };
      const connect = () => {
        const link: LinkConnection & { isUp: boolean } = {
          isUp: true,
          async send(message) {
            if (now.link === "deaf" || !link.isUp) return;
            clock.after(now.upMs, () => {
              if (!link.isUp) return;
              for (const answer of take(message)) {
                if (now.link === "mute") continue;
                clock.after(now.downMs, () => {
                  if (link.isUp) void bench.say(answer, link);
                });
              }
            });
          },
        };
        bench.tasks.linked(link);
        return link;
      };
      let link = connect();
      await bench.say(taskStart("t1", [], { skill: "tapper" }), link);
      for (const next of forecast) {
        now = next;
        if (now.link === "down") link.isUp = false;
        else if (!link.isUp) link = connect();
        await clock.advance(next.ms);
        lookAtLease();
      }
      now = { ms: 0, link: "up", upMs: 10, downMs: 10 };
      link.isUp = false;
      link = connect();
      await clock.advance(6 * 60_000);
      expect(isTerminal(store.task("t1").state)).toBe(true);
      expect(bench.tasks.held()).toEqual([]);
      endings =
        store.text("t1") === "Done."
          ? { ...endings, completed: endings.completed + 1 }
          : { ...endings, lost: endings.lost + 1 };
    }),
    { numRuns: 60, seed: 1 },
  );
  // Both kinds of weather were among them.
  expect(Math.min(endings.completed, endings.lost)).toBeGreaterThan(0);
}, 60_000);
