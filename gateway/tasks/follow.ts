import type { Clock } from "../../shared/clock.ts";

import { isInterrupted, isTerminal } from "../../shared/tasks/task-state.ts";
import type { Bell } from "./bell.ts";
import { foldEvents, updateOf } from "./snapshot.ts";
import type { StoredEvent, Task, TaskUpdate } from "./task.ts";
import type { TaskRecord, TaskStore } from "./task-store.ts";

/** A bell may be missed, so the store is looked at this often anyway. */
const pollMs = 5_000;
const pageEvents = 500;

export interface FollowDeps {
  store: Pick<TaskStore, "events">;
  bell: Bell;
  clock: Clock;
  publicUrl: string;
}

/** All events of a Task up to `lastSeq`. */
export async function readEvents(
  store: Pick<TaskStore, "events">,
  taskId: string,
  lastSeq: number,
): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (let last = 0; last < lastSeq; ) {
    const page = await store.events(taskId, last, pageEvents);
    if (page.length === 0) break;
    all.push(...page);
    last = page.at(-1)?.seq ?? lastSeq;
  }
  return all.filter(({ seq }) => seq <= lastSeq);
}

/**
 * The Task as of `fromSeq`, each update after it, and at the end the whole Task: when it is over, or comes to ask
 * something. Everybody who follows reads the same log, so all see the same in the same order.
 */
export async function* followEvents(
  deps: FollowDeps,
  task: TaskRecord,
  fromSeq: number,
  signal: AbortSignal,
): AsyncGenerator<TaskUpdate, void, undefined> {
  const { store, publicUrl } = deps;
  const waiting = createWaiting(deps, task.id);
  try {
    const events = await readEvents(store, task.id, fromSeq);
    let last = fromSeq;
    let current: Task = foldEvents(task, events, publicUrl);
    yield { seq: last, kind: "task", task: current };
    if (isTerminal(current.status.state)) return;
    while (!signal.aborted) {
      waiting.reset();
      const fresh = await store.events(task.id, last, pageEvents);
      for (const event of fresh) {
        if (signal.aborted) return;
        last = event.seq;
        events.push(event);
        yield updateOf(task, event, publicUrl);
      }
      const newest = fresh.findLast((event) => event.kind !== "artifact");
      const ended = newest?.kind === "status" && (isTerminal(newest.state) || isInterrupted(newest.state));
      if (ended) {
        current = foldEvents(task, events, publicUrl);
        yield { seq: last, kind: "task", task: current };
        return;
      }
      if (fresh.length === 0) await waiting.next(signal);
    }
  } finally {
    waiting.stop();
  }
}

/** Wakes by the bell, else after the time of a poll. */
function createWaiting({ bell, clock }: Pick<FollowDeps, "bell" | "clock">, taskId: string) {
  let rung = false;
  let wake = () => {};
  const stop = bell.listen(taskId, () => {
    rung = true;
    wake();
  });
  return {
    /** Before the store is read: what is rung from now on may be news. */
    reset() {
      rung = false;
    },
    next: (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const done = () => {
          callOff();
          signal.removeEventListener("abort", done);
          resolve();
        };
        const callOff = clock.after(pollMs, done);
        wake = done;
        signal.addEventListener("abort", done, { once: true });
        if (rung || signal.aborted) done();
      }),
    stop,
  };
}
