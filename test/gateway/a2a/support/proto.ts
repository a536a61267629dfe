import { z } from "zod";

/** The messages of a2a.proto (tag v1.0.1) in ProtoJSON, strictly: nothing unknown, no null, everything required there. */

const struct = z.record(z.string(), z.json());
const text = z.string().min(1);
const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);

function exactlyOne<T extends z.ZodObject>(schema: T, names: readonly string[]) {
  return schema.refine(
    (value) => names.filter((name) => name in (value as object)).length === 1,
    `exactly one of ${names.join(", ")}`,
  );
}

export const part = exactlyOne(
  z.strictObject({
    text: z.string().optional(),
    raw: z.base64().optional(),
    url: z.string().optional(),
    data: z.json().optional(),
    metadata: struct.optional(),
    filename: z.string().optional(),
    mediaType: z.string().optional(),
  }),
  ["text", "raw", "url", "data"],
);

export const message = z.strictObject({
  messageId: text,
  contextId: text.optional(),
  taskId: text.optional(),
  role: z.enum(["ROLE_USER", "ROLE_AGENT"]),
  parts: z.array(part).min(1),
  metadata: struct.optional(),
  extensions: z.array(z.string()).optional(),
  referenceTaskIds: z.array(z.string()).optional(),
});

const status = z.strictObject({
  state: z.enum([
    "TASK_STATE_SUBMITTED",
    "TASK_STATE_WORKING",
    "TASK_STATE_COMPLETED",
    "TASK_STATE_FAILED",
    "TASK_STATE_CANCELED",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_REJECTED",
    "TASK_STATE_AUTH_REQUIRED",
  ]),
  message: message.optional(),
  timestamp: instant.optional(),
});

const artifact = z.strictObject({
  artifactId: text,
  name: z.string().optional(),
  description: z.string().optional(),
  parts: z.array(part).min(1),
  metadata: struct.optional(),
  extensions: z.array(z.string()).optional(),
});

export const task = z.strictObject({
  id: text,
  contextId: text.optional(),
  status,
  artifacts: z.array(artifact).optional(),
  history: z.array(message).optional(),
  metadata: struct.optional(),
});

const statusUpdate = z.strictObject({ taskId: text, contextId: text, status, metadata: struct.optional() });
const artifactUpdate = z.strictObject({
  taskId: text,
  contextId: text,
  artifact,
  append: z.boolean().optional(),
  lastChunk: z.boolean().optional(),
  metadata: struct.optional(),
});

export const sendMessageResponse = exactlyOne(z.strictObject({ task: task.optional(), message: message.optional() }), [
  "task",
  "message",
]);

export const streamResponse = exactlyOne(
  z.strictObject({
    task: task.optional(),
    message: message.optional(),
    statusUpdate: statusUpdate.optional(),
    artifactUpdate: artifactUpdate.optional(),
  }),
  ["task", "message", "statusUpdate", "artifactUpdate"],
);

export const listTasksResponse = z.strictObject({
  tasks: z.array(task),
  nextPageToken: z.string(),
  pageSize: z.number().int(),
  totalSize: z.number().int(),
});

export const pushConfig = z.strictObject({
  tenant: z.string().optional(),
  id: text,
  taskId: text,
  url: text,
  token: z.string().optional(),
  authentication: z.strictObject({ scheme: text, credentials: z.string().optional() }).optional(),
});

const pushConfigList = z.strictObject({
  configs: z.array(pushConfig).optional(),
  nextPageToken: z.string().optional(),
});

const requirement = z.strictObject({
  schemes: z.record(z.string(), z.strictObject({ list: z.array(z.string()).optional() })),
});
const modes = z.array(z.string().regex(/^[a-z]+\/[a-z0-9.+-]+$/)).min(1);

export const agentCard = z.strictObject({
  name: text,
  description: text,
  supportedInterfaces: z
    .array(
      z.strictObject({
        url: z.url(),
        protocolBinding: z.enum(["JSONRPC", "HTTP+JSON", "GRPC"]),
        tenant: z.string().optional(),
        protocolVersion: z.string().regex(/^\d+\.\d+$/),
      }),
    )
    .min(1),
  provider: z.strictObject({ url: z.url(), organization: text }).optional(),
  version: text,
  documentationUrl: z.url().optional(),
  iconUrl: z.url().optional(),
  capabilities: z.strictObject({
    streaming: z.boolean().optional(),
    pushNotifications: z.boolean().optional(),
    extendedAgentCard: z.boolean().optional(),
    extensions: z
      .array(
        z.strictObject({
          uri: text,
          description: z.string().optional(),
          required: z.boolean().optional(),
          params: struct.optional(),
        }),
      )
      .optional(),
  }),
  securitySchemes: z
    .record(
      z.string(),
      z.strictObject({
        httpAuthSecurityScheme: z.strictObject({
          description: z.string().optional(),
          scheme: text,
          bearerFormat: z.string().optional(),
        }),
      }),
    )
    .optional(),
  securityRequirements: z.array(requirement).optional(),
  defaultInputModes: modes,
  defaultOutputModes: modes,
  skills: z
    .array(
      z.strictObject({
        id: text,
        name: text,
        description: text,
        tags: z.array(text).min(1),
        examples: z.array(text).optional(),
        inputModes: modes.optional(),
        outputModes: modes.optional(),
        securityRequirements: z.array(requirement).optional(),
      }),
    )
    .min(1),
});

/** What each method answers with. */
export const results: Record<string, z.ZodType> = {
  SendMessage: sendMessageResponse,
  SendStreamingMessage: streamResponse,
  SubscribeToTask: streamResponse,
  GetTask: task,
  ListTasks: listTasksResponse,
  CancelTask: task,
  CreateTaskPushNotificationConfig: pushConfig,
  GetTaskPushNotificationConfig: pushConfig,
  ListTaskPushNotificationConfigs: pushConfigList,
  DeleteTaskPushNotificationConfig: z.strictObject({}),
  GetExtendedAgentCard: agentCard,
};

const google = (name: string) => z.literal(`type.googleapis.com/google.rpc.${name}`);

const details = z
  .array(
    z.discriminatedUnion("@type", [
      z.strictObject({
        "@type": google("ErrorInfo"),
        reason: z.string().regex(/^[A-Z][A-Z0-9_]+[A-Z0-9]$/),
        domain: z.enum(["a2a-protocol.org", "farhand"]),
        metadata: z.record(z.string(), z.string()).optional(),
      }),
      z.strictObject({
        "@type": google("BadRequest"),
        fieldViolations: z.array(z.strictObject({ field: text, description: text })).min(1),
      }),
      z.strictObject({ "@type": google("RetryInfo"), retryDelay: z.string().regex(/^\d+(\.\d+)?s$/) }),
    ]),
  )
  .min(1);

export const rpcError = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]),
  error: z.strictObject({ code: z.number().int(), message: text, data: details }),
});

export const rpcResult = (result: z.ZodType) =>
  z.strictObject({ jsonrpc: z.literal("2.0"), id: z.union([z.string(), z.number()]), result });

/** A google.rpc.Status as HTTP+JSON carries it. */
export const httpError = z.strictObject({
  error: z.strictObject({ code: z.number().int(), status: z.string().regex(/^[A-Z_]+$/), message: text, details }),
});
