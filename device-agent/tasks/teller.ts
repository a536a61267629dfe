import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { TaskStart } from "../../shared/link/messages.ts";
import type { TaskEvent } from "../../shared/tasks/task-event.ts";
import type { TaskState } from "../../shared/tasks/task-state.ts";
import { agentMessage, type Ending } from "./endings.ts";
import type { EventLog } from "./event-log.ts";
import type { TaskWork } from "./task-executor.ts";

/** Kept free in the Task's document: for how it ends, and for what the gateway adds around it. */
const spareBytes = 64 * 1024;

/** Turns what a Task has to say into its events, within the size of its document. */
export interface Teller extends Pick<TaskWork, "say" | "emit"> {
  /** Gives the number of the event. */
  status(state: TaskState, text?: string): number;
  /** How it ended; whatever room there is. */
  last(state: Ending["state"], text: string): void;
  /** From now on `say` tells nothing and `emit` throws. */
  close(): void;
}

export function createTeller(options: {
  start: TaskStart;
  events: Pick<EventLog, "tell">;
  randomId: (length: number) => string;
}): Teller {
  const { start, events, randomId } = options;
  const { taskId, contextId } = start;
  let leftBytes = limits.taskDocumentBytes - spareBytes - sizeOf(start.message);
  let isOpen = true;

  const statusOf = (state: TaskState, text?: string): TaskEvent => {
    if (text === undefined) return { kind: "status", state };
    return { kind: "status", state, message: agentMessage({ messageId: randomId(20), taskId, contextId, text }) };
  };
  const fits = (event: TaskEvent): boolean => {
    const bytes = sizeOf(event);
    if (!isOpen || bytes > leftBytes) return false;
    leftBytes -= bytes;
    return true;
  };

  return {
    status: (state, text) => events.tell(statusOf(state, text)),
    last: (state, text) => void events.tell(statusOf(state, text)),
    say(text) {
      const event = statusOf("TASK_STATE_WORKING", text);
      if (fits(event)) events.tell(event);
    },
    emit(artifact, piece = { append: false, lastChunk: true }) {
      const event: TaskEvent = { kind: "artifact", artifact, ...piece };
      if (!isOpen) throw new CodedError("canceled", "The Task is over.");
      if (fits(event)) return void events.tell(event);
      throw new CodedError(
        "too_large",
        `The Task's document would get over its limit of ${limits.taskDocumentBytes} bytes.`,
      );
    },
    close() {
      isOpen = false;
    },
  };
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
