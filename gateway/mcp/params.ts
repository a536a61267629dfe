import { isObject } from "../json-body.ts";
import type { Form } from "./accept-form.ts";
import type { Incoming } from "./json-rpc.ts";
import { messageResponse } from "./response-form.ts";

/** Answers -32602 where the SDK would call bad parameters a fault of ours. */
export function refuseParams(incoming: Incoming, form: Form, legacy: boolean): Response | null {
  if (incoming.kind !== "request") return null;
  const problem = paramsProblem(incoming.method, incoming.params, legacy);
  if (!problem) return null;
  return messageResponse(form, { jsonrpc: "2.0", id: incoming.id, error: { code: -32602, message: problem } });
}

function paramsProblem(method: string, params: Record<string, unknown>, legacy: boolean): string | null {
  if (params._meta !== undefined && !isObject(params._meta)) return "_meta must be an object.";
  const token = isObject(params._meta) ? params._meta.progressToken : undefined;
  if (token !== undefined && typeof token !== "string" && !Number.isSafeInteger(token)) {
    return "progressToken must be a string or a whole number.";
  }
  // Since 2026-07-28 there is no initialize, whatever its parameters are.
  if (method === "initialize" && legacy) {
    const { protocolVersion, capabilities, clientInfo } = params;
    const complete = typeof protocolVersion === "string" && isObject(capabilities) && isObject(clientInfo);
    const named = isObject(clientInfo) && typeof clientInfo.name === "string" && typeof clientInfo.version === "string";
    return complete && named ? null : "initialize needs protocolVersion, capabilities and clientInfo.";
  }
  if (method !== "tools/call") return null;
  if (typeof params.name !== "string") return "tools/call needs the name of a tool.";
  return params.arguments === undefined || isObject(params.arguments) ? null : "arguments must be an object.";
}
