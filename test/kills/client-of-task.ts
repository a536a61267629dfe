import type { Task } from "../../gateway/tasks/task.ts";
import { isTerminal } from "../../shared/tasks/task-state.ts";
import type { KillableHouse } from "./killable-house.ts";
import type { Answer } from "./patient-client.ts";
import type { PlannedTask } from "./plan.ts";
import { createReader, followToEnd, isOddEnd } from "./subscriber.ts";
import { createWitness, type Witness } from "./witness.ts";

/** Somebody who begins a Task, follows it, asks for it again and again, and cancels it if that is planned. */
export interface ClientOfTask {
  task: PlannedTask;
  /** Undefined until its beginning was answered. */
  taskId(): string | undefined;
  witness: Witness;
  faults: readonly string[];
  cancel: { asked(): boolean; answer(): "TASK_STATE_CANCELED" | "over" | undefined };
  /** Resolves when everybody has seen the end, or gave up. */
  done: Promise<void>;
}

export interface Around {
  house: KillableHouse;
  seed: number;
  /** The beginning of the run. */
  startedAt: number;
  /** Gives up. */
  signal: AbortSignal;
}

const pollMs = 100;
/** A2A: TaskNotCancelableError. */
const notCancelable = -32002;

export function beClientOf(task: PlannedTask, { house, seed, startedAt, signal }: Around): ClientOfTask {
  const { client } = house;
  const witness = createWitness();
  const faults: string[] = [];
  const fault = (text: string) => faults.push(text);
  const [frames = Number.POSITIVE_INFINITY, ...others] = task.subscribers;
  const first = createReader({ witness, frames, fault });
  const message = {
    messageId: `m-${seed}-${task.number}`,
    contextId: task.contextId,
    role: "ROLE_USER",
    parts: [{ data: { steps: task.steps.map(({ tool, arguments: given }) => ({ tool, arguments: given })) } }],
    metadata: { device: house.devices[task.phone] },
  };
  let taskId: string | undefined;
  let cancelAsked = false;
  let cancelAnswer: "TASK_STATE_CANCELED" | "over" | undefined;

  const begin = async (): Promise<string> => {
    if (task.streams) {
      const end = await client.stream({ method: "SendStreamingMessage", params: { message }, signal }, (id, item) => {
        if ("task" in item) taskId = item.task.id;
        return first.take(id, item);
      });
      const odd = isOddEnd(end, first);
      if (odd) fault(odd);
    }
    // The same message again is the same Task.
    const params = { message, configuration: { returnImmediately: true } };
    const { task: begun } = resultOf<{ task: Task }>(await client.call("SendMessage", params));
    if (taskId !== undefined && begun.id !== taskId) fault(`one message made two Tasks: ${taskId} and ${begun.id}`);
    return begun.id;
  };
  const known = async (): Promise<string | undefined> => {
    while (taskId === undefined && !signal.aborted) await pause(20);
    return taskId;
  };
  const follow = async (own: number, reader = createReader({ witness, frames: own, fault })) => {
    const id = await known();
    if (id !== undefined) await followToEnd({ client, witness, frames: own, fault, signal }, id, reader);
  };
  const ask = async () => {
    const id = await known();
    for (let isOver = id === undefined; !isOver && !signal.aborted; await pause(pollMs)) {
      const askedAt = Date.now();
      const answer = await client.callOnce("GetTask", { id, historyLength: 0 });
      if (!answer) continue;
      const { status } = resultOf<Task>(answer);
      witness.status(askedAt, status);
      isOver = isTerminal(status.state);
    }
  };
  const cancel = async () => {
    if (task.cancelAtMs === undefined) return;
    await pause(startedAt + task.cancelAtMs - Date.now());
    const id = await known();
    if (id === undefined) return;
    cancelAsked = true;
    const answer = task.insists ? await client.call("CancelTask", { id }) : await client.callOnce("CancelTask", { id });
    if (!answer) return;
    if ("error" in answer) {
      if (answer.error.code === notCancelable) cancelAnswer = "over";
      else fault(`CancelTask was answered oddly: ${JSON.stringify(answer.error)}`);
    } else if ((answer.result as Task).status.state === "TASK_STATE_CANCELED") cancelAnswer = "TASK_STATE_CANCELED";
  };
  const live = async () => {
    await pause(startedAt + task.startAtMs - Date.now());
    const begun = begin().then((id) => {
      taskId = id;
      return follow(frames, first);
    });
    await Promise.all([begun, ...others.map((own) => follow(own)), ask(), cancel()]);
  };
  return {
    task,
    taskId: () => taskId,
    witness,
    faults,
    cancel: { asked: () => cancelAsked, answer: () => cancelAnswer },
    done: live().catch((thrown: unknown) => void fault(String(thrown))),
  };
}

function resultOf<T>(answer: Answer): T {
  if ("error" in answer) throw new Error(`The gateway refused: ${JSON.stringify(answer.error)}`);
  return answer.result as T;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
