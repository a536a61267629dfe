import { z } from "zod";
import type { ToolSpec } from "./define-tool.ts";

export type JsonSchema = { type: "object"; [keyword: string]: unknown };

/** As clients send arguments: fields with a default are optional, others are refused. */
export function inputSchemaOf(spec: ToolSpec): JsonSchema {
  return compact(z.toJSONSchema(spec.input, { io: "input" }));
}

/** As results look: the names of the fields, open to those of a newer device agent. Their kinds show in any result. */
export function outputSchemaOf(spec: ToolSpec): JsonSchema {
  return { type: "object", properties: Object.fromEntries(Object.keys(spec.output.shape).map((name) => [name, {}])) };
}

/** Marks a field whose description is for people: clients learn it from its name, or once from the instructions. */
const taught = "x-taught";

/** For `.meta()`: a description that stands in docs/tools.md and not in every client's list. */
export const forPeople = (description: string) => ({ [taught]: true, description });

/**
 * What costs every client tokens in every conversation and tells a model little. Lengths and patterns are still
 * checked, and refused with a sentence.
 */
const inputNoise = new Set(["$schema", "minLength", "maxLength", "pattern", "minItems", "maxItems"]);

function compact(schema: unknown): JsonSchema {
  const tidy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(tidy);
    if (typeof value !== "object" || value === null) return value;
    const kept = Object.entries(value).filter(
      ([keyword, told]) => !inputNoise.has(keyword) && !saysNothing(keyword, told, value),
    );
    return Object.fromEntries(kept.map(([keyword, told]) => [keyword, tidy(told)]));
  };
  return { type: "object", ...(tidy(schema) as object) };
}

function saysNothing(keyword: string, told: unknown, schema: object): boolean {
  if (keyword === taught) return true;
  if (keyword === "description") return taught in schema;
  // A default shows the scale; what is beyond the bounds is refused with a sentence, too.
  if (keyword === "minimum" || keyword === "maximum") return told === 0 || told === 1 || "default" in schema;
  if (keyword === "default" || keyword === "additionalProperties") return JSON.stringify(told) === "{}";
  if (keyword === "properties") return Object.keys(told as object).length === 0 && !("required" in schema);
  return Math.abs(Number(told)) === Number.MAX_SAFE_INTEGER;
}
