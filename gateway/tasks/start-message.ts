import { limits } from "../../shared/limits.ts";
import type { ToDeviceAgent } from "../../shared/link/messages.ts";
import type { Message } from "../../shared/tasks/message.ts";
import type { TaskRecord } from "./task-store.ts";

/** Hands a Task to its device agent; `message` is the one that began it. */
export function startMessage(task: TaskRecord, message: Message, now: number): ToDeviceAgent {
  const { id: taskId, contextId, deviceKey: device, skill, tenant, subject, scopes } = task;
  return {
    type: "task_start",
    taskId,
    contextId,
    device,
    skill,
    message,
    principal: { tenant, subject },
    scopes: [...scopes],
    waitMs: Math.max(0, (task.expiresAt ?? now + limits.taskWaitMs) - now),
    leaseMs: limits.taskLeaseMs,
  };
}

/** What the gateway itself says about a Task. */
export function gatewaySays(text: string, task: Pick<TaskRecord, "id" | "contextId">, messageId: string): Message {
  return { messageId, contextId: task.contextId, taskId: task.id, role: "ROLE_AGENT", parts: [{ text }] };
}
