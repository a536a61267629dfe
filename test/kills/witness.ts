import { isDeepStrictEqual } from "node:util";
import type { Task, TaskStatus } from "../../gateway/tasks/task.ts";
import { isTerminal, type TaskState } from "../../shared/tasks/task-state.ts";
import type { FrameItem } from "./patient-client.ts";

/** An update of a stream; a stream's whole Tasks are no events. */
export type Update = Exclude<FrameItem, { task: Task }>;

/** What clients saw of one Task, whoever saw it. What contradicts something seen before is a fault. */
export interface Witness {
  /** The event of this number. */
  event(seq: number, update: Update): void;
  /** The whole Task as of this number. */
  snapshot(seq: number, task: Task): void;
  /** The Task as an answer told it, to a question that was asked at that time. */
  status(askedAt: number, status: TaskStatus): void;
  /** How many events were seen, by everybody together. */
  seen(): number;
  /** What was seen by now. */
  readonly events: ReadonlyMap<number, Update>;
  readonly snapshots: readonly { seq: number; task: Task }[];
  readonly statuses: readonly TaskStatus[];
  readonly faults: readonly string[];
}

export function createWitness(): Witness {
  const events = new Map<number, Update>();
  const snapshots: { seq: number; task: Task }[] = [];
  const statuses: TaskStatus[] = [];
  const faults: string[] = [];
  let seen = 0;
  let ended: { at: number; status: TaskStatus } | undefined;

  const seeStatus = (askedAt: number, status: TaskStatus) => {
    if (ended && askedAt >= ended.at && !isDeepStrictEqual(status, ended.status)) {
      faults.push(`it was ${told(ended.status)}, and later it is ${told(status)}`);
    }
    if (!ended && isTerminal(status.state)) ended = { at: Date.now(), status };
  };
  return {
    event(seq, update) {
      const known = events.get(seq);
      if (known && !isDeepStrictEqual(known, update)) faults.push(`event ${seq} is another one than it was`);
      events.set(seq, update);
      seen += 1;
    },
    snapshot(seq, task) {
      snapshots.push({ seq, task });
    },
    status(askedAt, status) {
      statuses.push(status);
      seeStatus(askedAt, status);
    },
    seen: () => seen,
    events,
    snapshots,
    statuses,
    faults,
  };
}

const told = ({ state, timestamp }: { state: TaskState; timestamp: string }) => `${state} since ${timestamp}`;
