import { CodedError } from "../../shared/errors.ts";
import type { Permission } from "../../shared/permissions.ts";
import { jsonRpcFailure } from "../json-rpc-failure.ts";

export type TokenProblem = "missing" | "malformed" | "invalid";

/** What is wrong with a request's token, and the challenge of RFC 6750 for `WWW-Authenticate`. */
export function tokenChallenge(problem: TokenProblem): { error: CodedError; challenge: string } {
  const error = new CodedError("unauthenticated", sentences[problem]);
  // Without OAuth there is nothing to discover, so no `resource_metadata` is named.
  const challenge =
    problem === "missing" ? "Bearer" : `Bearer error="invalid_token", error_description="${sentences[problem]}"`;
  return { error, challenge };
}

const sentences = {
  missing: "A bearer token is needed.",
  malformed: "The Authorization header is not of the form Bearer and a token.",
  invalid: "The token is not valid.",
};

/** The 401 of RFC 6750 for JSON-RPC clients of MCP. */
export function unauthenticatedResponse(problem: TokenProblem): Response {
  const { error, challenge } = tokenChallenge(problem);
  return jsonRpcFailure(401, -32000, error, { "www-authenticate": challenge });
}

/** The challenge of RFC 6750, section 3.1: the token is good and lacks `missing`. */
export const scopeChallenge = ({ message }: CodedError, missing: Permission) =>
  `Bearer error="insufficient_scope", error_description="${message}", scope="${missing}"`;

/** The 403 of RFC 6750 for JSON-RPC clients of MCP. */
export function insufficientScopeResponse(error: CodedError, missing: Permission, id: string | number): Response {
  return jsonRpcFailure(403, -32000, error, { "www-authenticate": scopeChallenge(error, missing) }, id);
}
