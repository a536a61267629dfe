import { limits } from "../../shared/limits.ts";
import { isInterrupted, type TaskState } from "../../shared/tasks/task-state.ts";
import type { ServiceDeps } from "./service.ts";
import { gatewaySays } from "./start-message.ts";
import type { TaskRecord } from "./task-store.ts";

/** Something that is due by `now`. Idempotent: any instance may do it, twice or at the same time as another. */
export type Chore = (now: number) => Promise<void>;

const atOnce = 100;

/** Ends the Tasks that have waited for too long: for a word, for their phone, for an answer. */
export function createExpiry(deps: Pick<ServiceDeps, "store" | "relay" | "bell" | "randomId">): Chore {
  const { store, relay, bell } = deps;
  return async (now) => {
    for (const task of await store.overdue(now, atOnce)) {
      const { state, text } = endOf(task, now);
      const message = gatewaySays(text, task, deps.randomId());
      const event = { kind: "status" as const, state, message };
      if (!(await store.appendStatus({ taskId: task.id, from: [task.state], onlyDueAt: now, event, now }))) continue;
      bell.ring(task.id);
      // Whoever still holds it lets go of the phone.
      const ended = [task.id];
      await relay.notify(task.deviceAgentId, { type: "task_leases", alive: [], ended, leaseMs: limits.taskLeaseMs });
    }
  };
}

/** Forgets the oldest finished Tasks beyond what is kept. */
export function createPruning({ store }: Pick<ServiceDeps, "store">): Chore {
  return async () => {
    await store.prune({ tasks: limits.keptTasks, bytes: limits.keptTaskBytes });
  };
}

function endOf(task: TaskRecord, now: number): { state: TaskState; text: string } {
  const failed = (text: string) => ({ state: "TASK_STATE_FAILED" as const, text });
  if (task.leaseEndsAt !== null && task.leaseEndsAt <= now) {
    return task.cancelRequested
      ? {
          state: "TASK_STATE_CANCELED",
          text: "Canceled; the device agent was not heard of since. What was done is not undone.",
        }
      : failed("The device agent was not heard of for too long, so the phone counts as lost.");
  }
  return failed(
    isInterrupted(task.state)
      ? "What the Task asked was not answered in time."
      : "The Task waited too long for its phone or for its turn, so nothing was done.",
  );
}
