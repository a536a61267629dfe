import { z } from "zod";
import { limits } from "../../shared/limits.ts";
import type { Message, Part } from "../../shared/tasks/message.ts";
import { isObject } from "../json-body.ts";
import { skills } from "../tasks/check-message.ts";
import { invalidParams } from "./faults.ts";
import { utf8Bytes } from "./fields.ts";
import { checkInputModes } from "./media-types.ts";

export type Skill = (typeof skills)[number];

/** What a message asks for, beside its words. */
export interface Wish {
  skill: Skill;
  /** Id or name, from the metadata. */
  device: string | undefined;
}

const stepsShape = z.object({
  steps: z
    .array(
      z.object({
        tool: z
          .string("is needed, a text")
          .min(1, "is empty")
          .max(limits.toolNameBytes, `is over ${limits.toolNameBytes} characters`),
        arguments: z.record(z.string(), z.unknown(), "must be an object").optional(),
      }),
      "must be a list of steps",
    )
    .min(1, "must have a step"),
});

/**
 * Reads what a message is about. The skill is `metadata.skill`; without it a message with a data part that has `steps`
 * is for `steps`, any other for `chat`. `requestMetadata` stands in for what the message's own does not say. Throws a
 * Fault.
 */
export function readWish(message: Message, requestMetadata: Record<string, unknown> = {}): Wish {
  checkInputModes(message.parts);
  const metadata = { ...requestMetadata, ...message.metadata };
  const skill = skillOf(metadata.skill ?? (stepsParts(message).length > 0 ? "steps" : "chat"));
  const wish = { skill, device: deviceOf(metadata.device) };
  checkText(message, skill);
  if (skill === "steps" && message.taskId === undefined) checkSteps(message);
  return wish;
}

function skillOf(given: unknown): Skill {
  const skill = skills.find((one) => one === given);
  if (skill) return skill;
  throw invalidParams([{ field: "message.metadata.skill", description: `must be one of ${skills.join(", ")}` }]);
}

function deviceOf(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given === "string" && given.trim() !== "" && given.length <= 64) return given;
  throw invalidParams([{ field: "message.metadata.device", description: "must be the id or name of a device" }]);
}

/** What a message says in words, addresses included: they are words to whoever reads them, and never fetched. */
const wordsOf = (parts: readonly Part[]) => parts.flatMap(({ text, url }) => text ?? url ?? []).join("\n");

/** An answer to a Task's question may be without words. */
function checkText({ parts, taskId }: Message, skill: Skill): void {
  const bytes = utf8Bytes(wordsOf(parts));
  const wrong = (description: string) => invalidParams([{ field: "message.parts", description }]);
  if (bytes > limits.messageTextBytes) {
    throw wrong(`the text is ${bytes} bytes in UTF-8, over ${limits.messageTextBytes}`);
  }
  if (bytes === 0 && skill === "chat" && taskId === undefined) throw wrong("there is no text to say what to do");
}

/** The places of the data parts that have `steps`. */
const stepsParts = ({ parts }: Message) =>
  [...parts.entries()].filter(([, { data }]) => isObject(data) && "steps" in data);

function checkSteps(message: Message): void {
  const [found, second] = stepsParts(message);
  const wrong = (description: string) => invalidParams([{ field: "message.parts", description }]);
  if (!found) throw wrong('the skill steps needs a data part {"steps":[{"tool","arguments"}]}');
  if (second) throw wrong("only one part may have steps");
  const [index, { data }] = found;
  const parsed = stepsShape.safeParse(data);
  if (parsed.success) return;
  throw invalidParams(
    parsed.error.issues.slice(0, 20).map(({ path: [, step, ...inner], message: description }) => ({
      field: [`message.parts[${index}].data.steps${step === undefined ? "" : `[${String(step)}]`}`, ...inner].join("."),
      description,
    })),
  );
}
