import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Message } from "../../shared/tasks/message.ts";
import { isInterrupted } from "../../shared/tasks/task-state.ts";
import type { ToolSpec } from "../../shared/tools/define-tool.ts";
import type { Principal } from "../auth/principal.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { DirectoryDevice } from "../directory.ts";
import { resolveDevice, visibleDevices } from "../resolve-device.ts";
import { checkAnswer, checkBeginning, checkIds } from "./check-message.ts";
import { findTask } from "./find-task.ts";
import { redactKnown } from "./redact-secrets.ts";
import type { ServiceDeps } from "./service.ts";
import { startMessage } from "./start-message.ts";
import type { SendRequest } from "./task-service.ts";
import type { TaskRecord } from "./task-store.ts";

/**
 * Stores what a client sends, hands it to the device agent if that can be reached, and resolves with the Task.
 * `beforeStart` is done with a new Task that nobody works on yet.
 */
export type SendToTask = (
  principal: Principal,
  request: SendRequest,
  beforeStart: (task: TaskRecord) => Promise<void>,
) => Promise<TaskRecord>;

export function createSendToTask(deps: ServiceDeps): SendToTask {
  const { store, clock, relay, bell, randomId } = deps;
  const tools = new Map<string, ToolSpec>(deps.tools.map((spec) => [spec.name, spec]));

  const goOn = async (principal: Principal, taskId: string, message: Message, digest: string): Promise<TaskRecord> => {
    const task = await findTask(store, principal, taskId);
    checkAnswer(message);
    if (message.contextId !== undefined && message.contextId !== task.contextId) throw otherContext();
    if (!isInterrupted(task.state)) throw closed(task);
    const full: Message = { ...message, contextId: task.contextId };
    const now = clock.now();
    if (!(await store.appendMessage({ task, message: full, digest, now, leaseEndsAt: now + limits.taskLeaseMs }))) {
      // The same message may have been here a moment ago, else the Task asks for nothing any more.
      const known = await store.findByMessage(task, message.messageId);
      if (known?.digest === digest) return known.task;
      throw closed(task);
    }
    bell.ring(taskId);
    await relay.notify(task.deviceAgentId, { type: "task_message", taskId, message: full });
    return task;
  };

  const begin = async (
    principal: Principal,
    request: SendRequest,
    message: Message,
    digest: string,
    beforeStart: (task: TaskRecord) => Promise<void>,
  ) => {
    const { tenant, subject, scopes } = principal;
    checkBeginning(message, request.skill, principal, tools);
    if (request.skill === "steps") checkKept(request.message, message);
    const before =
      message.contextId === undefined ? null : await store.newestOfContext({ tenant, subject }, message.contextId);
    const device = deviceOf(deps, principal, request.device, before);
    const id = `task_${randomId()}`;
    const contextId = message.contextId ?? `ctx_${randomId()}`;
    const full: Message = { ...message, contextId, taskId: id };
    const now = clock.now();
    const task = await store.create(
      {
        id,
        tenant,
        subject,
        contextId,
        deviceAgentId: device.deviceAgentId,
        deviceId: device.id,
        deviceKey: device.key,
        skill: request.skill,
        scopes,
        messageId: message.messageId,
        messageDigest: digest,
        expiresAt: now + limits.taskWaitMs,
        createdAt: now,
        metadata: {},
      },
      full,
      limits.activeTasksPerDeviceAgent,
    );
    if (task === "full") throw tooMany();
    if (task.id !== id) return same(task, task.messageDigest, digest);
    await beforeStart(task);
    await relay.notify(device.deviceAgentId, startMessage(task, full, now));
    return task;
  };

  return async (principal, request, beforeStart) => {
    const { tenant, subject } = principal;
    if (!principal.scopes.includes("task:run")) {
      throw new CodedError("permission_denied", "The token does not carry task:run, which Tasks need.");
    }
    checkIds(request.message);
    const message = redactKnown(request.message, deps.secrets);
    const digest = await deps.hash(canonicalJson([message, request.skill, request.device ?? null]));
    const known = await store.findByMessage({ tenant, subject }, message.messageId);
    if (known) return same(known.task, known.digest, digest);
    return message.taskId === undefined
      ? begin(principal, request, message, digest, beforeStart)
      : goOn(principal, message.taskId, message, digest);
  };
}

/** A context stays with its phone unless another one of the same device agent is named: its conversation lives there. */
function deviceOf(
  { cache, clock }: Pick<ServiceDeps, "cache" | "clock">,
  principal: Principal,
  wanted: string | undefined,
  before: TaskRecord | null,
): DirectoryDevice {
  const visible = visibleDevices(cache.devices(), principal);
  const device = resolveDevice(visible, wanted ?? before?.deviceId, clock.now());
  if (before && device.deviceAgentId !== before.deviceAgentId) {
    throw new CodedError("invalid_argument", "This context belongs to a phone of another device agent.", {
      hint: "Leave the device out, or begin a new context.",
    });
  }
  return device;
}

function same(task: TaskRecord, stored: string, digest: string): TaskRecord {
  if (stored === digest) return task;
  throw new CodedError("invalid_argument", "This messageId was used for another message.", {
    hint: "Give every message an id of its own; repeat one only to repeat the message.",
  });
}

/** What is typed must be what was meant, so a step that would lose a token of ours is none. */
function checkKept(given: Message, kept: Message): void {
  const dataOf = ({ parts }: Message) => canonicalJson(parts.map(({ data }) => data));
  if (dataOf(given) === dataOf(kept)) return;
  throw new CodedError("invalid_argument", "The steps hold a token of this gateway; Tasks keep none.", {
    hint: "Give them without it.",
  });
}

const otherContext = () =>
  new CodedError("invalid_argument", "The contextId is not the one of this Task; leave it out.");
const closed = ({ state }: TaskRecord) =>
  new CodedError("task_closed", `The Task takes no message now: it is ${state}.`, {
    hint: "Only a Task that asks for input takes one; begin a new Task with the same context id.",
  });
const tooMany = () =>
  new CodedError(
    "rate_limited",
    `The device agent already has ${limits.activeTasksPerDeviceAgent} Tasks that are not over.`,
    { hint: "Wait until one is over, or cancel one.", retryAfterMs: 5_000 },
  );
