import { CodedError } from "../../shared/errors.ts";
import { isTerminal } from "../../shared/tasks/task-state.ts";
import type { ServiceDeps } from "./service.ts";
import { gatewaySays } from "./start-message.ts";
import type { TaskRecord } from "./task-store.ts";

/** Ends a Task that nobody took yet, else asks its device agent to. Throws `task_not_cancelable` for one that is over. */
export type CancelTask = (task: TaskRecord) => Promise<void>;

export function createCancelTask(
  deps: Pick<ServiceDeps, "store" | "relay" | "bell" | "clock" | "randomId">,
): CancelTask {
  const { store, relay, bell, clock, randomId } = deps;
  return async (task) => {
    if (task.state === "TASK_STATE_CANCELED") return;
    if (isTerminal(task.state)) throw over(task);
    const message = gatewaySays("Canceled before it began; nothing was done.", task, randomId());
    const endedHere = await store.appendStatus({
      taskId: task.id,
      from: ["TASK_STATE_SUBMITTED"],
      onlyUnaccepted: true,
      event: { kind: "status", state: "TASK_STATE_CANCELED", message },
      now: clock.now(),
    });
    const asked = endedHere || (await store.requestCancel(task.id));
    if (!asked) throw over(task);
    if (endedHere) bell.ring(task.id);
    await relay.notify(task.deviceAgentId, { type: "task_cancel", taskId: task.id });
  };
}

const over = ({ state }: TaskRecord) =>
  new CodedError("task_not_cancelable", `The Task is over already${isTerminal(state) ? `: it is ${state}` : ""}.`);
