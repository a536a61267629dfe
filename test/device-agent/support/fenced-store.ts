import { limits } from "../../../shared/limits.ts";
import type { ToDeviceAgent, ToGateway } from "../../../shared/link/messages.ts";
import type { Artifact } from "../../../shared/tasks/message.ts";
import type { StatusEvent, TaskEvent } from "../../../shared/tasks/task-event.ts";
import { isTerminal, type TaskState } from "../../../shared/tasks/task-state.ts";

export interface StoredTask {
  state: TaskState;
  lastSourceSeq: number;
  /** Those that were stored, in order. */
  events: TaskEvent[];
  accepted: boolean;
  refused: string | undefined;
}

/** The gateway's side of Tasks: takes the event with the next number while the Task is not over, and nothing else. */
export class FencedStore {
  readonly tasks = new Map<string, StoredTask>();
  leaseMs: number = limits.taskLeaseMs;

  /** The Task, known from its first mention on. */
  task(id: string): StoredTask {
    const task = this.tasks.get(id) ?? {
      state: "TASK_STATE_SUBMITTED",
      lastSourceSeq: 0,
      events: [],
      accepted: false,
      refused: undefined,
    };
    this.tasks.set(id, task);
    return task;
  }

  /** A terminal state by the gateway itself. */
  end(id: string, state: TaskState): void {
    const task = this.task(id);
    if (!isTerminal(task.state)) task.state = state;
  }

  /** What the gateway answers to a message. */
  take(message: ToGateway): ToDeviceAgent[] {
    if (message.type === "task_accepted") this.task(message.taskId).accepted = true;
    if (message.type === "task_refused") this.task(message.taskId).refused = message.error.code;
    if (message.type === "task_event") return [this.#store(message)];
    if (message.type !== "task_beat") return [];
    const isAlive = (id: string) => !isTerminal(this.task(id).state);
    const { taskIds } = message;
    const [alive, ended] = [taskIds.filter(isAlive), taskIds.filter((id) => !isAlive(id))];
    return [{ type: "task_leases", alive, ended, leaseMs: this.leaseMs }];
  }

  #store({ taskId, sourceSeq, event }: Extract<ToGateway, { type: "task_event" }>): ToDeviceAgent {
    const task = this.task(taskId);
    if (!isTerminal(task.state) && sourceSeq === task.lastSourceSeq + 1) {
      task.lastSourceSeq = sourceSeq;
      task.events.push(event);
      if (event.kind === "status") task.state = event.state;
    }
    const { state, lastSourceSeq } = task;
    return { type: "task_ack", taskId, sourceSeq: lastSourceSeq, state, leaseMs: this.leaseMs };
  }

  statuses(id: string): StatusEvent[] {
    return this.task(id).events.filter((event) => event.kind === "status");
  }

  /** The last words of the Task. */
  text(id: string): string {
    return this.statuses(id).at(-1)?.message?.parts[0]?.text ?? "";
  }

  /** An Artifact as its pieces make it. */
  artifact(id: string, artifactId: string): Artifact | undefined {
    let whole: Artifact | undefined;
    for (const event of this.task(id).events) {
      if (event.kind !== "artifact" || event.artifact.artifactId !== artifactId) continue;
      const parts = event.append && whole ? whole.parts : [];
      whole = { ...event.artifact, parts: [...parts, ...event.artifact.parts] };
    }
    return whole;
  }
}
