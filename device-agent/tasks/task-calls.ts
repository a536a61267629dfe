import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import type { TaskStart } from "../../shared/link/messages.ts";
import { type DeviceTool, parseArguments, type Step } from "../../shared/tools/define-tool.ts";
import type { Outcome } from "../calls/carry-out.ts";
import { type CallAtWork, outOfTime } from "../calls/running-call.ts";
import type { TaskCall, TaskTools } from "./task-executor.ts";

export type ToolTable = ReadonlyMap<string, DeviceTool>;

/** The way of every call. */
export type CarryOut = (tool: DeviceTool, call: CallAtWork) => Promise<Outcome>;

/** The tool calls of one Task. */
export interface TaskCalls extends TaskTools {
  /** The calls that ended, in order. */
  done(): readonly { tool: DeviceTool; ok: boolean }[];
  /** Resolves when no call is under way. */
  idle(): Promise<void>;
}

export function createTaskCalls(options: {
  clock: Clock;
  tools: ToolTable;
  start: TaskStart;
  /** Aborts, with a CodedError, when what is under way has to stop. */
  hard: AbortSignal;
  /** Throws when nothing new may begin. */
  permit: () => void;
  carryOut: CarryOut;
}): TaskCalls {
  const { clock, tools, start, hard } = options;
  const done: { tool: DeviceTool; ok: boolean }[] = [];
  const underWay = new Set<Promise<unknown>>();
  let number = 0;

  const call = async (tool: DeviceTool, step: Step, callId: string): Promise<TaskCall> => {
    const timeoutMs = tool.taskTimeoutMs ?? tool.timeoutMs;
    const startedAt = clock.now();
    const ownEnd = new AbortController();
    const work: CallAtWork = {
      call: {
        type: "call",
        id: callId,
        tool: tool.name,
        arguments: step.arguments,
        // Never compared: the Task is in a journal of its own, and nothing of it is repeated.
        digest: "",
        device: start.device,
        principal: start.principal,
        scopes: start.scopes,
        timeoutMs,
        wantsProgress: false,
      },
      signal: AbortSignal.any([hard, ownEnd.signal]),
      endsAt: startedAt + timeoutMs,
      started: false,
      isStep: true,
      taskId: start.taskId,
      progress: () => {},
    };
    const callOff = clock.after(timeoutMs, () => ownEnd.abort(outOfTime(timeoutMs, work.started)));
    const outcome = await options.carryOut(tool, work).finally(callOff);
    done.push({ tool, ok: outcome.ok });
    return { callId, ms: clock.now() - startedAt, ...outcome };
  };

  return {
    check: (step) => checkStep(tools, step),
    async run(step) {
      options.permit();
      const tool = findTool(tools, step.tool);
      number += 1;
      const running = call(tool, step, `${start.taskId}/${number}`);
      underWay.add(running);
      return running.finally(() => underWay.delete(running));
    },
    done: () => done,
    async idle() {
      while (underWay.size > 0) await Promise.allSettled([...underWay]);
    },
  };
}

/** Throws `invalid_argument` when no Task could call this. */
export function checkStep(tools: ToolTable, step: Step): void {
  parseArguments(findTool(tools, step.tool).input, step.arguments);
}

function findTool(tools: ToolTable, name: string): DeviceTool {
  const tool = tools.get(name);
  if (tool && tool.name !== "run_steps") return tool;
  throw new CodedError("invalid_argument", "This tool cannot be a step.", {
    hint: "Use tools that act on one phone; run_steps and list_devices are no steps.",
  });
}
