import { deepestJson, isObject, isTooDeep, parseJson } from "../json-body.ts";

/** One JSON-RPC 2.0 message as a client posted it. */
export type Incoming =
  | { kind: "request"; id: string | number; method: string; params: Record<string, unknown>; message: object }
  | { kind: "notification"; method: string; params: Record<string, unknown>; message: object }
  | { kind: "response"; message: object };

export interface NotJsonRpc {
  kind: "invalid";
  number: -32700 | -32600;
  problem: string;
}

/** Reads a request body. A byte order mark is skipped; batches, removed from MCP in 2025-06-18, are refused whole. */
export function readMessage(body: Uint8Array): Incoming | NotJsonRpc {
  const value = parseJson(body);
  if (value === undefined) return { kind: "invalid", number: -32700, problem: "The body is not JSON." };
  const wrong = (problem: string): NotJsonRpc => ({ kind: "invalid", number: -32600, problem });
  if (Array.isArray(value)) return wrong("Batches are not served; send one message per request.");
  if (!isObject(value) || value.jsonrpc !== "2.0") return wrong("The body is not a JSON-RPC 2.0 message.");
  if (isTooDeep(value)) return wrong(`The body is nested deeper than ${deepestJson} levels.`);
  const { id, method, params = {} } = value;
  if (method === undefined && ("result" in value || "error" in value)) return { kind: "response", message: value };
  if (typeof method !== "string") return wrong("The message has no method.");
  if (!isObject(params)) return wrong("params must be an object.");
  if (!("id" in value)) return { kind: "notification", method, params, message: value };
  if (!isId(id)) return wrong("id must be a string or a whole number.");
  return { kind: "request", id, method, params, message: value };
}

const isId = (id: unknown): id is string | number => typeof id === "string" || Number.isSafeInteger(id);
