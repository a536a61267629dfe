import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { png, wav } from "./media.ts";

export interface FixtureTool {
  tool: Tool;
  // biome-ignore lint/suspicious/noExplicitAny: an input_required result has its own shape
  call(context: ServerContext, args: Record<string, unknown>): Promise<any>;
}

export function fixture(name: string, call: FixtureTool["call"], inputSchema?: Tool["inputSchema"]): FixtureTool {
  return {
    tool: { name, description: `Conformance fixture ${name}.`, inputSchema: inputSchema ?? { type: "object" } },
    call,
  };
}

/** What the client of a 2026-07-28 request said it can do. */
export function declaredCapabilities({ mcpReq }: ServerContext): Record<string, unknown> {
  const declared: unknown = Reflect.get(mcpReq.envelope ?? {}, CLIENT_CAPABILITIES_META_KEY);
  return typeof declared === "object" && declared !== null ? { ...declared } : {};
}

export const text = (content: string): CallToolResult => ({ content: [{ type: "text", text: content }] });
const content = (...blocks: CallToolResult["content"]) => Promise.resolve({ content: blocks });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const image = { type: "image" as const, data: png, mimeType: "image/png" };
const resource = (uri: string, mimeType: string, body: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType, text: body },
});

async function logging({ mcpReq }: ServerContext): Promise<CallToolResult> {
  for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
    await mcpReq.log("info", message);
    await pause(50);
  }
  return text("The messages were logged.");
}

async function progress({ mcpReq }: ServerContext): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken;
  for (const done of [0, 50, 100]) {
    const params = { progressToken: progressToken ?? "", progress: done, total: 100 };
    if (progressToken !== undefined) await mcpReq.notify({ method: "notifications/progress", params });
    await pause(50);
  }
  return text("The work is done.");
}

/** The JSON Schema keywords that a list of tools must hand on untouched. */
const schema2020: Tool["inputSchema"] = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

/** The tools that answer in one go. */
export const plainTools: FixtureTool[] = [
  fixture("test_simple_text", async () => text("This is a simple text response for testing.")),
  fixture("test_image_content", () => content(image)),
  fixture("test_audio_content", () => content({ type: "audio", data: wav, mimeType: "audio/wav" })),
  fixture("test_embedded_resource", () =>
    content(resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")),
  ),
  fixture("test_multiple_content_types", () =>
    content(
      { type: "text", text: "Multiple content types test:" },
      image,
      resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ),
  ),
  fixture("test_error_handling", async () => ({
    ...text("This tool intentionally returns an error for testing"),
    isError: true,
  })),
  fixture("test_tool_with_logging", logging),
  fixture("test_logging_tool", logging),
  fixture("test_tool_with_progress", progress),
  fixture("test_streaming_elicitation", async () => text("Nothing had to be asked.")),
  fixture("json_schema_2020_12_tool", async () => text("The arguments fit."), schema2020),
  fixture("test_missing_capability", async (context) => {
    if (declaredCapabilities(context).sampling) return text("The client can sample.");
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  }),
];
