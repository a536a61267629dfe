import type { Message } from "../../shared/tasks/message.ts";
import type { TaskState } from "../../shared/tasks/task-state.ts";
import type { Principal } from "../auth/principal.ts";
import type { Task, TaskUpdate } from "./task.ts";
import type { PushConfig } from "./task-store.ts";

export interface SendRequest {
  /** Checked by the edge that it came in by: role, ids, parts. */
  message: Message;
  /** `chat` or `steps`. Throws `invalid_argument` for another one. */
  skill: string;
  /** Id or name; undefined: the caller's only one, or the one that the context goes on with. */
  device: string | undefined;
  pushConfig?: Omit<PushConfig, "taskId"> | undefined;
}

export interface TaskListQuery {
  contextId?: string | undefined;
  state?: TaskState | undefined;
  statusAtFrom?: number | undefined;
  pageSize: number;
  pageToken?: string | undefined;
  historyLength?: number | undefined;
  includeArtifacts: boolean;
}

/**
 * Tasks, as both protocols use them. Every Task is the principal's own: another's is `task_not_found`, in the same shape
 * and time. Throws CodedError only.
 */
export interface TaskService {
  /**
   * Begins a Task, or continues the one of `message.taskId`; resolves as soon as it is stored. The same message again is
   * the same Task. Throws `permission_denied`, `device_not_found`, `device_offline` (no such device agent now), `rate_limited`
   * (too many active Tasks), `task_not_found`, `task_closed`, `invalid_argument`.
   */
  send(principal: Principal, request: SendRequest): Promise<Task>;
  /** Resolves with the Task once it is terminal or interrupted, or after `waitMs`, or when `signal` aborts. */
  settled(
    principal: Principal,
    taskId: string,
    options: {
      waitMs: number;
      signal?: AbortSignal | undefined;
      onUpdate?: ((update: TaskUpdate) => void) | undefined;
    },
  ): Promise<Task>;
  /** `historyLength`: undefined all, 0 none, else the newest so many messages. */
  get(principal: Principal, taskId: string, historyLength?: number): Promise<Task>;
  list(
    principal: Principal,
    query: TaskListQuery,
  ): Promise<{ tasks: Task[]; nextPageToken: string; pageSize: number; totalSize: number }>;
  /**
   * Asks the device agent to end it and waits for that for up to `waitMs`; the Task may still be WORKING then. Throws
   * `task_not_cancelable` for one that is over, unless it is CANCELED already.
   */
  cancel(principal: Principal, taskId: string, waitMs: number): Promise<Task>;
  /**
   * The Task as of `afterSeq` (else as of now), then what changes it, then the whole Task, once it is terminal or
   * interrupted. Works for as long as the caller reads; never ends a Task. `requireOpen`: throws `task_closed` for one that is
   * over.
   */
  follow(
    principal: Principal,
    taskId: string,
    options: { afterSeq?: number | undefined; requireOpen: boolean; signal: AbortSignal },
  ): AsyncIterable<TaskUpdate>;
  savePushConfig(principal: Principal, config: PushConfig): Promise<PushConfig>;
  pushConfigs(principal: Principal, taskId: string): Promise<PushConfig[]>;
  deletePushConfig(principal: Principal, taskId: string, id: string): Promise<void>;
}
