import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import { type DeviceTool, parseArguments, type Step, type Steps } from "../../shared/tools/define-tool.ts";
import type { Outcome } from "./carry-out.ts";
import { type CallAtWork, outOfTime } from "./running-call.ts";

/** All steps of one call together; inside of a Task nobody waits for the call, and only its own time counts. */
const stepsMs = 45_000;
/** Kept back from the call's own time, to answer with what was done. */
const answerMs = 2_000;

/** The calls inside of `around`: on its phone, for its caller, by its lease, each on the way that every call goes. */
export function createSteps(options: {
  clock: Clock;
  tools: ReadonlyMap<string, DeviceTool>;
  around: CallAtWork;
  carryOut: (tool: DeviceTool, step: CallAtWork) => Promise<Outcome>;
}): Steps {
  const { clock, tools, around } = options;
  const longestMs = around.taskId === undefined ? stepsMs : Number.POSITIVE_INFINITY;
  const endsAt = Math.min(clock.now() + longestMs, around.endsAt - answerMs);
  let number = 0;

  const find = (name: string): DeviceTool => {
    const tool = tools.get(name);
    // One that would run steps itself could run for ever.
    if (tool && tool.name !== around.call.tool) return tool;
    throw new CodedError("invalid_argument", "This tool cannot be a step.", {
      hint: "Use tools that act on one phone; run_steps and list_devices are no steps.",
    });
  };
  const argumentsOf = (tool: DeviceTool, step: Step): Record<string, unknown> => {
    const { lease_id } = around.call.arguments;
    const inherits = lease_id !== undefined && "lease_id" in tool.input.shape && tool.touchesPhone !== false;
    return inherits ? { lease_id, ...step.arguments } : step.arguments;
  };

  return {
    check(step) {
      const tool = find(step.tool);
      parseArguments(tool.input, argumentsOf(tool, step));
    },
    async run(step) {
      const tool = find(step.tool);
      number += 1;
      const ownEnd = new AbortController();
      const timeoutMs = Math.min(tool.timeoutMs, Math.max(0, endsAt - clock.now()));
      const work: CallAtWork = {
        call: {
          ...around.call,
          id: `${around.call.id}/${number}`,
          tool: tool.name,
          arguments: argumentsOf(tool, step),
        },
        signal: AbortSignal.any([around.signal, ownEnd.signal]),
        endsAt: clock.now() + timeoutMs,
        started: false,
        isStep: true,
        taskId: around.taskId,
        // The caller hears of whole steps: a step's own numbers would not grow along with theirs.
        progress: () => {},
      };
      const callOff = clock.after(timeoutMs, () => ownEnd.abort(outOfTime(timeoutMs, work.started)));
      const outcome = await options.carryOut(tool, work).finally(callOff);
      if (!outcome.ok) throw CodedError.fromBody(outcome.error);
      return outcome;
    },
    leftMs: () => endsAt - clock.now(),
  };
}
