import type { Clock } from "../../../shared/clock.ts";
import type { Logger } from "../../../shared/log.ts";
import type { TaskUpdate } from "../task.ts";
import type { PushConfig, PushDelivery, TaskStore } from "../task-store.ts";

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

/**
 * Posts once, to a public https address, without following anything. Resolves with the HTTP status; throws when there
 * was none, and `invalid_argument` when the address must not be called.
 */
export type PostWebhook = (request: WebhookRequest) => Promise<number>;

/** One round of the outbox: what is due is claimed, sent, and settled or put off. */
export interface PushSender {
  run(now: number): Promise<void>;
}

const claimMs = 60_000;
const attemptMs = 15_000;
const claimsAtOnce = 32;
/** Waits after the first, second, … failed attempt: about ninety minutes in all, then the notification is given up. */
const waitsMs = [1_000, 5_000, 20_000, 60_000, 300_000, 900_000, 1_800_000, 2_400_000];
/** Answers that may be another one later; every other one below 500 stays what it is. */
const passing = new Set([408, 425, 429]);

/** Sends Task updates to webhooks, at least once each and, since the store gives out the oldest only, in order. */
export function createPushSender(deps: {
  store: Pick<TaskStore, "claimPushes" | "settlePush" | "postponePush">;
  /** The event with this number as clients are told of it; null when its Task is gone. */
  updateAt: (taskId: string, seq: number) => Promise<TaskUpdate | null>;
  /** An update as A2A writes it: a StreamResponse. */
  encode: (update: TaskUpdate) => unknown;
  post: PostWebhook;
  clock: Clock;
  log: Logger;
  /** Uniform in [0, 1). */
  random: () => number;
}): PushSender {
  const { store, clock, log } = deps;

  const attempt = async ({ config, taskId, seq }: PushDelivery): Promise<Verdict> => {
    const update = await deps.updateAt(taskId, seq);
    if (!update) return "given up";
    const timeUp = new AbortController();
    const callOff = clock.after(attemptMs, () => timeUp.abort(new Error("no answer in time")));
    const body = JSON.stringify(deps.encode(update));
    try {
      return verdictOn(await deps.post({ url: config.url, headers: headersOf(config), body, signal: timeUp.signal }));
    } catch (cause) {
      log.info("a webhook cannot be reached", { taskId, seq, cause });
      return "again";
    } finally {
      callOff();
    }
  };

  /** True when the next one of the same webhook may go at once. */
  const deliver = async (delivery: PushDelivery): Promise<boolean> => {
    const { taskId, seq } = delivery;
    const verdict = await attempt(delivery);
    const waitMs = waitsMs[delivery.attempt - 1];
    if (verdict === "again" && waitMs !== undefined) {
      await store.postponePush(delivery, clock.now() + Math.round(waitMs * (1 + deps.random() / 2)));
      return false;
    }
    if (verdict !== "done") log.warn("a push notification was given up", { taskId, seq, attempt: delivery.attempt });
    await store.settlePush(delivery);
    return true;
  };

  return {
    async run(now) {
      for (let goOn = true; goOn; ) {
        const claimed = await store.claimPushes(now, clock.now() + claimMs, claimsAtOnce);
        const done = await Promise.all(claimed.map(deliver));
        goOn = done.some((settled) => settled);
      }
    },
  };
}

type Verdict = "done" | "again" | "given up";

function verdictOn(status: number): Verdict {
  if (status >= 200 && status < 300) return "done";
  return status >= 500 || passing.has(status) ? "again" : "given up";
}

function headersOf({ token, scheme, credentials }: PushConfig): Record<string, string> {
  return {
    "content-type": "application/a2a+json",
    ...(token === null ? {} : { "x-a2a-notification-token": token }),
    ...(scheme === null ? {} : { authorization: credentials === null ? scheme : `${scheme} ${credentials}` }),
  };
}
