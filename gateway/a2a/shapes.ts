import { withHistory } from "../tasks/snapshot.ts";
import type { TaskUpdate } from "../tasks/task.ts";
import type { PushConfig } from "../tasks/task-store.ts";
import type { Webhook } from "./requests.ts";

/** An update as a StreamResponse (a2a.proto). */
export function streamResponse(update: TaskUpdate, historyLength: number | undefined): object {
  if (update.kind === "task") return { task: withHistory(update.task, historyLength) };
  const { taskId, contextId } = update;
  if (update.kind === "status") return { statusUpdate: { taskId, contextId, status: update.status } };
  const { artifact, append, lastChunk } = update;
  return { artifactUpdate: { taskId, contextId, artifact, append, lastChunk } };
}

/** A stored webhook as a TaskPushNotificationConfig (a2a.proto). */
export function shownWebhook({ id, taskId, url, token, scheme, credentials }: PushConfig) {
  return {
    id,
    taskId,
    url,
    ...(token === null ? {} : { token }),
    ...(scheme === null ? {} : { authentication: { scheme, ...(credentials === null ? {} : { credentials }) } }),
  };
}

/** A webhook as it is stored; one without an id gets a new one. */
export function keptWebhook(
  { id, url, token, authentication }: Webhook,
  newId: () => string,
): Omit<PushConfig, "taskId"> {
  return {
    id: id ?? newId(),
    url,
    token: token ?? null,
    scheme: authentication?.scheme ?? null,
    credentials: authentication?.credentials ?? null,
  };
}
