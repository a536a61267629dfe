import { deepestJson, isObject, isTooDeep, parseJson } from "../json-body.ts";
import { Fault } from "./faults.ts";

export type RequestId = string | number | null;

export interface RpcRequest {
  id: RequestId;
  method: string;
  params: unknown;
}

/**
 * Reads one JSON-RPC 2.0 request. What is none comes with its fault, and with the id as far as there is one: A2A has
 * neither batches nor notifications.
 */
export function readEnvelope(body: Uint8Array): RpcRequest | { id: RequestId; fault: Fault } {
  const value = parseJson(body);
  if (value === undefined) return { id: null, fault: new Fault("notJson", "The body is not JSON.") };
  const id = isObject(value) && isRequestId(value.id) ? value.id : null;
  const wrong = (problem: string) => ({ id, fault: new Fault("notARequest", problem) });
  if (Array.isArray(value)) return wrong("Batches are not served; send one request at a time.");
  if (!isObject(value) || value.jsonrpc !== "2.0")
    return wrong('The body is not a JSON-RPC request: jsonrpc is "2.0".');
  if (isTooDeep(value)) return wrong(`The body is nested deeper than ${deepestJson} levels.`);
  if (!("id" in value)) return wrong("The request has no id.");
  if (!isRequestId(value.id) || value.id === null) return wrong("id must be a string or a whole number.");
  if (typeof value.method !== "string") return wrong("The request has no method.");
  return { id, method: value.method, params: value.params ?? {} };
}

function isRequestId(id: unknown): id is RequestId {
  return id === null || typeof id === "string" || Number.isSafeInteger(id);
}
