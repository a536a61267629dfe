import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import { isInterrupted, isTerminal } from "../../shared/tasks/task-state.ts";
import type { DirectoryCache } from "../directory-cache.ts";
import { resolveDevice, visibleDevices } from "../resolve-device.ts";
import { withHistory } from "../tasks/snapshot.ts";
import type { Task } from "../tasks/task.ts";
import type { SendRequest, TaskService } from "../tasks/task-service.ts";
import { invalidParams } from "./faults.ts";
import { checkOutputModes } from "./media-types.ts";
import { readWish } from "./message-content.ts";
import { type Caller, type Operations, stream, type UpdateStream, unary } from "./operations.ts";
import { type SendMessageParams, sendMessageParams, taskParams } from "./requests.ts";
import { keptWebhook } from "./shapes.ts";

export interface SendDeps {
  tasks: TaskService;
  cache: Pick<DirectoryCache, "devices">;
  clock: Clock;
  randomId: () => string;
  /** How long SendMessage waits for the end of a Task. */
  sendWaitMs: number;
}

/** The methods that begin a Task or follow one. */
export function sendOperations(
  deps: SendDeps,
): Pick<Operations, "SendMessage" | "SendStreamingMessage" | "SubscribeToTask"> {
  const { tasks, sendWaitMs } = deps;
  const isOver = ({ status: { state } }: Task) => isTerminal(state) || isInterrupted(state);

  return {
    SendMessage: unary("task:run", sendMessageParams, async (caller, params) => {
      const { historyLength, returnImmediately } = params.configuration ?? {};
      const { principal, signal } = caller;
      const begun = await tasks.send(principal, sendRequest(deps, caller, params));
      // Whatever happens to the connection from here on, the Task goes on.
      const task =
        returnImmediately || isOver(begun)
          ? begun
          : await tasks.settled(principal, begun.id, { waitMs: sendWaitMs, signal });
      return { task: withHistory(task, historyLength) };
    }),

    SendStreamingMessage: stream("task:run", sendMessageParams, async (caller, params) => {
      const begun = await tasks.send(caller.principal, sendRequest(deps, caller, params));
      const { historyLength } = params.configuration ?? {};
      return openStream(deps, caller, { taskId: begun.id, requireOpen: false, historyLength });
    }),

    SubscribeToTask: stream("task:run", taskParams, async (caller, { id: taskId }) => {
      // A client whose stream broke near its end is owed what it did not see, though the Task is over by now.
      const resumes = caller.lastEventId !== undefined;
      const opened = await openStream(deps, caller, { taskId, requireOpen: !resumes, historyLength: undefined });
      const { first, rest } = opened;
      if (!resumes || first.kind !== "task" || !isTerminal(first.task.status.state)) return opened;
      await rest.return?.();
      throw new CodedError("task_closed", "The Task is over, and this client has seen all of it.", {
        hint: "Read it with GetTask.",
      });
    }),
  };
}

function sendRequest({ randomId, ...deps }: SendDeps, caller: Caller, params: SendMessageParams): SendRequest {
  const { message, configuration, metadata } = params;
  checkOutputModes(configuration?.acceptedOutputModes);
  const { skill, device: wanted } = readWish(message, metadata);
  const webhook = configuration?.taskPushNotificationConfig;
  return {
    message,
    skill,
    device: deviceOf(deps, caller, wanted),
    ...(webhook === undefined ? {} : { pushConfig: keptWebhook(webhook, randomId) }),
  };
}

/** On a device's own route the message may name that device, and no other. */
function deviceOf({ cache, clock }: Omit<SendDeps, "randomId">, caller: Caller, wanted: string | undefined) {
  const { device, principal } = caller;
  if (device === null || wanted === undefined) return device?.id ?? wanted;
  const named = resolveDevice(visibleDevices(cache.devices(), principal), wanted, clock.now());
  if (named.id === device.id) return device.id;
  throw invalidParams([
    { field: "message.metadata.device", description: "is not the device of this address; leave it out here" },
  ]);
}

async function openStream(
  { tasks }: SendDeps,
  { principal, signal, lastEventId }: Caller,
  what: { taskId: string; requireOpen: boolean; historyLength: number | undefined },
): Promise<UpdateStream> {
  const { taskId, requireOpen, historyLength } = what;
  const rest = tasks.follow(principal, taskId, { afterSeq: lastEventId, requireOpen, signal })[Symbol.asyncIterator]();
  const first = await rest.next();
  if (!first.done) return { first: first.value, rest, historyLength };
  // The client went away, or we stop, before there was anything to say.
  throw new CodedError("device_offline", "The stream ended before it began.", {
    hint: "Subscribe again in a moment.",
    retryAfterMs: 1_000,
  });
}
