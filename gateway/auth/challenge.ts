import { CodedError } from "../../shared/errors.ts";
import type { Permission } from "../../shared/permissions.ts";
import { jsonRpcFailure } from "../json-rpc-failure.ts";

/** The 401 of RFC 6750. Without OAuth there is nothing to discover, so no `resource_metadata` is named. */
export function unauthenticatedResponse(problem: "missing" | "malformed" | "invalid"): Response {
  const error = new CodedError("unauthenticated", sentences[problem]);
  const challenge =
    problem === "missing" ? "Bearer" : `Bearer error="invalid_token", error_description="${sentences[problem]}"`;
  return jsonRpcFailure(401, -32000, error, { "www-authenticate": challenge });
}

const sentences = {
  missing: "A bearer token is needed.",
  malformed: "The Authorization header is not of the form Bearer and a token.",
  invalid: "The token is not valid.",
};

/** The 403 of RFC 6750, section 3.1: the token is good and lacks `missing`. */
export function insufficientScopeResponse(error: CodedError, missing: Permission, id: string | number): Response {
  const challenge = `Bearer error="insufficient_scope", error_description="${error.message}", scope="${missing}"`;
  return jsonRpcFailure(403, -32000, error, { "www-authenticate": challenge }, id);
}
