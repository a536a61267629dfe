import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { ToolSpec } from "../../shared/tools/define-tool.ts";
import { inputSchemaOf, outputSchemaOf } from "../../shared/tools/json-schema.ts";
import type { ToolAnswer } from "../dispatch.ts";

/** A tool as `tools/list` tells it, without what only costs: its title, and hints that are MCP's defaults. */
export function mcpToolOf(spec: ToolSpec): Tool {
  return {
    name: spec.name,
    description: spec.description,
    inputSchema: inputSchemaOf(spec),
    outputSchema: outputSchemaOf(spec),
    annotations: spec.effect === "read" ? { readOnlyHint: true } : { destructiveHint: spec.effect === "destroy" },
  };
}

const utf8 = new TextEncoder();
/** The envelope around a result, headers of a stream event included. */
const envelopeBytes = 1_024;
/** The JSON around one picture. */
const blockBytes = 128;

/**
 * An answer as MCP content: the structured output, the same as text, then the pictures. Throws `too_large` when the
 * whole response would pass the limit.
 */
export function toolResultOf(
  answer: ToolAnswer,
  requestId: string | number,
  base64: (bytes: Uint8Array) => string,
): CallToolResult {
  const text = JSON.stringify(answer.output);
  const told = JSON.stringify([text, requestId]);
  const bytes =
    utf8.encode(text).length +
    utf8.encode(told).length +
    answer.pictures.reduce((sum, picture) => sum + base64Length(picture.bytes) + blockBytes, envelopeBytes);
  if (bytes > limits.responseBytes) {
    throw new CodedError("too_large", `The answer is over ${limits.responseBytes} bytes.`, {
      hint: "Ask for less: a smaller max_width or max_bytes, a lower quality, or a smaller limit.",
    });
  }
  const images = answer.pictures.map(({ bytes, mimeType }) => ({
    type: "image" as const,
    data: base64(bytes),
    mimeType,
  }));
  return { content: [{ type: "text", text }, ...images], structuredContent: answer.output };
}

const base64Length = (bytes: Uint8Array) => Math.ceil(bytes.length / 3) * 4;
