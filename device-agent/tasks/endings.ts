import type { CodedError } from "../../shared/errors.ts";
import type { Message } from "../../shared/tasks/message.ts";
import type { terminalStates } from "../../shared/tasks/task-state.ts";
import type { TaskCalls } from "./task-calls.ts";

/** How a Task ends, as its client is told. */
export interface Ending {
  state: (typeof terminalStates)[number];
  text: string;
}

export const failed = (text: string): Ending => ({ state: "TASK_STATE_FAILED", text });

/** The ways in which a Task ends without its executor's word. */
export const endings = {
  restarted: failed("The device agent restarted in the middle of this Task."),
  stopped: failed("The device agent was stopped."),
  linkLost: failed("The link was lost for too long."),
  phoneAway: failed("The phone did not come back in time."),
  noTurn: failed("The Task's turn did not come in time: other Tasks were at work for too long."),
  canceled: (calls: Pick<TaskCalls, "done">): Ending => ({ state: "TASK_STATE_CANCELED", text: canceledText(calls) }),
  byError: ({ message, hint }: CodedError): Ending => failed(`${message} ${hint}`),
};

/** A message of ours about a Task. */
export function agentMessage(about: { messageId: string; taskId: string; contextId: string; text: string }): Message {
  const { text, ...ids } = about;
  return { ...ids, role: "ROLE_AGENT", parts: [{ text }] };
}

const mostNamed = 8;

/** Reads change nothing; of the rest nobody can say more than that it was done. */
function canceledText(calls: Pick<TaskCalls, "done">): string {
  const acted = calls.done().filter(({ tool, ok }) => ok && tool.effect !== "read");
  if (acted.length === 0) return "Canceled. Nothing had been done on the phone.";
  const names = acted.slice(-mostNamed).map(({ tool }) => tool.name);
  const all = names.length < acted.length ? `…, ${names.join(", ")}` : names.join(", ");
  const what = acted.length === 1 ? "One call had been carried out" : `${acted.length} calls had been carried out`;
  return `Canceled. ${what} (${all}) and ${acted.length === 1 ? "is" : "are"} not undone.`;
}
