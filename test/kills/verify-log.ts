import { isDeepStrictEqual } from "node:util";
import { isTerminal } from "../../shared/tasks/task-state.ts";
import { statusesOf, type TaskLog, taskAt } from "./task-log.ts";
import type { Witness } from "./witness.ts";

/** What is wrong with what is stored of a Task, by itself and beside what clients saw of it. */
export function verifyLog(log: TaskLog, witness: Witness): string[] {
  const faults = [...witness.faults];
  const statuses = statusesOf(log);
  const { length } = log.updates;
  const whole = taskAt(log, length + 1);
  if (!isDeepStrictEqual(log.task.status, whole.status)) faults.push("GetTask tells another status than the events");
  if (!isDeepStrictEqual(log.task.artifacts ?? [], whole.artifacts)) {
    faults.push("GetTask tells other Artifacts than the events");
  }
  const ends = statuses.filter(({ state }) => isTerminal(state)).length;
  if (ends !== 1) faults.push(`it has ${ends} terminal states`);
  if (!isTerminal(statuses.at(-1)?.state ?? "TASK_STATE_SUBMITTED")) faults.push("something came after its end");

  for (const [seq, update] of witness.events) {
    const stored = log.updates[seq - 2];
    if (!stored) faults.push(`event ${seq} was seen and is gone`);
    else if (!isDeepStrictEqual(stored, update)) faults.push(`event ${seq} was seen as another one`);
  }
  for (const { seq, task } of witness.snapshots) {
    const then = taskAt(log, seq);
    if (seq > length + 1) faults.push(`a snapshot of event ${seq} was seen, which is gone`);
    else if (!isDeepStrictEqual({ status: task.status, artifacts: task.artifacts ?? [] }, then)) {
      faults.push(`a snapshot of event ${seq} was not what its events make`);
    }
  }
  return [...faults, ...verifyOrder(statuses, witness)];
}

/** Whoever asks again and again sees the stored states, and never goes back among them. */
function verifyOrder(statuses: ReturnType<typeof statusesOf>, { statuses: seen }: Witness): string[] {
  let place = 0;
  for (const status of seen) {
    const next = statuses.findIndex((stored, index) => index >= place && isDeepStrictEqual(stored, status));
    if (next === -1) return [`${status.state} since ${status.timestamp} was seen, which is not stored or comes before`];
    place = next;
  }
  return [];
}
