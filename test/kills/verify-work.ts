import type { TaskStatus } from "../../gateway/tasks/task.ts";
import type { PhoneInputs, StepTimes } from "./phone-inputs.ts";
import type { PlannedTask } from "./plan.ts";
import { statusesOf, type TaskLog } from "./task-log.ts";

/** What happened to a Task besides its own work. */
export interface Fate {
  /** The device agent was killed during the run. */
  deviceAgentDied: boolean;
  cancelAsked: boolean;
  /** What CancelTask answered, if its answer came. */
  cancelAnswer: "TASK_STATE_CANCELED" | "over" | undefined;
}

/** A Task that is over. */
export interface Work {
  task: PlannedTask;
  log: TaskLog;
}

/** What is wrong with how a Task ended, and with what its phone got of it. */
export function verifyWork({ task, log }: Work, inputs: PhoneInputs, fate: Fate): string[] {
  const { status } = log.task;
  const text = textOf(status);
  const told = toldSteps(log);
  const times = inputs.of(task);
  return [
    ...verifyEnd(task, log, text, fate),
    ...verifySteps(task, told, times, status, fate),
    ...(told.order ? [] : ["its steps are told out of order, doubled or with a gap"]),
  ];
}

const restarted = "The device agent restarted in the middle of this Task.";
const canceled =
  /^Canceled( before it began; nothing was done\.$|\. (Nothing had been done|One call had|\d+ calls had) )/;

function verifyEnd({ steps }: PlannedTask, log: TaskLog, text: string, fate: Fate): string[] {
  const { state } = log.task.status;
  const ended = `${state}: ${text}`;
  const hadBegun = statusesOf(log).some((status) => status.state === "TASK_STATE_WORKING");
  const { cancelAnswer } = fate;
  const faults: string[] = [];
  if (state === "TASK_STATE_COMPLETED") {
    if (text !== `All ${steps.length} steps succeeded.`) faults.push(`it ended oddly: ${ended}`);
  } else if (state === "TASK_STATE_CANCELED") {
    if (!fate.cancelAsked) faults.push(`nobody canceled it: ${ended}`);
    if (!canceled.test(text)) faults.push(`it was canceled oddly: ${ended}`);
  } else if (state !== "TASK_STATE_FAILED" || text !== restarted || !fate.deviceAgentDied || !hadBegun) {
    faults.push(`there was no reason to end so: ${ended}`);
  }
  if (cancelAnswer && (cancelAnswer === "TASK_STATE_CANCELED") !== (state === "TASK_STATE_CANCELED")) {
    faults.push(`CancelTask answered ${cancelAnswer}, and it ended ${ended}`);
  }
  return faults;
}

function verifySteps(
  task: PlannedTask,
  { ended }: ReturnType<typeof toldSteps>,
  times: StepTimes,
  status: TaskStatus,
  { deviceAgentDied }: Fate,
): string[] {
  const faults: string[] = [];
  const isWhole = status.state === "TASK_STATE_COMPLETED";
  const endAt = Date.parse(status.timestamp);
  const lastSeen = times.findLastIndex((own) => own !== undefined && own.length > 0);
  if (isWhole && ended !== task.steps.length)
    faults.push(`it is complete after ${ended} of ${task.steps.length} steps`);
  for (const [step, own] of times.entries()) {
    if (!own) continue;
    const name = `step ${step + 1} (${task.steps[step]?.tool})`;
    if (own.length > 1) faults.push(`${name} reached the phone ${own.length} times`);
    if (own.length === 0 && step < ended) faults.push(`${name} was told as done and never reached the phone`);
    if (own.length === 0 && step < lastSeen) faults.push(`${name} was left out`);
    // What nobody could tell any more, since the one who knew was killed.
    if (own.length > 0 && step >= ended && !deviceAgentDied) faults.push(`${name} reached the phone and is not told`);
    const late = own.some((at) => at > endAt);
    if (late && (isWhole || step !== lastSeen)) faults.push(`${name} reached the phone after the end`);
  }
  return faults;
}

/** How many steps are told as done, and whether all that is told of steps is in order. */
export function toldSteps(log: TaskLog): { ended: number; order: boolean } {
  const begun = statusesOf(log).flatMap((status) => /^Step (\d+) of \d+: /.exec(textOf(status))?.[1] ?? []);
  const calls = log.task.artifacts?.find(({ artifactId }) => artifactId === "tool_calls")?.parts ?? [];
  const ids = calls.map(({ data }) => (data as { call_id?: unknown }).call_id);
  const areNumbered = begun.every((number, index) => Number(number) === index + 1);
  const areCounted = ids.every((id, index) => id === `${log.task.id}/${index + 1}`);
  return { ended: calls.length, order: areNumbered && areCounted };
}

const textOf = ({ message }: TaskStatus): string => message?.parts.flatMap(({ text }) => text ?? []).join("") ?? "";
