/** The states of a Task as A2A 1.0 spells them (a2a.proto, TaskState). */
export const taskStates = [
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
] as const;
export type TaskState = (typeof taskStates)[number];

export const terminalStates = [
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
] as const satisfies readonly TaskState[];

/** The Task waits for its client, or for the phone's owner, and takes a further message. */
export const interruptedStates = [
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
] as const satisfies readonly TaskState[];

export const isTerminal = (state: TaskState): boolean => terminalStates.some((one) => one === state);
export const isInterrupted = (state: TaskState): boolean => interruptedStates.some((one) => one === state);
