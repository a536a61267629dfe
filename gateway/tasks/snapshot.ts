import { type Artifact, type Message, type Part, resultArtifactId } from "../../shared/tasks/message.ts";
import { fileUrlOf } from "./kept-pictures.ts";
import type { StoredEvent, Task, TaskStatus, TaskUpdate } from "./task.ts";
import type { TaskRecord } from "./task-store.ts";

/** Of a Task's record, what its document needs besides its events. */
export type TaskHead = Pick<TaskRecord, "id" | "contextId" | "createdAt" | "metadata" | "skill" | "deviceId">;

/**
 * The Task that its events make, in their order. Its history holds the client's messages and what was said of earlier
 * states; the Artifact `result` comes first.
 */
export function foldEvents(head: TaskHead, events: readonly StoredEvent[], publicUrl: string): Task {
  const history: Message[] = [];
  const artifacts = new Map<string, Artifact>();
  let status: TaskStatus = { state: "TASK_STATE_SUBMITTED", timestamp: isoOf(head.createdAt) };
  for (const event of events) {
    if (event.kind === "artifact") {
      putArtifact(artifacts, withUrls(event.artifact, publicUrl), event.append);
      continue;
    }
    // What was said of the state before came before the client's answer to it.
    if (status.message) history.push(status.message);
    if (event.kind === "message") history.push(event.message);
    if (event.seq > 1) status = statusAfter(event);
  }
  const result = artifacts.get(resultArtifactId);
  const others = [...artifacts.values()].filter((artifact) => artifact !== result);
  return {
    id: head.id,
    contextId: head.contextId,
    status,
    artifacts: result ? [result, ...others] : others,
    history,
    metadata: { ...head.metadata, skill: head.skill, device: head.deviceId },
  };
}

/** An event as a subscriber hears of it. */
export function updateOf(
  { id, contextId }: Pick<TaskHead, "id" | "contextId">,
  event: StoredEvent,
  publicUrl: string,
): TaskUpdate {
  const about = { seq: event.seq, taskId: id, contextId };
  if (event.kind !== "artifact") return { ...about, kind: "status", status: statusAfter(event) };
  const { append, lastChunk } = event;
  return { ...about, kind: "artifact", artifact: withUrls(event.artifact, publicUrl), append, lastChunk };
}

/** `length`: undefined all, 0 none, else the newest so many messages. */
export function withHistory(task: Task, length: number | undefined): Task {
  if (length === undefined || !task.history) return task;
  const { history, ...rest } = task;
  return length === 0 ? rest : { ...rest, history: history.slice(-length) };
}

/** A further message of the client sets its Task to work again. */
function statusAfter(event: Exclude<StoredEvent, { kind: "artifact" }>): TaskStatus {
  const timestamp = isoOf(event.at);
  if (event.kind === "message") return { state: "TASK_STATE_WORKING", timestamp };
  return { state: event.state, ...(event.message ? { message: event.message } : {}), timestamp };
}

function putArtifact(artifacts: Map<string, Artifact>, artifact: Artifact, append: boolean): void {
  const before = append ? artifacts.get(artifact.artifactId) : undefined;
  artifacts.set(artifact.artifactId, before ? { ...before, parts: [...before.parts, ...artifact.parts] } : artifact);
}

function withUrls(artifact: Artifact, publicUrl: string): Artifact {
  return { ...artifact, parts: artifact.parts.map((part): Part => fileUrlOf(part, publicUrl)) };
}

const isoOf = (at: number) => new Date(at).toISOString();
