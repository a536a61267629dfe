import { z } from "zod";
import { limits } from "../../shared/limits.ts";
import { taskStates } from "../../shared/tasks/task-state.ts";
import { isObject } from "../json-body.ts";
import { Fault, invalidParams } from "./faults.ts";
import { flag, headerField, idField, instant, partField, struct, wholeNumber } from "./fields.ts";
import { tidyProto } from "./tidy-proto.ts";

const mostViolations = 20;

/** A Message as clients send it (a2a.proto, Message). */
const userMessage = z.object({
  messageId: idField,
  contextId: idField.optional(),
  taskId: idField.optional(),
  role: z.literal("ROLE_USER", "must be ROLE_USER"),
  parts: z.array(partField, "must be a list of parts").min(1, "must have a part"),
  metadata: struct.optional(),
  extensions: z.array(z.string()).optional(),
  referenceTaskIds: z.array(idField).optional(),
});

/** A webhook (a2a.proto, TaskPushNotificationConfig) without the Task that it is for. */
const webhook = z.object({
  id: idField.optional(),
  url: z
    .string("is needed, a text")
    .max(limits.addressChars, `is over ${limits.addressChars} characters`)
    .refine(isWebUrl, "must be an http(s) URL without a user name"),
  token: headerField.optional(),
  authentication: z
    .object({
      scheme: z.string("is needed, a text").regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/, "must be one word"),
      credentials: headerField.optional(),
    })
    .optional(),
});
export type Webhook = z.output<typeof webhook>;

const historyLength = wholeNumber(0).optional();

export const sendMessageParams = z.object({
  message: userMessage,
  configuration: z
    .object({
      acceptedOutputModes: z.array(z.string()).optional(),
      taskPushNotificationConfig: webhook.optional(),
      historyLength,
      returnImmediately: flag.optional(),
    })
    .optional(),
  metadata: struct.optional(),
});
export type SendMessageParams = z.output<typeof sendMessageParams>;

export const getTaskParams = z.object({ id: idField, historyLength });

export const listTasksParams = z.object({
  contextId: idField.optional(),
  status: z
    .enum(["TASK_STATE_UNSPECIFIED", ...taskStates], `must be one of ${taskStates.join(", ")}`)
    .transform((state) => (state === "TASK_STATE_UNSPECIFIED" ? undefined : state))
    .optional(),
  pageSize: wholeNumber(1, 100).default(50),
  pageToken: z.string("must be a text").max(1_024, "is no token of ours").optional(),
  historyLength,
  statusTimestampAfter: instant.optional(),
  includeArtifacts: flag.default(false),
});

export const taskParams = z.object({ id: idField });
export const ofTaskParams = z.object({ taskId: idField });
export const webhookParams = z.object({ taskId: idField, id: idField });
export const newWebhookParams = webhook.extend({ taskId: idField });
export const noParams = z.object({});

/** Reads the parameters of a method. Throws a Fault that names each field at fault; unknown fields are ignored. */
export function readParams<T extends z.ZodType>(schema: T, raw: unknown): z.output<T> {
  if (!isObject(raw)) throw new Fault("invalidParams", "The parameters must be an object.");
  const parsed = schema.safeParse(tidyProto(raw));
  if (parsed.success) return parsed.data;
  throw invalidParams(
    parsed.error.issues
      .slice(0, mostViolations)
      .map(({ path, message }) => ({ field: fieldPath(path), description: message })),
  );
}

/** For example `message.parts[0].raw`. */
function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}

function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}
