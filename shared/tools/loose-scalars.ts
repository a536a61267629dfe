import { z } from "zod";

const decimal = /^-?(\d+(\.\d*)?|\.\d+)$/;

/**
 * Models often send `"673"` for 673, `"true"` for true, and 2024 where a text is wanted. Whole decimal strings, the
 * two words and finite numbers are unambiguous and are taken; anything else is left for the schema to refuse.
 */
export function acceptLooseScalars(schema: z.ZodObject, raw: unknown): unknown {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return raw;
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, accept(schema.shape[key], value)]));
}

function accept(field: z.core.$ZodType | undefined, value: unknown): unknown {
  const wanted = innermost(field);
  if (wanted instanceof z.ZodNumber && typeof value === "string" && decimal.test(value)) return Number(value);
  if (wanted instanceof z.ZodBoolean && (value === "true" || value === "false")) return value === "true";
  if (wanted instanceof z.ZodString && typeof value === "number" && Number.isFinite(value)) return String(value);
  return value;
}

function innermost(field: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable) {
    return innermost(field.unwrap());
  }
  return field;
}
