import type { Permission } from "../../shared/permissions.ts";
import type { TaskState } from "../../shared/tasks/task-state.ts";
import type { StoredEvent } from "../tasks/task.ts";
import type { NewTask, TaskRecord } from "../tasks/task-store.ts";
import type { taskEvents, tasks } from "./schema.ts";

export type TaskRow = typeof tasks.$inferSelect;
type EventRow = typeof taskEvents.$inferSelect;

export function toRecord(row: TaskRow): TaskRecord {
  const { open: _, scopes, metadata, state, statusMessage, accepted, cancelRequested, ...told } = row;
  return {
    ...told,
    scopes: JSON.parse(scopes) as Permission[],
    metadata: JSON.parse(metadata),
    state: state as TaskState,
    statusMessage: statusMessage === null ? null : JSON.parse(statusMessage),
    accepted: accepted === 1,
    cancelRequested: cancelRequested === 1,
  };
}

/** A Task at its beginning: SUBMITTED, with its message as event 1. */
export function newRow(task: NewTask, bytes: number): TaskRow {
  const { scopes, metadata, ...told } = task;
  return {
    ...told,
    scopes: JSON.stringify(scopes),
    metadata: JSON.stringify(metadata),
    state: "TASK_STATE_SUBMITTED",
    open: 1,
    statusMessage: null,
    statusAt: task.createdAt,
    accepted: 0,
    cancelRequested: 0,
    lastSeq: 1,
    lastSourceSeq: 0,
    leaseEndsAt: null,
    bytes,
  };
}

/** What is written by us is read back without another check. */
export function toEvent({ seq, at, body }: EventRow): StoredEvent {
  return { ...JSON.parse(body), seq, at };
}

/** UTF-8. */
export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
