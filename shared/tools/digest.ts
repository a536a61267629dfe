import { z } from "zod";
import { sha256Hex } from "../sha256.ts";
import type { ToolSpec } from "./define-tool.ts";

/** 16 hex digits over a tool's input and output schema: equal on both ends exactly when a call can be served. */
export async function toolDigest(spec: ToolSpec): Promise<string> {
  const schemas = [spec.input, spec.output].map((schema) => z.toJSONSchema(schema, { io: "input" }));
  const text = JSON.stringify([spec.name, ...schemas]);
  return (await sha256Hex(text)).slice(0, 16);
}

/** Name → digest of each. */
export async function toolDigests(specs: readonly ToolSpec[]): Promise<Record<string, string>> {
  const entries = await Promise.all(specs.map(async (spec) => [spec.name, await toolDigest(spec)] as const));
  return Object.fromEntries(entries);
}
