import { type CarryOutDeps, carryOut } from "../calls/carry-out.ts";
import { callerOf } from "../calls/perform-call.ts";
import { createSteps } from "../calls/steps.ts";
import type { Spool } from "../spool/spool.ts";
import type { EventLog } from "./event-log.ts";
import { createHeldTask, type HeldTask } from "./held-task.ts";
import type { KeptTask } from "./kept-tasks.ts";
import type { CarryOut, ToolTable } from "./task-calls.ts";
import type { TaskExecutor } from "./task-executor.ts";
import type { Turns } from "./turns.ts";

export interface TaskMakerDeps extends Omit<CarryOutDeps, "stepsOf" | "spool" | "tasksAtWork"> {
  randomId: (length: number) => string;
  spool: Pick<Spool, "of" | "put">;
  turns: Turns;
  /** By skill. */
  executors: ReadonlyMap<string, TaskExecutor>;
}

/** Gives a Task all that it needs, its place in the queues included. */
export function makeTask(
  deps: TaskMakerDeps,
  tools: ToolTable,
  { start, at }: Pick<KeptTask, "start" | "at">,
  events: EventLog,
): HeldTask {
  const { taskId, principal } = start;
  const caller = callerOf(start);
  const ticket = deps.turns.enter({
    taskId,
    phone: start.device,
    context: JSON.stringify([caller, start.contextId]),
    caller,
    subject: principal.subject,
  });
  return createHeldTask({
    ...deps,
    start,
    at,
    events,
    ticket,
    executor: deps.executors.get(start.skill),
    tools,
    carryOut: wayOf(deps, tools, taskId),
    around: {
      build: deps.build,
      async keep(bytes, about) {
        const file = await deps.spool.put(bytes, { ...about, owner: principal });
        // The gateway lists the file as its owner's by what the device agent knows of it, and makes the address whole.
        const { name: filename, mediaType } = about;
        return { url: `/files/${file.id}`, filename, mediaType, metadata: { file } };
      },
    },
  });
}

/** The way of every call, except that coordinates are in the pictures that this Task saw. */
function wayOf(deps: TaskMakerDeps, tools: ToolTable, taskId: string): CarryOut {
  const { clock, pictures } = deps;
  const own: CarryOutDeps = {
    ...deps,
    tasksAtWork: deps.turns,
    pictures: { of: (caller, device) => pictures.of(JSON.stringify([caller, taskId]), device) },
    stepsOf: (around) => createSteps({ clock, tools, around, carryOut: (tool, step) => carryOut(own, tool, step) }),
  };
  return (tool, call) => carryOut(own, tool, call);
}
