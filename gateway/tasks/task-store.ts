import type { Permission } from "../../shared/permissions.ts";
import type { Message } from "../../shared/tasks/message.ts";
import type { StatusEvent, TaskEvent } from "../../shared/tasks/task-event.ts";
import type { TaskState } from "../../shared/tasks/task-state.ts";
import type { StoredEvent } from "./task.ts";

/** Whose a Task is. To anybody else it does not exist. */
export interface TaskOwner {
  tenant: string;
  subject: string;
}

/** A Task without its events. Instants are milliseconds since 1970 by the gateway's clock. */
export interface TaskRecord extends TaskOwner {
  id: string;
  contextId: string;
  deviceAgentId: string;
  deviceId: string;
  /** The device agent's own key of the phone. */
  deviceKey: string;
  skill: string;
  scopes: readonly Permission[];
  /** Of the message that began it: repeated with the same digest it is this Task, with another one an error. */
  messageId: string;
  messageDigest: string;
  state: TaskState;
  /** Of the newest status event. */
  statusMessage: Message | null;
  statusAt: number;
  /** The device agent has it in its journal. */
  accepted: boolean;
  cancelRequested: boolean;
  /** Number of the newest event. */
  lastSeq: number;
  /** The device agent's number of its newest event; 0 before the first. */
  lastSourceSeq: number;
  /** When it is lost without a word of its device agent; null while it need not be heard of. */
  leaseEndsAt: number | null;
  /** When it has waited for long enough: for its phone, or for an answer. */
  expiresAt: number | null;
  createdAt: number;
  /** Of all its events. */
  bytes: number;
  metadata: Record<string, unknown>;
}

export type NewTask = Omit<
  TaskRecord,
  | "state"
  | "statusMessage"
  | "statusAt"
  | "accepted"
  | "cancelRequested"
  | "lastSeq"
  | "lastSourceSeq"
  | "leaseEndsAt"
  | "bytes"
>;

export interface TaskQuery {
  /** Tasks on these devices alone. */
  onlyDevices?: readonly string[] | undefined;
  contextId?: string | undefined;
  state?: TaskState | undefined;
  /** Inclusive. */
  statusAtFrom?: number | undefined;
  limit: number;
  /** What an earlier page gave as `nextPageToken`. */
  pageToken?: string | undefined;
}

/** What the store says of a Task after an event came in: the truth that the device agent has to follow. */
export interface Standing {
  state: TaskState;
  lastSourceSeq: number;
  /** False when it was inert: repeated, out of order, of an older link, after the end, or back to SUBMITTED. */
  stored: boolean;
  /** True when it was refused because the Task's document would pass its limit. */
  tooLarge: boolean;
}

export interface PushConfig {
  id: string;
  taskId: string;
  url: string;
  token: string | null;
  /** HTTP authentication: its scheme, such as Bearer, and the credentials. */
  scheme: string | null;
  credentials: string | null;
}

/** One stored event that one webhook must hear of. */
export interface PushDelivery {
  config: PushConfig;
  taskId: string;
  seq: number;
  /** 1 at the first try. */
  attempt: number;
}

/**
 * The log of Tasks. Every write is one statement or one batch that carries its own condition, so that several instances
 * need no lock; nothing is decided on what was read before. Events are numbered without a gap per Task; the first
 * terminal state that is stored wins.
 */
export interface TaskStore {
  /**
   * Stores the Task (SUBMITTED, event 1: its message), once per owner and `messageId`. Resolves with the Task of that
   * `messageId`, be it this one or an earlier one, or with `full` when its device agent has `mostActive` Tasks already.
   */
  create(task: NewTask, message: Message, mostActive: number): Promise<TaskRecord | "full">;
  find(owner: TaskOwner, id: string): Promise<TaskRecord | null>;
  /** Whosever it is: for the gateway's own work, never for a client. */
  findForGateway(id: string): Promise<TaskRecord | null>;
  /** The Task that a message began or continued, and the digest of that message. */
  findByMessage(owner: TaskOwner, messageId: string): Promise<{ task: TaskRecord; digest: string } | null>;
  /** The newest Task of a context, for the device and the device agent that it goes on with. */
  newestOfContext(owner: TaskOwner, contextId: string): Promise<TaskRecord | null>;
  /** In order of `seq`, from `afterSeq` on; a page ends at `limit` events or about `limits.taskDocumentBytes`. */
  events(taskId: string, afterSeq: number, limit: number): Promise<StoredEvent[]>;
  /** The same of several Tasks without Artifacts, for lists. */
  histories(taskIds: readonly string[]): Promise<Map<string, StoredEvent[]>>;
  /** Newest status first, then by id; `total` before paging. Throws `invalid_argument` for a foreign page token. */
  list(owner: TaskOwner, query: TaskQuery): Promise<{ tasks: TaskRecord[]; nextPageToken: string; total: number }>;

  /**
   * An event of the device agent, fenced: its device agent, on the newest link that the store admitted (`connectSeq`),
   * number `sourceSeq` = last + 1, state not terminal, not back to SUBMITTED, document not over its limit. Moves the
   * lease and, with the state, `expiresAt`.
   */
  appendFromSource(entry: {
    taskId: string;
    deviceAgentId: string;
    connectSeq: number;
    sourceSeq: number;
    event: TaskEvent;
    now: number;
    leaseEndsAt: number | null;
    expiresAt: number | null;
  }): Promise<Standing | null>;
  /** A status by the gateway itself, if the state is still one of `from`; false when it is not. */
  appendStatus(entry: {
    taskId: string;
    from: readonly TaskState[];
    /** Only while no device agent took it. */
    onlyUnaccepted?: boolean;
    /** Only if nothing was heard since, by `leaseEndsAt` or `expiresAt`. */
    onlyDueAt?: number;
    event: StatusEvent;
    now: number;
  }): Promise<boolean>;
  /** A further message of the client for an interrupted Task, which thereby is WORKING; false when it is not interrupted. */
  appendMessage(entry: {
    task: Pick<TaskRecord, "id" | "tenant" | "subject">;
    message: Message;
    digest: string;
    now: number;
    leaseEndsAt: number;
  }): Promise<boolean>;
  /** Remembers that its client wants it to end; false when it is over. */
  requestCancel(taskId: string): Promise<boolean>;
  markAccepted(taskId: string, deviceAgentId: string): Promise<void>;
  /** Moves the leases of those that are alive and belong to this device agent; resolves with them. */
  prolong(deviceAgentId: string, connectSeq: number, ids: readonly string[], leaseEndsAt: number): Promise<string[]>;

  /** All Tasks of a device agent that are not over, oldest first. */
  unfinished(deviceAgentId: string): Promise<TaskRecord[]>;
  /** Those whose `leaseEndsAt` or `expiresAt` has passed. */
  overdue(now: number, limit: number): Promise<TaskRecord[]>;
  /** The earliest instant at which `overdue` or `claimPushes` has something to give; null when there is none. */
  nextDueAt(): Promise<number | null>;
  /** Deletes the oldest finished Tasks of every tenant beyond these limits. Resolves with how many. */
  prune(keep: { tasks: number; bytes: number }): Promise<number>;

  /** Same id: replaced. Resolves with `full` beyond the limits per Task and per tenant. */
  savePushConfig(
    owner: TaskOwner,
    config: PushConfig,
    most: { perTask: number; perTenant: number },
  ): Promise<"saved" | "full">;
  pushConfigs(taskId: string): Promise<PushConfig[]>;
  /** True also when there was none. */
  deletePushConfig(taskId: string, id: string): Promise<void>;
  /**
   * Claims what is due: of each webhook its oldest open delivery only, so that a webhook hears of things in order.
   * Nobody else gets them until `claimedUntil`.
   */
  claimPushes(now: number, claimedUntil: number, limit: number): Promise<PushDelivery[]>;
  /** Done, or given up: gone. */
  settlePush(delivery: PushDelivery): Promise<void>;
  postponePush(delivery: PushDelivery, dueAt: number): Promise<void>;
}
