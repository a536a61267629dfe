import { z } from "zod";
import { limits } from "../../shared/limits.ts";
import { partSchema } from "../../shared/tasks/message.ts";

const utf8 = new TextEncoder();
export const utf8Bytes = (text: string) => utf8.encode(text).length;

/** Task, context, message and configuration ids: one line of 1 to 256 bytes. */
export const idField = z
  .string("is needed, a text")
  .min(1, "is empty")
  .refine((id) => utf8Bytes(id) <= limits.taskIdBytes, `is over ${limits.taskIdBytes} bytes`)
  .refine((id) => !/\p{Cc}|\p{Cs}/u.test(id), "has control characters");

/** Headers of a webhook's request are made of it: printable ASCII, no line breaks. */
export const headerField = z
  .string("must be a text")
  .max(4_096, "is over 4096 characters")
  .regex(/^[\x20-\x7e]*$/, "must be printable ASCII");

const int32Max = 2_147_483_647;

/** A whole number; ProtoJSON, and a query too, may carry it as text. */
export const wholeNumber = (least: number, most = int32Max) =>
  z.preprocess(
    (value) => (typeof value === "string" && /^-?\d{1,10}$/.test(value) ? Number(value) : value),
    z
      .number("must be a whole number")
      .int("must be a whole number")
      .min(least, `must be ${least} or more`)
      .max(most, `must be ${most} or less`),
  );

/** True or false; in a query it comes as text. */
export const flag = z.preprocess(
  (value) => (value === "true" ? true : value === "false" ? false : value),
  z.boolean("must be true or false"),
);

/** A Struct: any JSON object. */
export const struct = z.record(z.string(), z.unknown(), "must be an object");

/**
 * An instant of ISO 8601 as milliseconds since 1970, rounded up: what is told in milliseconds is at or after it just
 * when it is at or after the instant itself.
 */
export const instant = z.iso
  .datetime({ offset: true, error: "must be a time such as 2026-01-31T10:00:00.000Z" })
  .transform((text) => {
    const [whole = "", beyond = ""] =
      /\.(\d+)/
        .exec(text)?.[1]
        ?.match(/^(\d{1,3})(\d*)$/)
        ?.slice(1) ?? [];
    const at = Date.parse(text.replace(/\.\d+/, whole === "" ? "" : `.${whole.padEnd(3, "0")}`));
    return /[1-9]/.test(beyond) ? at + 1 : at;
  });

/** A Part; base64 may come in either alphabet, with or without padding. */
export const partField = z.preprocess((value) => {
  if (typeof value !== "object" || value === null || !("raw" in value) || typeof value.raw !== "string") return value;
  return { ...value, raw: standardBase64(value.raw) };
}, partSchema);

function standardBase64(text: string): string {
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  const open = standard.length % 4;
  return open === 2 || open === 3 ? standard.padEnd(standard.length + 4 - open, "=") : standard;
}
