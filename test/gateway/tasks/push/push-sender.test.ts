import { expect, test } from "vitest";
import { createPushSender, type WebhookRequest } from "../../../../gateway/tasks/push/push-sender.ts";
import type { TaskUpdate } from "../../../../gateway/tasks/task.ts";
import type { PushConfig, PushDelivery } from "../../../../gateway/tasks/task-store.ts";
import { createLogger } from "../../../../shared/log.ts";
import { createManualClock } from "../../../support/manual-clock.ts";

const webhook: PushConfig = {
  id: "c1",
  taskId: "t1",
  url: "https://hooks.example/a",
  token: "opaque",
  scheme: "Bearer",
  credentials: "credential",
};

/** An outbox in memory by the rules of the port, and a webhook that answers as `answers` say. */
function openOutbox(answers: (number | "unreachable" | "silent")[], seqs: number[]) {
  const clock = createManualClock();
  const open = seqs.map((seq) => ({ seq, attempts: 0, dueAt: clock.now(), claimedUntil: 0 }));
  const heard: WebhookRequest[] = [];
  const logged: string[] = [];
  const find = ({ seq }: PushDelivery) => {
    const found = open.find((one) => one.seq === seq);
    if (!found) throw new TypeError("not in the outbox");
    return found;
  };
  const sender = createPushSender({
    clock,
    log: createLogger({ source: "test", level: "debug", write: (line) => logged.push(line), now: clock.now }),
    random: () => 0,
    encode: (update) => ({ statusUpdate: update }),
    updateAt: async (taskId, seq): Promise<TaskUpdate> => ({
      seq,
      kind: "status",
      taskId,
      contextId: "x1",
      status: { state: "TASK_STATE_WORKING", timestamp: "2026-11-30T00:00:00.000Z" },
    }),
    post: (request) => {
      heard.push(request);
      const answer = answers.shift() ?? 200;
      if (answer === "unreachable") return Promise.reject(new Error("refused"));
      if (answer !== "silent") return Promise.resolve(answer);
      return new Promise((_, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason));
      });
    },
    store: {
      async claimPushes(now, claimedUntil) {
        const [first] = open;
        if (!first || first.dueAt > now || first.claimedUntil > now) return [];
        first.claimedUntil = claimedUntil;
        first.attempts += 1;
        return [{ config: webhook, taskId: "t1", seq: first.seq, attempt: first.attempts }];
      },
      async settlePush(delivery) {
        open.splice(open.indexOf(find(delivery)), 1);
      },
      async postponePush(delivery, dueAt) {
        Object.assign(find(delivery), { dueAt, claimedUntil: 0 });
      },
    },
  });
  return { clock, open, heard, logged, run: () => sender.run(clock.now()) };
}

const seqsOf = (heard: readonly WebhookRequest[]) => heard.map(({ body }) => JSON.parse(body).statusUpdate.seq);

test("a webhook hears of every event, in order, with its token and its credentials", async () => {
  const { heard, open, run } = openOutbox([], [1, 2, 3]);
  await run();
  expect(seqsOf(heard)).toEqual([1, 2, 3]);
  expect(open).toEqual([]);
  expect(heard[0]?.headers).toEqual({
    "content-type": "application/a2a+json",
    "x-a2a-notification-token": "opaque",
    authorization: "Bearer credential",
  });
});

test.each([500, 503, 429, 408, "unreachable"] as const)(
  "after %s it is told again later, before what follows",
  async (failure) => {
    const { clock, heard, run } = openOutbox([failure], [1, 2]);
    await run();
    expect(seqsOf(heard)).toEqual([1]);
    await run();
    expect(seqsOf(heard)).toEqual([1]);
    await clock.advance(2_000);
    await run();
    expect(seqsOf(heard)).toEqual([1, 1, 2]);
  },
);

test.each([301, 307, 400, 401, 404, 410])(
  "an answer of %d is taken at its word and not asked for again",
  async (status) => {
    const { heard, open, run } = openOutbox([status], [1, 2]);
    await run();
    expect(seqsOf(heard)).toEqual([1, 2]);
    expect(open).toEqual([]);
  },
);

test("a webhook that never answers is left after a while and tried again", async () => {
  const { clock, open, run } = openOutbox(["silent"], [1]);
  const round = run();
  await clock.advance(15_000);
  await round;
  expect(open[0]).toMatchObject({ attempts: 1, dueAt: clock.now() + 1_000 });
});

test("a webhook that is gone for good is given up, and no secret of it is logged", async () => {
  const { clock, heard, open, logged, run } = openOutbox(Array(20).fill("unreachable"), [1]);
  for (let round = 0; round < 12; round++) {
    await run();
    await clock.advance(2_400_000);
  }
  expect(open).toEqual([]);
  expect(heard).toHaveLength(9);
  expect(logged.join("\n")).toContain("given up");
  expect(logged.join("\n")).not.toContain("credential");
  expect(logged.join("\n")).not.toContain("opaque");
});
