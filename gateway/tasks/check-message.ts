import { z } from "zod";
import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Message } from "../../shared/tasks/message.ts";
import { parseArguments, type ToolSpec } from "../../shared/tools/define-tool.ts";
import type { Principal } from "../auth/principal.ts";

/** What can be asked of a device agent, and what it needs to be told. */
export const skills = ["chat", "steps"] as const;

const stepsPart = z.object({
  steps: z
    .array(
      z.object({
        tool: z.string().max(limits.toolNameBytes),
        arguments: z.record(z.string(), z.unknown()).default({}),
      }),
    )
    .min(1)
    .max(30),
});

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** Rules that hold for every message. Throws `invalid_argument`. */
export function checkIds({ messageId, contextId, taskId }: Message): void {
  for (const [name, id] of Object.entries({ messageId, contextId, taskId })) {
    if (id === undefined) continue;
    if (id === "" || bytesOf(id) > limits.taskIdBytes) {
      throw new CodedError("invalid_argument", `${name} must have 1 to ${limits.taskIdBytes} bytes.`);
    }
  }
}

/** Rules for a message that begins a Task. Throws `invalid_argument`, `permission_denied`. */
export function checkBeginning(
  message: Message,
  skill: string,
  principal: Principal,
  tools: ReadonlyMap<string, ToolSpec>,
): void {
  if (skill === "chat") checkWords(message, 1);
  else if (skill === "steps") checkSteps(message, principal, tools);
  else throw noSkill();
}

const noSkill = () =>
  new CodedError("invalid_argument", "There is no such skill; no Task was made.", {
    hint: `Use one of: ${skills.join(", ")}.`,
  });

/** Rules for a message that answers what a Task asked; it may be without words. Throws `invalid_argument`. */
export function checkAnswer(message: Message): void {
  checkWords(message, 0);
}

function checkWords({ parts }: Message, least: number): void {
  const bytes = bytesOf(parts.flatMap(({ text, url }) => text ?? url ?? []).join("\n"));
  if (bytes >= least && bytes <= limits.messageTextBytes) return;
  throw new CodedError(
    "invalid_argument",
    `The text of a message has ${least} to ${limits.messageTextBytes} bytes; this one has ${bytes}.`,
  );
}

function checkSteps({ parts }: Message, principal: Principal, tools: ReadonlyMap<string, ToolSpec>): void {
  const found = parts.filter(({ data }) => typeof data === "object" && data !== null && "steps" in data);
  const parsed = found.length === 1 ? stepsPart.safeParse(found[0]?.data) : undefined;
  if (!parsed?.success) {
    throw new CodedError(
      "invalid_argument",
      'The skill steps needs one data part {"steps":[{"tool","arguments"}]} with 1 to 30 steps.',
    );
  }
  for (const [index, step] of parsed.data.steps.entries()) {
    const place = `Step ${index + 1}`;
    const spec = tools.get(step.tool);
    if (spec?.kind !== "device" || spec.name === "run_steps") {
      throw new CodedError("invalid_argument", `${place}: this tool cannot be a step.`, {
        hint: "Use tools that act on one phone, as tools/list names them.",
      });
    }
    if (!principal.scopes.includes(spec.permission)) {
      throw new CodedError(
        "permission_denied",
        `${place}: the token does not carry ${spec.permission}, which ${spec.name} needs.`,
      );
    }
    if ("device" in step.arguments) {
      throw new CodedError("invalid_argument", `${place}: the device is given once, for the whole Task.`);
    }
    nameStep(place, () => parseArguments(spec.input, step.arguments));
  }
}

function nameStep(place: string, check: () => void): void {
  try {
    check();
  } catch (thrown) {
    if (!(thrown instanceof CodedError)) throw thrown;
    throw new CodedError(thrown.code, `${place}: ${thrown.message}`, { hint: thrown.hint });
  }
}
