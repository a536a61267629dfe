import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/log.ts";
import { toolSpecs } from "../../shared/tools/specs.ts";
import { streamResponse } from "../a2a/shapes.ts";
import type { StopBell } from "../a2a/stop-bell.ts";
import type { DirectoryCache } from "../directory-cache.ts";
import type { Files } from "../files/files.ts";
import type { Relay } from "../relay/relay.ts";
import { type Bell, createBell } from "../tasks/bell.ts";
import { checkPushConfig } from "../tasks/push/check-push-config.ts";
import { createPushSender } from "../tasks/push/push-sender.ts";
import { createTaskService } from "../tasks/service.ts";
import { updateOf } from "../tasks/snapshot.ts";
import { createExpiry, createPruning } from "../tasks/sweep.ts";
import { createTaskDesk } from "../tasks/task-desk.ts";
import type { TaskStore } from "../tasks/task-store.ts";
import { startChores } from "./chores.ts";
import type { GatewayConfig } from "./config.ts";
import { createPostWebhook } from "./post-webhook.ts";

export interface OpenTasksDeps {
  config: Pick<GatewayConfig, "webhookOrigins">;
  tasks: TaskStore;
  files: Files;
  cache: DirectoryCache;
  relay: Relay;
  clock: Clock;
  log: Logger;
  randomId: () => string;
  hash: (text: string) => string;
  secrets: readonly string[];
  publicUrl: string;
  stopBell: StopBell;
}

const expiryMs = 5_000;
const pruningMs = 60_000;
const pushMs = 5_000;

/** Everything about Tasks that a Node gateway runs: for clients, for device agents, and by itself. */
export function openTasks(deps: OpenTasksDeps) {
  const { tasks: store, clock, log, publicUrl } = deps;
  const trustedOrigins = new Set(deps.config.webhookOrigins);
  const inner = createBell();
  const parts = { ...deps, store, tools: toolSpecs };
  const pushes = createPushSender({
    store,
    clock,
    log,
    random: Math.random,
    post: createPostWebhook({ trustedOrigins }),
    encode: (update) => streamResponse(update, undefined),
    async updateAt(taskId, seq) {
      const [task, [event]] = await Promise.all([store.findForGateway(taskId), store.events(taskId, seq - 1, 1)]);
      return task && event?.seq === seq ? updateOf(task, event, publicUrl) : null;
    },
  });
  // Webhooks hear of things as soon as those who follow do.
  const bell: Bell = {
    ...inner,
    ring(taskId) {
      inner.ring(taskId);
      chores.soon("pushes");
    },
  };
  const all = {
    ...parts,
    bell,
    checkPushConfig: (config: Parameters<typeof checkPushConfig>[0]) => checkPushConfig(config, trustedOrigins),
  };
  const chores = startChores({
    clock,
    log,
    chores: {
      expiry: { everyMs: expiryMs, run: createExpiry(all) },
      pruning: { everyMs: pruningMs, run: createPruning(all) },
      pushes: { everyMs: pushMs, run: (now) => pushes.run(now) },
    },
  });
  return { service: createTaskService(all), desk: createTaskDesk(all), stop: () => chores.stop() };
}
