import { z } from "zod";
import { CodedError } from "../errors.ts";
import { limits } from "../limits.ts";
import { fitSteps, type StepResult } from "../steps/fit-steps.ts";
import { type DeviceCall, defineDeviceTool, type Step, type Steps } from "./define-tool.ts";
import { ok } from "./fields.ts";
import { forPeople } from "./json-schema.ts";

/** One tool call inside of another. */
export const step = z.strictObject({
  tool: z.string().min(1).max(limits.toolNameBytes),
  arguments: z.looseObject({}).default({}),
});
export const stepList = z.array(step).min(1).max(30);

export const runSteps = defineDeviceTool({
  name: "run_steps",
  title: "Run steps",
  description: "Calls several tools on one phone one after another, with a result for each.",
  permission: "task:run",
  effect: "write",
  // The steps have 45 s; beyond that there must be time to tell how far they came.
  timeoutMs: 48_000,
  touchesPhone: false,
  input: z.strictObject({
    steps: stepList.meta(forPeople("Tool and arguments of each, in order, without device.")),
    stop_on_failure: z.boolean().default(true).meta(forPeople("Whether a failed step ends it.")),
    pictures: z.enum(["last", "all", "none"]).default("last").meta(forPeople("Which of the steps' pictures come.")),
  }),
  output: z.object({
    ok,
    results: z.array(z.looseObject({})),
    succeeded: z.number(),
    failed: z.number(),
    skipped: z.number(),
    pictures_left_out: z.number().optional(),
  }),
  async handle(call, { steps, stop_on_failure, pictures }) {
    checkSteps(call.steps, steps);
    const results: StepResult[] = [];
    for (const [index, one] of steps.entries()) {
      call.signal.throwIfAborted();
      const isOver = (stop_on_failure && results.some((result) => !result.ok)) || call.steps.leftMs() <= 0;
      if (!isOver) call.progress(index, steps.length, `Step ${index + 1} of ${steps.length}: ${one.tool}`);
      results.push(isOver ? { tool: one.tool, ok: false, pictures: [] } : await perform(call, one));
    }
    const { leftOut, ...told } = fitSteps(results, pictures);
    const succeeded = results.filter((result) => result.ok).length;
    const skipped = results.filter(({ ms }) => ms === undefined).length;
    const counts = { succeeded, failed: results.length - succeeded - skipped, skipped };
    const left = leftOut > 0 ? { pictures_left_out: leftOut } : {};
    return {
      output: { ok: succeeded === results.length, results: told.results, ...counts, ...left },
      pictures: told.pictures,
    };
  },
});

/** Refuses the whole before anything runs. */
export function checkSteps(steps: Pick<Steps, "check">, all: readonly Step[]): void {
  for (const [index, one] of all.entries()) {
    try {
      if ("device" in one.arguments) throw new CodedError("invalid_argument", "device is given once, for all steps.");
      steps.check(one);
    } catch (thrown) {
      if (!(thrown instanceof CodedError)) throw thrown;
      throw new CodedError(thrown.code, `Step ${index + 1}: ${thrown.message} No step was run.`, { hint: thrown.hint });
    }
  }
}

async function perform(call: DeviceCall, one: Step): Promise<StepResult> {
  const { tool } = one;
  const startedAt = call.now();
  try {
    const { output, pictures } = await call.steps.run(one);
    return { tool, ok: output.ok !== false, ms: call.now() - startedAt, output, pictures };
  } catch (thrown) {
    if (!(thrown instanceof CodedError)) throw thrown;
    call.signal.throwIfAborted();
    return { tool, ok: false, ms: call.now() - startedAt, error: thrown.toBody(), pictures: [] };
  }
}
