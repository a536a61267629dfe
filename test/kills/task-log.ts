import type { Task, TaskStatus } from "../../gateway/tasks/task.ts";
import type { Artifact } from "../../shared/tasks/message.ts";
import type { PatientClient } from "./patient-client.ts";
import type { Update } from "./witness.ts";

/** Everything that is stored of a Task, as its client can read it. */
export interface TaskLog {
  /** As of its first event, the message that began it. */
  first: Task;
  /** The events from number 2 on, in order. */
  updates: Update[];
  /** As GetTask tells it. */
  task: Task;
}

/** Reads the log of a Task that is over. Throws when its stream is not what it should be. */
export async function readLog(client: PatientClient, taskId: string): Promise<TaskLog> {
  let first: Task | undefined;
  const updates: Update[] = [];
  const request = { method: "SubscribeToTask", params: { id: taskId }, lastEventId: 1 } as const;
  const end = await client.stream(request, (id, item) => {
    if (!("task" in item)) {
      updates.push(item);
      if (id !== updates.length + 1) throw new Error(`Event ${id} is at place ${updates.length + 1}.`);
    } else if (!first) first = item.task;
    return true;
  });
  if (end.kind !== "end" || !first) throw new Error(`The log cannot be read: ${JSON.stringify(end)}`);
  return { first, updates, task: await getTask(client, taskId) };
}

export async function getTask(client: PatientClient, taskId: string): Promise<Task> {
  const answer = await client.call("GetTask", { id: taskId });
  if ("error" in answer) throw new Error(`GetTask: ${answer.error.message}`);
  return answer.result as Task;
}

/** The Task that a log makes up to an event (A2A 1.0.1, section 4.2: chunks are appended in the order of the stream). */
export function taskAt(log: Pick<TaskLog, "first" | "updates">, seq: number): Pick<Task, "status" | "artifacts"> {
  let { status } = log.first;
  const artifacts = new Map<string, Artifact>();
  for (const update of log.updates.slice(0, seq - 1)) {
    if ("statusUpdate" in update) status = update.statusUpdate.status;
    else {
      const { artifact, append } = update.artifactUpdate;
      const before = append ? artifacts.get(artifact.artifactId) : undefined;
      const parts = [...(before?.parts ?? []), ...artifact.parts];
      artifacts.set(artifact.artifactId, { ...(before ?? artifact), parts });
    }
  }
  // The result is shown first whenever it came.
  const inOrder = [...artifacts.values()].sort((one, other) => place(one) - place(other));
  return { status, artifacts: inOrder };
}

const place = ({ artifactId }: Artifact) => (artifactId === "result" ? 0 : 1);

export const statusesOf = ({ first, updates }: TaskLog): TaskStatus[] => [
  first.status,
  ...updates.flatMap((update) => ("statusUpdate" in update ? [update.statusUpdate.status] : [])),
];
