import type { TaskStart } from "../../shared/link/messages.ts";
import type { TaskEvent } from "../../shared/tasks/task-event.ts";
import type { TaskLine } from "./task-line.ts";

/** Ended ones are remembered for a while, so that a start that comes late begins nothing. */
const mostOver = 256;
const mostPhones = 200;

export interface KeptEvent {
  sourceSeq: number;
  event: TaskEvent;
}

/** A Task as the journal knows it. */
export interface KeptTask {
  start: TaskStart;
  /** When it arrived. */
  at: number;
  /** The gateway has its events up to this number. */
  acked: number;
  /** The number of its newest event; 0 while it has not begun. */
  lastSeq: number;
  /** Those that are not acknowledged, in order. */
  events: KeptEvent[];
}

/** What the lines of the journal amount to. */
export interface KeptTasks {
  apply(line: TaskLine): void;
  /** Lets numbers follow each other again where a damaged line took an event away. */
  closeGaps(): void;
  /** In the order in which they arrived. */
  all(): KeptTask[];
  isOver(taskId: string): boolean;
  hasSeen(phone: string): boolean;
  /** The shortest journal that says the same. */
  lines(): Iterable<TaskLine>;
}

export function createKeptTasks(): KeptTasks {
  const tasks = new Map<string, KeptTask>();
  const over = new Set<string>();
  const phones = new Set<string>();

  const addEvent = (task: KeptTask, { sourceSeq, event }: KeptEvent) => {
    if (sourceSeq <= task.lastSeq) return;
    task.lastSeq = sourceSeq;
    task.events.push({ sourceSeq, event });
  };
  const acknowledge = (task: KeptTask, sourceSeq: number) => {
    task.acked = Math.max(task.acked, sourceSeq);
    task.lastSeq = Math.max(task.lastSeq, sourceSeq);
    task.events = task.events.filter((kept) => kept.sourceSeq > task.acked);
  };

  return {
    apply(line) {
      if (line.kind === "phone") return addNewest(phones, line.key, mostPhones);
      if (line.kind === "start") {
        const { start, at } = line;
        if (tasks.has(start.taskId) || over.has(start.taskId)) return;
        tasks.set(start.taskId, { start, at, acked: 0, lastSeq: 0, events: [] });
      } else if (line.kind === "over") {
        tasks.delete(line.taskId);
        addNewest(over, line.taskId, mostOver);
      } else {
        const task = tasks.get(line.taskId);
        if (task && line.kind === "event") addEvent(task, line);
        else if (task) acknowledge(task, line.sourceSeq);
      }
    },
    closeGaps() {
      for (const task of tasks.values()) {
        task.events = task.events.map(({ event }, index) => ({ sourceSeq: task.acked + 1 + index, event }));
        task.lastSeq = task.acked + task.events.length;
      }
    },
    all: () => [...tasks.values()],
    isOver: (taskId) => over.has(taskId),
    hasSeen: (phone) => phones.has(phone),
    *lines() {
      for (const key of [...phones]) yield { kind: "phone", key };
      for (const taskId of [...over]) yield { kind: "over", taskId };
      for (const { start, at, acked, events } of [...tasks.values()]) {
        const { taskId } = start;
        yield { kind: "start", at, start };
        if (acked > 0) yield { kind: "acked", taskId, sourceSeq: acked };
        for (const kept of [...events]) yield { kind: "event", taskId, ...kept };
      }
    },
  };
}

function addNewest(set: Set<string>, value: string, most: number): void {
  set.delete(value);
  set.add(value);
  const [oldest] = set;
  if (set.size > most && oldest !== undefined) set.delete(oldest);
}
