import type { NewTask } from "../../../../gateway/tasks/task-store.ts";
import type { Message } from "../../../../shared/tasks/message.ts";
import type { TaskEvent } from "../../../../shared/tasks/task-event.ts";
import type { TaskState } from "../../../../shared/tasks/task-state.ts";

export const deviceAgent = {
  id: "da_1",
  tenant: "t",
  installId: "i",
  name: "desk",
  version: "1",
  bootId: "b",
  connectSeq: 1,
};

export const owner = { tenant: "t", subject: "owner" };

export const userMessage = (messageId: string, text = "look"): Message => ({
  messageId,
  role: "ROLE_USER",
  parts: [{ text }],
});

export function newTask(id: string, change: Partial<NewTask> = {}): NewTask {
  return {
    id,
    ...owner,
    contextId: `context-of-${id}`,
    deviceAgentId: "da_1",
    deviceId: "dev_1",
    deviceKey: "k1",
    skill: "steps",
    scopes: ["screen:read"],
    messageId: `m-${id}`,
    messageDigest: `digest-${id}`,
    expiresAt: 10_000,
    createdAt: 1_000,
    metadata: {},
    ...change,
  };
}

export const status = (state: TaskState, text?: string): TaskEvent & { kind: "status" } => ({
  kind: "status",
  state,
  ...(text === undefined ? {} : { message: { messageId: text, role: "ROLE_AGENT", parts: [{ text }] } }),
});

export const chunk = (text: string): TaskEvent => ({
  kind: "artifact",
  artifact: { artifactId: "a", parts: [{ text }] },
  append: true,
  lastChunk: false,
});

/** An event of the device agent as it comes in by its newest link. */
export const fromSource = (taskId: string, sourceSeq: number, event: TaskEvent) => ({
  taskId,
  deviceAgentId: "da_1",
  connectSeq: 1,
  sourceSeq,
  event,
  now: 2_000 + sourceSeq,
  leaseEndsAt: 90_000,
  expiresAt: null,
});
