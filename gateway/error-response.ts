import type { CodedError } from "../shared/errors.ts";

/** An error as plain JSON, for everything that is not JSON-RPC. */
export function errorResponse(status: number, error: CodedError, headers: Record<string, string> = {}): Response {
  return Response.json({ ok: false, error: errorJson(error) }, { status, headers });
}

/** The public form of an error, the same at every edge. */
export function errorJson(error: CodedError) {
  return {
    code: error.code,
    message: error.message,
    hint: error.hint,
    retry_after_ms: error.retryAfterMs ?? null,
  };
}
