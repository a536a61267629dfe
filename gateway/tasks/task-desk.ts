import { limits } from "../../shared/limits.ts";
import type { ToGateway } from "../../shared/link/messages.ts";
import type { TaskEvent } from "../../shared/tasks/task-event.ts";
import { isInterrupted, isTerminal, type TaskState } from "../../shared/tasks/task-state.ts";
import type { Files } from "../files/files.ts";
import { reportedError } from "../relay/clip.ts";
import type { Link } from "../relay/link.ts";
import { listKeptFiles } from "./kept-pictures.ts";
import { redactSecrets } from "./redact-secrets.ts";
import type { ServiceDeps } from "./service.ts";
import { gatewaySays, startMessage } from "./start-message.ts";
import type { TaskRecord } from "./task-store.ts";

export type TaskMessage = Extract<ToGateway, { type: `task_${string}` }>;

/** What device agents and the gateway tell each other of Tasks. The store decides; a message that does not fit is inert. */
export interface TaskDesk {
  /** A link came up: both ends agree on what is still to do. Its messages are taken afterwards. */
  linked(link: Link): Promise<void>;
  receive(link: Link, message: TaskMessage): Promise<void>;
}

export interface TaskDeskDeps extends Pick<ServiceDeps, "store" | "bell" | "clock" | "log" | "randomId" | "secrets"> {
  files: Pick<Files, "register">;
}

export function createTaskDesk(deps: TaskDeskDeps): TaskDesk {
  const { store, bell, clock } = deps;

  const end = async (task: TaskRecord, from: readonly TaskState[], state: TaskState, text: string) => {
    const message = gatewaySays(text, task, deps.randomId());
    const event = { kind: "status" as const, state, message };
    if (await store.appendStatus({ taskId: task.id, from, event, now: clock.now() })) bell.ring(task.id);
  };

  /** The device agent does not have it, although it took it. */
  const lose = (task: TaskRecord) =>
    task.cancelRequested
      ? end(task, openStates, "TASK_STATE_CANCELED", "Canceled; the device agent restarted meanwhile.")
      : end(task, openStates, "TASK_STATE_FAILED", "The device agent restarted and no longer has this Task.");

  const handOver = async (link: Link, task: TaskRecord) => {
    if (task.cancelRequested) {
      return end(task, ["TASK_STATE_SUBMITTED"], "TASK_STATE_CANCELED", "Canceled before it began; nothing was done.");
    }
    const [first] = await store.events(task.id, 0, 1);
    if (first?.kind === "message") link.send(startMessage(task, first.message, clock.now()));
  };

  /** What it has to hear of a Task that it holds. */
  const catchUp = async (link: Link, task: TaskRecord) => {
    const { id: taskId } = task;
    if (!task.accepted) await store.markAccepted(taskId, link.deviceAgentId);
    if (task.cancelRequested) return link.send({ type: "task_cancel", taskId });
    const [last] = await store.events(taskId, task.lastSeq - 1, 1);
    if (last?.kind === "message" && last.seq > 1) link.send({ type: "task_message", taskId, message: last.message });
  };

  const take = async (link: Link, { taskId, sourceSeq, event }: Extract<TaskMessage, { type: "task_event" }>) => {
    const task = await store.findForGateway(taskId);
    if (task?.deviceAgentId !== link.deviceAgentId) return tellEnded(link, [taskId]);
    const kept = await listKeptFiles(deps.files, task, redactSecrets(event, deps.secrets));
    const now = clock.now();
    const { deviceAgentId, hello } = link;
    const entry = { taskId, deviceAgentId, connectSeq: hello.connectSeq, sourceSeq, event: kept, now };
    const standing = await store.appendFromSource({ ...entry, ...termsOf(event, task, now) });
    if (!standing) return tellEnded(link, [taskId]);
    let { state } = standing;
    if (standing.stored) bell.ring(taskId);
    if (standing.tooLarge) {
      await end(
        task,
        openStates,
        "TASK_STATE_FAILED",
        `The Task's document would be over ${limits.taskDocumentBytes} bytes.`,
      );
      state = (await store.findForGateway(taskId))?.state ?? state;
    }
    link.send({ type: "task_ack", taskId, sourceSeq: standing.lastSourceSeq, state, leaseMs: limits.taskLeaseMs });
  };

  /** Those that this device agent must let go of: over, never known, or another's. */
  const over = async (link: Link, ids: readonly string[]): Promise<string[]> => {
    const ended: string[] = [];
    for (const id of ids) {
      const task = await store.findForGateway(id);
      if (task?.deviceAgentId !== link.deviceAgentId || isTerminal(task.state)) ended.push(id);
    }
    return ended;
  };

  return {
    async linked(link) {
      const held = new Set(link.hello.heldTasks);
      const unfinished = await store.unfinished(link.deviceAgentId);
      for (const task of unfinished) {
        if (held.has(task.id)) await catchUp(link, task);
        else if (task.accepted) await lose(task);
        else await handOver(link, task);
        held.delete(task.id);
      }
      tellEnded(link, [...held]);
    },

    async receive(link, message) {
      if (message.type === "task_event") return take(link, message);
      if (message.type === "task_beat") {
        const { taskIds } = message;
        const leaseEndsAt = clock.now() + limits.taskLeaseMs;
        const alive = await store.prolong(link.deviceAgentId, link.hello.connectSeq, taskIds, leaseEndsAt);
        // One that was not prolonged may be alive: a newer link has it.
        const ended = await over(
          link,
          taskIds.filter((id) => !alive.includes(id)),
        );
        return link.send({ type: "task_leases", alive, ended, leaseMs: limits.taskLeaseMs });
      }
      const task = await store.findForGateway(message.taskId);
      if (task?.deviceAgentId !== link.deviceAgentId || isTerminal(task.state))
        return tellEnded(link, [message.taskId]);
      if (message.type === "task_accepted") {
        await store.markAccepted(task.id, link.deviceAgentId);
        // It may have been given up between the two.
        if (task.cancelRequested) link.send({ type: "task_cancel", taskId: task.id });
        return undefined;
      }
      const { message: words, hint } = reportedError(message.error);
      return end(task, ["TASK_STATE_SUBMITTED"], "TASK_STATE_REJECTED", `${words} ${hint}`);
    },
  };
}

const openStates = [
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
] as const satisfies readonly TaskState[];

/** Who works must be heard of; who asks waits for so long and no longer. */
function termsOf(event: TaskEvent, task: TaskRecord, now: number): Pick<TaskRecord, "leaseEndsAt" | "expiresAt"> {
  if (event.kind === "artifact") {
    return isInterrupted(task.state)
      ? { leaseEndsAt: task.leaseEndsAt, expiresAt: task.expiresAt }
      : { leaseEndsAt: now + limits.taskLeaseMs, expiresAt: null };
  }
  if (event.state === "TASK_STATE_SUBMITTED") return { leaseEndsAt: null, expiresAt: task.expiresAt };
  if (event.state === "TASK_STATE_WORKING") return { leaseEndsAt: now + limits.taskLeaseMs, expiresAt: null };
  return { leaseEndsAt: null, expiresAt: now + limits.taskAnswerMs };
}

function tellEnded(link: Link, ended: string[]): void {
  if (ended.length > 0) link.send({ type: "task_leases", alive: [], ended, leaseMs: limits.taskLeaseMs });
}
