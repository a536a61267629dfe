import type { Principal } from "../../../../gateway/auth/principal.ts";
import type { Task, TaskStatus, TaskUpdate } from "../../../../gateway/tasks/task.ts";
import type { SendRequest, TaskService } from "../../../../gateway/tasks/task-service.ts";
import type { PushConfig } from "../../../../gateway/tasks/task-store.ts";
import { CodedError } from "../../../../shared/errors.ts";
import type { Artifact, Message } from "../../../../shared/tasks/message.ts";
import { isInterrupted, isTerminal, type TaskState } from "../../../../shared/tasks/task-state.ts";

interface Log {
  owner: string;
  /** The Task after each event: the first is number 1. */
  tasks: Task[];
  updates: TaskUpdate[];
}

/** Tasks without a store and without a phone: what happens to them, a test says. */
export interface FakeTasks extends TaskService {
  /** Every `send`, as it came. */
  sent: { principal: Principal; request: SendRequest }[];
  /** Lists, as they were asked for. */
  listed: Parameters<TaskService["list"]>[1][];
  /** How many read a stream now. */
  followers(): number;
  /** What a device agent would tell. */
  tell(taskId: string, state: TaskState, words?: string): void;
  give(taskId: string, artifact: Artifact, append?: boolean): void;
  /** Thrown by the next call of any method. */
  failNext(thrown: unknown): void;
  /** Thrown by every stream, until it is null. */
  breakStreams(thrown: unknown): void;
}

export function createFakeTasks(now = () => 1_700_000_000_000): FakeTasks {
  const logs = new Map<string, Log>();
  const hooks = new Map<string, PushConfig>();
  const waiting = new Set<() => void>();
  let reading = 0;
  let failure: { thrown: unknown } | null = null;
  let broken: { thrown: unknown } | null = null;
  const sent: FakeTasks["sent"] = [];
  const listed: FakeTasks["listed"] = [];

  const wake = () => {
    for (const look of [...waiting]) look();
  };
  const ownerOf = ({ tenant, subject }: Principal) => `${tenant}/${subject}`;
  const find = (principal: Principal, id: string): Log => {
    if (failure) {
      const { thrown } = failure;
      failure = null;
      throw thrown;
    }
    const log = logs.get(id);
    if (log?.owner === ownerOf(principal)) return log;
    throw new CodedError("task_not_found", "There is no such Task.");
  };
  const last = ({ tasks }: Log): Task => tasks.at(-1) as Task;
  const at = (id: string): Log => logs.get(id) as Log;
  const statusOf = (state: TaskState, message?: Message): TaskStatus => ({
    state,
    timestamp: new Date(now()).toISOString(),
    ...(message ? { message } : {}),
  });
  const closed = () => new CodedError("task_closed", "The Task is over.");
  const until = (holds: () => boolean, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (!holds() && !signal?.aborted) return;
        waiting.delete(look);
        signal?.removeEventListener("abort", look);
        resolve();
      };
      waiting.add(look);
      signal?.addEventListener("abort", look, { once: true });
      look();
    });
  const isOver = (log: Log) => isTerminal(last(log).status.state) || isInterrupted(last(log).status.state);

  const fake: FakeTasks = {
    sent,
    listed,
    followers: () => reading,
    failNext(thrown) {
      failure = { thrown };
    },
    breakStreams(thrown) {
      broken = thrown === null ? null : { thrown };
      wake();
    },
    tell(taskId, state, words) {
      const log = at(taskId);
      const task = last(log);
      const seq = log.tasks.length + 1;
      const message: Message | undefined =
        words === undefined
          ? undefined
          : { messageId: `m${seq}`, taskId, contextId: task.contextId, role: "ROLE_AGENT", parts: [{ text: words }] };
      const status = statusOf(state, message);
      log.tasks.push({ ...task, status, history: [...(task.history ?? []), ...(message ? [message] : [])] });
      log.updates.push({ seq, kind: "status", taskId, contextId: task.contextId, status });
      wake();
    },
    give(taskId, artifact, append = false) {
      const log = at(taskId);
      const task = last(log);
      const seq = log.tasks.length + 1;
      const others = (task.artifacts ?? []).filter(({ artifactId }) => artifactId !== artifact.artifactId);
      log.tasks.push({ ...task, artifacts: [...others, artifact] });
      log.updates.push({ seq, kind: "artifact", taskId, contextId: task.contextId, artifact, append, lastChunk: true });
      wake();
    },

    async send(principal, request) {
      sent.push({ principal, request });
      const { message } = request;
      if (failure || message.taskId !== undefined) {
        const log = find(principal, message.taskId ?? "");
        if (isTerminal(last(log).status.state)) throw closed();
        fake.tell(message.taskId ?? "", "TASK_STATE_WORKING");
        return last(log);
      }
      const id = `task-${logs.size + 1}`;
      const contextId = message.contextId ?? `context-${logs.size + 1}`;
      const task: Task = { id, contextId, status: statusOf("TASK_STATE_SUBMITTED"), history: [message] };
      logs.set(id, { owner: ownerOf(principal), tasks: [task], updates: [{ seq: 1, kind: "task", task }] });
      if (request.pushConfig) hooks.set(`${id}/${request.pushConfig.id}`, { taskId: id, ...request.pushConfig });
      return task;
    },
    async settled(principal, taskId, { waitMs, signal }) {
      const log = find(principal, taskId);
      if (waitMs > 1) await until(() => isOver(log), signal);
      return last(log);
    },
    async get(principal, taskId, historyLength) {
      const { history = [], ...task } = last(find(principal, taskId));
      if (historyLength === 0) return task;
      return { ...task, history: historyLength === undefined ? history : history.slice(-historyLength) };
    },
    async list(principal, query) {
      listed.push(query);
      if (failure) find(principal, "");
      const tasks = [...logs.values()].filter(({ owner }) => owner === ownerOf(principal)).map(last);
      const shown = tasks.map(({ artifacts: _, ...task }) => task).slice(0, query.pageSize);
      return { tasks: shown, nextPageToken: "", pageSize: query.pageSize, totalSize: tasks.length };
    },
    async cancel(principal, taskId) {
      const state = last(find(principal, taskId)).status.state;
      if (isTerminal(state) && state !== "TASK_STATE_CANCELED") {
        throw new CodedError("task_not_cancelable", "The Task is over.");
      }
      if (!isTerminal(state)) fake.tell(taskId, "TASK_STATE_CANCELED", "What was done stays done.");
      return last(at(taskId));
    },
    async *follow(principal, taskId, { afterSeq, requireOpen, signal }) {
      const log = find(principal, taskId);
      if (requireOpen && isTerminal(last(log).status.state)) throw closed();
      reading++;
      try {
        let seq = Math.max(1, Math.min(afterSeq ?? log.tasks.length, log.tasks.length));
        yield { seq, kind: "task", task: log.tasks[seq - 1] as Task };
        for (;;) {
          await until(() => log.updates.length > seq || isOver(log) || broken !== null, signal);
          if (broken) throw broken.thrown;
          if (signal.aborted) return;
          const next = log.updates[seq];
          if (!next) break;
          seq = next.seq;
          yield next;
        }
        yield { seq, kind: "task", task: last(log) };
      } finally {
        reading--;
      }
    },
    async savePushConfig(principal, config) {
      find(principal, config.taskId);
      hooks.set(`${config.taskId}/${config.id}`, config);
      return config;
    },
    async pushConfigs(principal, taskId) {
      find(principal, taskId);
      return [...hooks.values()].filter((config) => config.taskId === taskId);
    },
    async deletePushConfig(principal, taskId, id) {
      find(principal, taskId);
      hooks.delete(`${taskId}/${id}`);
    },
  };
  return fake;
}
