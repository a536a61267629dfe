import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Logger } from "../../shared/log.ts";
import { isInterrupted, isTerminal, type TaskState } from "../../shared/tasks/task-state.ts";
import type { ToolSpec } from "../../shared/tools/define-tool.ts";
import type { Principal } from "../auth/principal.ts";
import type { DirectoryCache } from "../directory-cache.ts";
import type { Relay } from "../relay/relay.ts";
import { createSendToTask } from "./begin.ts";
import type { Bell } from "./bell.ts";
import { createCancelTask } from "./cancel.ts";
import { findTask } from "./find-task.ts";
import { followEvents, readEvents } from "./follow.ts";
import { foldEvents, withHistory } from "./snapshot.ts";
import type { Task } from "./task.ts";
import type { TaskService } from "./task-service.ts";
import type { PushConfig, TaskRecord, TaskStore } from "./task-store.ts";

export interface ServiceDeps {
  store: TaskStore;
  relay: Pick<Relay, "notify">;
  bell: Bell;
  cache: Pick<DirectoryCache, "devices">;
  tools: readonly ToolSpec[];
  clock: Clock;
  log: Logger;
  randomId: () => string;
  /** SHA-256 of a text, in hex. */
  hash: (text: string) => string | Promise<string>;
  /** Without a slash at its end. */
  publicUrl: string;
  /** What must never be stored: tokens that are in force here. */
  secrets: readonly string[];
  /** Throws `invalid_argument` for a webhook that must not be called. */
  checkPushConfig: (config: PushConfig) => void;
  /** Rings when the gateway stops: whoever waits for a Task then gets it as it is. */
  stopBell: { hasRung(): boolean; listen(action: () => void): () => void };
}

const mostPushConfigs = { perTask: limits.pushConfigsPerTask, perTenant: limits.pushConfigsPerTenant };

export function createTaskService(deps: ServiceDeps): TaskService {
  const { store, publicUrl } = deps;
  const send = createSendToTask(deps);
  const cancel = createCancelTask(deps);

  const find = (principal: Principal, taskId: string) => findTask(store, principal, taskId);
  const tell = async (task: TaskRecord): Promise<Task> =>
    foldEvents(task, await readEvents(store, task.id, task.lastSeq), publicUrl);
  const read = async (principal: Principal, taskId: string) => tell(await find(principal, taskId));
  const savePush = async (principal: Principal, config: PushConfig): Promise<PushConfig> => {
    await find(principal, config.taskId);
    deps.checkPushConfig(config);
    const { tenant, subject } = principal;
    if ((await store.savePushConfig({ tenant, subject }, config, mostPushConfigs)) === "saved") return config;
    throw tooManyWebhooks();
  };

  const service: TaskService = {
    async send(principal, request) {
      const { pushConfig } = request;
      // A webhook that cannot be kept must not leave a Task behind that nobody hears of.
      if (pushConfig) deps.checkPushConfig({ ...pushConfig, taskId: "new" });
      const { id } = await send(principal, request, async (task) => {
        if (pushConfig) await savePush(principal, { ...pushConfig, taskId: task.id });
      });
      return read(principal, id);
    },

    settled: (principal, taskId, options) => waitFor(principal, taskId, isSettled, options),

    async get(principal, taskId, historyLength) {
      return withHistory(await read(principal, taskId), historyLength);
    },

    async list({ tenant, subject, devices }, { pageSize, historyLength, includeArtifacts, ...query }) {
      const onlyDevices = devices === "all" ? undefined : devices;
      const page = await store.list({ tenant, subject }, { ...query, onlyDevices, limit: pageSize });
      const told = includeArtifacts ? await Promise.all(page.tasks.map(tell)) : await tellBriefly(page.tasks);
      const { nextPageToken, total: totalSize } = page;
      return { tasks: told.map((task) => withHistory(task, historyLength)), nextPageToken, pageSize, totalSize };
    },

    async cancel(principal, taskId, waitMs) {
      await cancel(await find(principal, taskId));
      const asked = await read(principal, taskId);
      if (isTerminal(asked.status.state)) return asked;
      return waitFor(principal, taskId, isTerminal, { waitMs });
    },

    async *follow(principal, taskId, { afterSeq, requireOpen, signal }) {
      const task = await find(principal, taskId);
      if (requireOpen && isTerminal(task.state)) {
        throw new CodedError("task_closed", "The Task is over; there is nothing more to follow.", {
          hint: "Read it with GetTask.",
        });
      }
      yield* followEvents(deps, task, Math.min(afterSeq ?? task.lastSeq, task.lastSeq), signal);
    },

    savePushConfig: savePush,

    async pushConfigs(principal, taskId) {
      await find(principal, taskId);
      return store.pushConfigs(taskId);
    },

    async deletePushConfig(principal, taskId, id) {
      await find(principal, taskId);
      await store.deletePushConfig(taskId, id);
    },
  };

  /** The Task once its state is enough, or as it is when the time is up. */
  const waitFor = async (
    principal: Principal,
    taskId: string,
    isEnough: (state: TaskState) => boolean,
    { waitMs, signal, onUpdate }: Parameters<TaskService["settled"]>[2],
  ): Promise<Task> => {
    const timeUp = new AbortController();
    const callOff = deps.clock.after(waitMs, () => timeUp.abort());
    const stopListening = deps.stopBell.listen(() => timeUp.abort());
    if (deps.stopBell.hasRung()) timeUp.abort();
    const until = signal ? AbortSignal.any([signal, timeUp.signal]) : timeUp.signal;
    try {
      while (!until.aborted) {
        for await (const update of service.follow(principal, taskId, { requireOpen: false, signal: until })) {
          onUpdate?.(update);
          if (update.kind === "task" && isEnough(update.task.status.state)) return update.task;
        }
      }
      return await read(principal, taskId);
    } finally {
      callOff();
      stopListening();
    }
  };

  /** Without Artifacts, in one reading for all. */
  const tellBriefly = async (tasks: readonly TaskRecord[]): Promise<Task[]> => {
    const histories = await store.histories(tasks.map(({ id }) => id));
    return tasks.map((task) => {
      const { artifacts: _, ...rest } = foldEvents(task, histories.get(task.id) ?? [], publicUrl);
      return rest;
    });
  };
  return service;
}

const isSettled = (state: TaskState) => isTerminal(state) || isInterrupted(state);

const tooManyWebhooks = () =>
  new CodedError(
    "rate_limited",
    `There are ${limits.pushConfigsPerTask} webhooks on this Task, or ${limits.pushConfigsPerTenant} in all, already.`,
    { hint: "Delete one that is no longer needed." },
  );
