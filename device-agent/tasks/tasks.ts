import { toCodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { TaskStart, ToDeviceAgent } from "../../shared/link/messages.ts";
import { isTerminal } from "../../shared/tasks/task-state.ts";
import type { DeviceTool } from "../../shared/tools/define-tool.ts";
import type { LinkConnection } from "../link/open-link.ts";
import { endings } from "./endings.ts";
import { createEventLog, type EventLog } from "./event-log.ts";
import type { HeldTask } from "./held-task.ts";
import type { KeptTask } from "./kept-tasks.ts";
import { refusals } from "./refusals.ts";
import { checkStep } from "./task-calls.ts";
import type { TaskJournal } from "./task-journal.ts";
import { makeTask, type TaskMakerDeps } from "./task-maker.ts";
import { createTeller } from "./teller.ts";

export interface TasksDeps extends TaskMakerDeps {
  tools: readonly DeviceTool[];
  taskJournal: Pick<TaskJournal, "kept" | "append">;
}

type FromGateway<T extends ToDeviceAgent["type"]> = Extract<ToDeviceAgent, { type: T }>;

/** The Tasks of this device agent, from their acceptance until the gateway knows how they ended. */
export interface Tasks {
  /** Takes up what an earlier process left: what had begun is over, what had not is done now. */
  begin(): void;
  /** What is in the journal and not over. */
  held(): string[];
  linked(connection: LinkConnection): void;
  start(message: TaskStart, connection: LinkConnection): Promise<void>;
  message(message: FromGateway<"task_message">): void;
  cancel(taskId: string): void;
  acknowledged(message: FromGateway<"task_ack">): void;
  leases(message: FromGateway<"task_leases">): void;
  /** Takes no new Tasks; what is at a phone may finish its step for `graceMs`. Resolves when every end is in the journal. */
  stop(graceMs: number): Promise<void>;
}

interface Entry {
  events: EventLog;
  /** Undefined for one that is over here and only has to be told. */
  task: HeldTask | undefined;
  /** It lives: neither over nor dropped. */
  isActive: boolean;
  /** It is in the journal. */
  accepted: Promise<void> | undefined;
}

export function createTasks(deps: TasksDeps): Tasks {
  const { clock, log, phones, turns, taskJournal: journal } = deps;
  const tools = new Map(deps.tools.map((tool) => [tool.name, tool]));
  const entries = new Map<string, Entry>();
  let connection: LinkConnection | undefined;
  let isStopping = false;
  /** When the oldest beat was sent that may still be answered. */
  let beatAt: number | undefined;
  let callOffBeat = () => {};
  let unsubscribe = () => {};

  const note = (line: Parameters<TaskJournal["append"]>[0]) =>
    journal.append(line).catch((cause: unknown) => log.error("The journal of Tasks cannot be written", { cause }));
  const hold = (kept: KeptTask, isOver: boolean): Entry => {
    const { taskId } = kept.start;
    const events = createEventLog({ clock, log, journal, kept, taskId });
    const task = isOver ? undefined : makeTask(deps, tools, kept, events);
    const entry: Entry = { events, task, isActive: !isOver, accepted: undefined };
    entries.set(taskId, entry);
    if (connection) events.linked(connection);
    return entry;
  };
  const live = (entry: Entry) => {
    void entry.task?.live().then(() => {
      entry.isActive = false;
    });
  };
  const takeUp = (kept: KeptTask) => {
    const isTold = kept.events.some(({ event }) => event.kind === "status" && isTerminal(event.state));
    const hasBegun = kept.lastSeq > 0;
    const entry = hold(kept, hasBegun);
    if (!hasBegun) live(entry);
    else if (!isTold) {
      const { state, text } = endings.restarted;
      createTeller({ ...deps, start: kept.start, events: entry.events }).last(state, text);
    }
  };
  const forget = (taskId: string) => {
    const entry = entries.get(taskId);
    if (!entry) return;
    entries.delete(taskId);
    entry.isActive = false;
    entry.task?.drop();
    void note({ kind: "over", taskId });
  };

  const isKnownPhone = (key: string) => journal.kept.hasSeen(key) || phones.list().some((phone) => phone.key === key);
  /** Throws what the Task is refused with. */
  const check = ({ skill, device, message }: TaskStart) => {
    const executor = deps.executors.get(skill);
    if (!executor) throw refusals.noSkill();
    if (!isKnownPhone(device)) throw refusals.noPhone();
    executor.check(message, { check: (step) => checkStep(tools, step) });
    const active = [...entries.values()].filter((entry) => entry.isActive).length;
    if (active >= limits.activeTasksPerDeviceAgent) throw refusals.tooMany();
  };
  /** Resolves when the Task is in the journal and waits for its turn. */
  const accept = async (start: TaskStart) => {
    check(start);
    const kept = { start, at: clock.now(), acked: 0, lastSeq: 0, events: [] };
    const entry = hold(kept, false);
    entry.accepted = journal.append({ kind: "start", at: kept.at, start }).catch((cause: unknown) => {
      forget(start.taskId);
      throw refusals.noDisk(cause);
    });
    try {
      await entry.accepted;
      entry.accepted = undefined;
    } finally {
      live(entry);
    }
  };

  const seePhones = () => {
    for (const { key } of phones.list()) if (!journal.kept.hasSeen(key)) void note({ kind: "phone", key });
    turns.look();
  };
  const held = () => [...entries].filter(([, entry]) => !entry.accepted).map(([taskId]) => taskId);
  const beat = () => {
    const taskIds = held();
    if (taskIds.length === 0) beatAt = undefined;
    if (!connection || taskIds.length === 0) return;
    beatAt ??= clock.now();
    void connection.send({ type: "task_beat", taskIds });
    for (const { events } of entries.values()) events.repeat(limits.taskBeatMs);
  };
  const keepBeating = () => {
    callOffBeat = clock.after(limits.taskBeatMs, () => {
      beat();
      keepBeating();
    });
  };

  return {
    begin() {
      unsubscribe = phones.subscribe(seePhones);
      for (const kept of journal.kept.all()) takeUp(kept);
      seePhones();
      keepBeating();
    },
    held,
    linked(newer) {
      connection = newer;
      beatAt = undefined;
      for (const { events } of entries.values()) events.linked(newer);
      beat();
    },
    async start(start, link) {
      const { taskId } = start;
      const known = entries.get(taskId);
      // Whoever is about to stop says nothing: the gateway asks again.
      if (!known && !journal.kept.isOver(taskId) && isStopping) return;
      try {
        if (known) await known.accepted;
        else if (!journal.kept.isOver(taskId)) await accept(start);
        await link.send({ type: "task_accepted", taskId });
      } catch (thrown) {
        const error = toCodedError(thrown, deps.newErrorId());
        if (error.cause !== undefined)
          log.error("A Task was not taken", { taskId, code: error.code, cause: error.cause });
        await link.send({ type: "task_refused", taskId, error: error.toBody() });
      }
    },
    message: ({ taskId, message }) => entries.get(taskId)?.task?.message(message),
    cancel: (taskId) => entries.get(taskId)?.task?.cancel(),
    acknowledged({ taskId, sourceSeq, state, leaseMs }) {
      if (isTerminal(state)) return forget(taskId);
      const entry = entries.get(taskId);
      const sentAt = entry?.events.acknowledged(sourceSeq);
      if (sentAt !== undefined) entry?.task?.prolong(sentAt + leaseMs);
    },
    leases({ alive, ended, leaseMs }) {
      for (const taskId of ended) forget(taskId);
      // With nothing alive in it it may be news of its own, and the answer to the beat comes yet.
      if (beatAt === undefined || alive.length === 0) return;
      for (const taskId of alive) entries.get(taskId)?.task?.prolong(beatAt + leaseMs);
      beatAt = undefined;
    },
    async stop(graceMs) {
      isStopping = true;
      callOffBeat();
      unsubscribe();
      await Promise.all([...entries.values()].map(({ task }) => task?.stop(graceMs)));
      await Promise.all([...entries.values()].map(({ events }) => events.flushed()));
    },
  };
}
