import { z } from "zod";
import { tellBuild } from "../../../shared/build-identity.ts";
import { CodedError } from "../../../shared/errors.ts";
import { fitSteps } from "../../../shared/steps/fit-steps.ts";
import { type Message, resultArtifactId } from "../../../shared/tasks/message.ts";
import type { Step } from "../../../shared/tools/define-tool.ts";
import { checkSteps, stepList } from "../../../shared/tools/steps.ts";
import { collectEvidence } from "../evidence.ts";
import type { TaskCall, TaskEnd, TaskExecutor, TaskWork } from "../task-executor.ts";
import { createTaskPictures } from "../task-pictures.ts";

const order = z.strictObject({ steps: stepList, stop_on_failure: z.boolean().default(true) });
type Order = z.infer<typeof order>;
type Performed = { tool: string } & TaskCall;

const mostFailedTools = 8;

/** Tasks as data: tools called one after another, no model needed. */
export function createStepsExecutor(): TaskExecutor {
  return {
    check: (message, tools) => checkSteps(tools, orderOf(message).steps),
    async run(work) {
      const given = orderOf(work.message);
      const pictures = createTaskPictures(work);
      const performed: Performed[] = [];
      try {
        await perform(work, given, async (call, index) => {
          performed.push(call);
          const title = `Step ${index + 1}: ${call.tool}`;
          if (call.ok) await pictures.show(call.pictures, title);
        });
      } finally {
        // What was done is told whatever ended it.
        if (performed.length > 0) tellResult(work, given, performed, pictures.leftOut());
      }
      return endOf(given, performed);
    },
  };
}

/** Throws `invalid_argument`. */
function orderOf({ parts }: Message): Order {
  const data = parts.flatMap((part) => (part.data === undefined ? [] : [part.data]));
  const [only, ...others] = data;
  if (only === undefined || others.length > 0) {
    throw new CodedError("invalid_argument", "The skill steps takes exactly one data part.", {
      hint: 'Send a part {"data": {"steps": [{"tool": "…", "arguments": {}}]}}.',
    });
  }
  const parsed = order.safeParse(only);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".") || "data"}: ${issue.message}`);
  throw new CodedError("invalid_argument", `These steps do not fit: ${faults.join("; ")}.`);
}

async function perform(
  work: TaskWork,
  { steps, stop_on_failure }: Order,
  ended: (call: Performed, index: number) => Promise<void>,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    work.signal.throwIfAborted();
    work.say(`Step ${index + 1} of ${steps.length}: ${step.tool}`);
    const call = { tool: step.tool, ...(await work.tools.run(step)) };
    const isLast = index === steps.length - 1 || (stop_on_failure && !wentWell(call)) || work.signal.aborted;
    tellCall(work, call, { append: index > 0, lastChunk: isLast });
    await ended(call, index);
    if (isLast) return;
  }
}

function tellCall(work: TaskWork, call: Performed, piece: { append: boolean; lastChunk: boolean }): void {
  const { tool, callId, ms } = call;
  const data = { tool, call_id: callId, ok: wentWell(call), ms };
  work.emit({ artifactId: "tool_calls", name: "Tool calls", parts: [{ data }] }, piece);
}

function tellResult(work: TaskWork, { steps }: Order, performed: readonly Performed[], leftOut: number): void {
  const succeeded = performed.filter(wentWell).length;
  const failed = performed.filter((call) => !wentWell(call));
  const results = steps.map((step, index) => resultOf(step, performed[index]));
  const data = {
    steps: fitSteps(results, "none").results,
    succeeded,
    failed: failed.length,
    skipped: steps.length - performed.length,
    failed_tools: [...new Set(failed.map(({ tool }) => tool))].slice(0, mostFailedTools),
    evidence: collectEvidence(performed),
    build_identity: tellBuild(work.build),
    ...(leftOut > 0 ? { pictures_left_out: leftOut } : {}),
  };
  // As JSON it has no value that only a program knows, such as undefined.
  work.emit({ artifactId: resultArtifactId, name: "Result", parts: [{ data: JSON.parse(JSON.stringify(data)) }] });
}

function resultOf({ tool }: Step, call: Performed | undefined) {
  if (!call) return { tool, ok: false, pictures: [] };
  const { ms } = call;
  const how = call.ok ? { output: call.output } : { error: call.error };
  return { tool, ok: wentWell(call), ms, ...how, pictures: [] };
}

function endOf({ steps, stop_on_failure }: Order, performed: readonly Performed[]): TaskEnd {
  const failure = performed.findIndex((call) => !wentWell(call));
  const [call, all] = [performed[failure], steps.length === 1 ? "The step" : `All ${steps.length} steps`];
  if (!call) return { state: "TASK_STATE_COMPLETED", text: `${all} succeeded.` };
  const why = call.ok
    ? "The tool says that it did not succeed; its output is in the result."
    : `${call.error.message} ${call.error.hint}`;
  const what = `Step ${failure + 1} of ${steps.length} (${call.tool}) failed: ${why}`;
  if (stop_on_failure) return { state: "TASK_STATE_FAILED", text: what };
  const failures = performed.filter((one) => !wentWell(one)).length;
  return { state: "TASK_STATE_COMPLETED", text: `${all} ran; ${failures} failed. ${what}` };
}

const wentWell = (call: TaskCall): boolean => call.ok && call.output.ok !== false;
