import type { CodedError } from "../shared/errors.ts";

/** Our error numbers at HTTP edges; MCP leaves -32000…-32019 to implementations. */
export type FailureNumber = -32700 | -32600 | -32602 | -32000;

/** An HTTP answer whose body any JSON-RPC client can read. `id` is null unless one request can be named. */
export function jsonRpcFailure(
  status: number,
  number: FailureNumber,
  error: CodedError | string,
  headers: Record<string, string> = {},
  id: string | number | null = null,
): Response {
  const told =
    typeof error === "string"
      ? { code: number, message: error }
      : { code: number, message: error.message, data: { code: error.code, hint: error.hint } };
  return Response.json({ jsonrpc: "2.0", id, error: told }, { status, headers });
}
