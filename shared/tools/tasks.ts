import { z } from "zod";
import { CodedError } from "../errors.ts";
import { limits } from "../limits.ts";
import { defineFleetTool, type ToldTask } from "./define-tool.ts";
import { ok } from "./fields.ts";
import { forPeople } from "./json-schema.ts";
import { step } from "./steps.ts";

/** Under every client's patience of a minute, with time to answer. */
const waitMs = 45_000;
const timeoutMs = 48_000;

const taskId = z.string().min(1).max(limits.taskIdBytes);
const output = z.object({ ok, task: z.looseObject({}) });

export const ask = defineFleetTool({
  name: "ask",
  title: "Ask",
  description:
    "Gives a phone a Task, in words or as steps. One still at work after 45 s goes on: follow it with get_task.",
  permission: "task:run",
  effect: "write",
  timeoutMs,
  input: z.strictObject({
    message: z.string().min(1).max(limits.messageTextBytes).optional().meta(forPeople("What to do, in words.")),
    steps: z.array(step).min(1).max(30).optional().meta(forPeople("What to do as tool calls; needs no model.")),
    device: z.string().min(1).max(64).optional().meta(forPeople("Device id or name.")),
    context_id: taskId.optional().meta(forPeople("Goes on with the conversation of an earlier Task.")),
    task_id: taskId.optional().meta(forPeople("Answers what this Task asked.")),
  }),
  output,
  async handle({ tasks }, { message, steps, device, context_id: contextId, task_id: taskId }) {
    if ((message === undefined) === (steps === undefined)) {
      throw new CodedError("invalid_argument", "Give either message or steps.");
    }
    return tell(await tasks.settled(await tasks.send({ message, steps, device, contextId, taskId }), waitMs));
  },
});

export const getTask = defineFleetTool({
  name: "get_task",
  title: "Get Task",
  description: "Tells how a Task stands, and its result.",
  permission: "task:run",
  effect: "read",
  timeoutMs,
  input: z.strictObject({
    task_id: taskId.meta(forPeople("What ask told.")),
    wait_seconds: z.number().int().min(0).max(45).default(0).meta(forPeople("Waits for its end for so long.")),
  }),
  output,
  async handle({ tasks }, { task_id, wait_seconds }) {
    return tell(await tasks.settled(task_id, wait_seconds * 1_000));
  },
});

export const cancelTask = defineFleetTool({
  name: "cancel_task",
  title: "Cancel Task",
  description: "Ends a Task after its current step; what was done is not undone.",
  permission: "task:run",
  effect: "write",
  timeoutMs,
  input: z.strictObject({ task_id: taskId.meta(forPeople("What ask told.")) }),
  output,
  async handle({ tasks }, { task_id }) {
    return tell(await tasks.cancel(task_id, waitMs));
  },
});

function tell({ pictures, ...task }: ToldTask) {
  const { id, contextId: context_id, state, message, result, artifacts, resultLeftOut } = task;
  const isGood = state !== "TASK_STATE_FAILED" && state !== "TASK_STATE_REJECTED";
  const told = {
    id,
    context_id,
    state,
    ...(message === null ? {} : { message }),
    ...(result === undefined ? {} : { result }),
    ...(resultLeftOut ? { result_left_out: "It is too large for here; read it by A2A's GetTask." } : {}),
    ...(artifacts.length === 0 ? {} : { artifacts }),
  };
  return { output: { ok: isGood, task: told }, pictures };
}
