import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/log.ts";
import type { TaskEvent } from "../../shared/tasks/task-event.ts";
import { isTerminal } from "../../shared/tasks/task-state.ts";
import type { LinkConnection } from "../link/open-link.ts";
import type { KeptTask } from "./kept-tasks.ts";
import type { TaskJournal } from "./task-journal.ts";

/** The events of one Task on their way to the gateway: each in the journal first, in order, until it is acknowledged. */
export interface EventLog {
  /** Numbers the event and gives the number; it is stored and sent as soon as that can be done. */
  tell(event: TaskEvent): number;
  /** Resolves when the gateway has stored the events up to this number. Rejects with the signal's reason. */
  stored(sourceSeq: number, signal: AbortSignal): Promise<void>;
  /**
   * What the gateway says of a Task that is not over: it has the events up to `sourceSeq`. Returns when the newest of
   * those was sent, if that was on the link of now: the gateway cannot have heard of the Task before.
   */
  acknowledged(sourceSeq: number): number | undefined;
  /** Sends what this link has not got yet. */
  linked(connection: LinkConnection): void;
  /** Sends again what was sent on this link for so long without an acknowledgement. */
  repeat(afterMs: number): void;
  /** Resolves when everything told by now is in the journal and was handed to the link, if there is one. */
  flushed(): Promise<void>;
}

interface Entry {
  sourceSeq: number;
  event: TaskEvent;
  written: boolean;
  /** The link that it was sent on last, and when it was sent there first and last. */
  sent: { on: LinkConnection; first: number; last: number } | undefined;
}

export function createEventLog(options: {
  clock: Clock;
  log: Logger;
  journal: Pick<TaskJournal, "append">;
  /** Of the Task as the journal knows it; what is not acknowledged there is sent first. */
  kept: Pick<KeptTask, "lastSeq" | "acked" | "events">;
  taskId: string;
}): EventLog {
  const { clock, log, journal, taskId } = options;
  let { lastSeq, acked } = options.kept;
  let entries = options.kept.events.map((kept): Entry => ({ ...kept, written: true, sent: undefined }));
  let connection: LinkConnection | undefined;
  let writing: Promise<unknown> = Promise.resolve();
  let sending: Promise<unknown> = Promise.resolve();
  const waiting = new Set<() => void>();

  const send = (entry: Entry) => {
    if (!connection) return;
    const now = clock.now();
    const first = entry.sent?.on === connection ? entry.sent.first : now;
    entry.sent = { on: connection, first, last: now };
    const { sourceSeq, event } = entry;
    sending = connection.send({ type: "task_event", taskId, sourceSeq, event });
  };
  const sendReady = () => {
    for (const entry of entries) {
      if (!entry.written) return;
      if (entry.sent?.on !== connection) send(entry);
    }
  };
  const write = (line: Parameters<TaskJournal["append"]>[0]) =>
    journal.append(line).catch((cause: unknown) => log.error("The journal of Tasks cannot be written", { cause }));
  const tell = (event: TaskEvent): number => {
    lastSeq += 1;
    const entry: Entry = { sourceSeq: lastSeq, event, written: false, sent: undefined };
    entries.push(entry);
    // With a disk that takes nothing the link is the only place left to tell it.
    writing = write({ kind: "event", taskId, sourceSeq: entry.sourceSeq, event }).then(() => {
      entry.written = true;
      sendReady();
    });
    return entry.sourceSeq;
  };

  return {
    tell,
    stored: (sourceSeq, signal) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!signal.aborted && acked < sourceSeq) return;
          waiting.delete(look);
          signal.removeEventListener("abort", look);
          if (signal.aborted) reject(signal.reason);
          else resolve();
        };
        waiting.add(look);
        signal.addEventListener("abort", look);
        look();
      }),
    acknowledged(sourceSeq) {
      const done = entries.filter((entry) => entry.sourceSeq <= sourceSeq);
      if (sourceSeq > acked) {
        entries = entries.filter((entry) => entry.sourceSeq > sourceSeq);
        acked = sourceSeq;
        lastSeq = Math.max(lastSeq, sourceSeq);
        void write({ kind: "acked", taskId, sourceSeq });
      }
      // The gateway has the number but not the end, so an event of an earlier run had it: the journal had lost that.
      const end = done.find(({ event }) => event.kind === "status" && isTerminal(event.state));
      if (end) tell(end.event);
      for (const look of [...waiting]) look();
      const newest = done.at(-1)?.sent;
      return newest && newest.on === connection ? newest.first : undefined;
    },
    linked(newer) {
      connection = newer;
      sendReady();
    },
    repeat(afterMs) {
      const oldest = entries[0]?.sent;
      if (!oldest || oldest.on !== connection || clock.now() - oldest.last < afterMs) return;
      for (const entry of entries) if (entry.sent) send(entry);
    },
    async flushed() {
      await writing;
      await sending;
    },
  };
}
