import type { CodedError } from "../../shared/errors.ts";
import { errorJson } from "../error-response.ts";

/** A failure that the model reads and acts on: text only, since it matches no output schema. */
export function errorResult(error: CodedError) {
  const text = JSON.stringify({ ok: false, error: errorJson(error) });
  return { content: [{ type: "text" as const, text }], isError: true };
}
