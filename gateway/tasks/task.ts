import type { Artifact, Message } from "../../shared/tasks/message.ts";
import type { ArtifactEvent, StatusEvent } from "../../shared/tasks/task-event.ts";
import type { TaskState } from "../../shared/tasks/task-state.ts";

/** A Task as A2A shows it (ProtoJSON). */
export interface Task {
  id: string;
  contextId: string;
  status: TaskStatus;
  artifacts?: Artifact[];
  history?: Message[];
  metadata?: Record<string, unknown>;
}

export interface TaskStatus {
  state: TaskState;
  message?: Message;
  /** ISO 8601 in UTC with milliseconds. */
  timestamp: string;
}

/** One stored event of a Task: what the device agent told, what the gateway did, or a message of its client. */
export type StoredEvent = { seq: number; at: number } & (
  | StatusEvent
  | ArtifactEvent
  | { kind: "message"; message: Message }
);

/** What a subscriber gets, in order: the Task as of `seq` first and last, what changed it in between. */
export type TaskUpdate = { seq: number } & (
  | { kind: "task"; task: Task }
  | { kind: "status"; taskId: string; contextId: string; status: TaskStatus }
  | { kind: "artifact"; taskId: string; contextId: string; artifact: Artifact; append: boolean; lastChunk: boolean }
);
