import type { BuildIdentity } from "../../shared/build-identity.ts";
import type { Artifact, Message, Part } from "../../shared/tasks/message.ts";
import type { interruptedStates } from "../../shared/tasks/task-state.ts";
import type { Step } from "../../shared/tools/define-tool.ts";
import type { Outcome } from "../calls/carry-out.ts";

export type InterruptedState = (typeof interruptedStates)[number];

/** How a tool call of a Task ended. Its id is the one in the audit. */
export type TaskCall = { callId: string; ms: number } & Outcome;

/** The tools as a Task may call them: each call is judged for itself, with the permissions of the Task's creator. */
export interface TaskTools {
  /** Throws `invalid_argument` when there is no such tool for Tasks, or its arguments do not fit. */
  check(step: Step): void;
  /** Never rejects for a call that failed. Throws the signal's reason, with nothing begun, once the Task has to end. */
  run(step: Step): Promise<TaskCall>;
}

export interface TaskEnd {
  state: "TASK_STATE_COMPLETED" | "TASK_STATE_FAILED";
  /** One or two sentences for the client. */
  text: string;
}

/** What an executor gets of one Task. */
export interface TaskWork {
  taskId: string;
  contextId: string;
  /** The one that began the Task. */
  message: Message;
  build: BuildIdentity;
  /** Aborts when the Task has to end. A call that is under way may still finish; the executor then has 5 s. */
  signal: AbortSignal;
  tools: TaskTools;
  now(): number;
  /** Tells what goes on, as a message beside WORKING. */
  say(text: string): void;
  /** Tells an Artifact, or a piece of it. Throws `too_large` when the Task's document would get over its limit. */
  emit(artifact: Artifact, piece?: { append: boolean; lastChunk: boolean }): void;
  /** Keeps bytes for the Task's owner, and resolves with the part that stands for them. Throws `too_large`. */
  keep(bytes: Uint8Array, about: { name: string; mediaType: string }): Promise<Part>;
  /**
   * Asks the client (INPUT_REQUIRED) or for a sign-in (AUTH_REQUIRED) and resolves with the answer, when the phone's turn
   * has come again: meanwhile another Task may have worked on it.
   */
  ask(state: InterruptedState, question: string): Promise<Message>;
}

/** What does the Tasks of one skill. */
export interface TaskExecutor {
  /** Refuses a message before its Task is taken. Throws CodedError. */
  check(message: Message, tools: Pick<TaskTools, "check">): void;
  /** What it throws fails the Task: a CodedError with its sentences, anything else as `internal`. */
  run(work: TaskWork): Promise<TaskEnd>;
}
