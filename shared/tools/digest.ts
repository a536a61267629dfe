import type { ToolSpec } from "./define-tool.ts";
import { inputSchemaOf, outputSchemaOf } from "./json-schema.ts";

/** 16 hex digits over a tool's input and output schema: equal on both ends exactly when a call can be served. */
export async function toolDigest(spec: ToolSpec): Promise<string> {
  const text = JSON.stringify([spec.name, inputSchemaOf(spec), outputSchemaOf(spec)]);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest).subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Name → digest of each. */
export async function toolDigests(specs: readonly ToolSpec[]): Promise<Record<string, string>> {
  const entries = await Promise.all(specs.map(async (spec) => [spec.name, await toolDigest(spec)] as const));
  return Object.fromEntries(entries);
}
