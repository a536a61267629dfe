import { ownerToken } from "./start-test-gateway.ts";

export interface RpcAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The JSON-RPC messages of the answer, in order, whatever form it came in. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  messages: any[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  message: any;
}

export interface PostOptions {
  token?: string | null;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

const plainHeaders = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** Posts any body, as a client that is no SDK would. */
export async function postRaw(url: string, body: string | Uint8Array, options: PostOptions = {}): Promise<RpcAnswer> {
  const token = options.token === undefined ? ownerToken : options.token;
  const response = await fetch(url, {
    method: "POST",
    headers: { ...plainHeaders, ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...options.headers },
    body,
    ...(options.signal ? { signal: options.signal } : {}),
  });
  return readAnswer(response);
}

export async function readAnswer(response: Response): Promise<RpcAnswer> {
  const text = await response.text();
  const events = response.headers.get("content-type")?.startsWith("text/event-stream");
  const messages = events
    ? text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []))
    : text === ""
      ? []
      : [JSON.parse(text)];
  return { status: response.status, headers: response.headers, text, messages, message: messages.at(-1) };
}

/** One request of a client before 2026-07-28. */
export function legacy(method: string, params: object = {}, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

export function legacyCall(name: string, args: object = {}, id: unknown = 1): string {
  return legacy("tools/call", { name, arguments: args }, id);
}

export const modernVersion = "2026-07-28";

/** One request of a 2026-07-28 client: its body and the headers that must mirror it. */
export function modern(method: string, params: Record<string, unknown> = {}, id: unknown = 1) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": modernVersion,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
    ...(params._meta as object | undefined),
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } });
  const headers: Record<string, string> = { "mcp-protocol-version": modernVersion, "mcp-method": method };
  if (typeof params.name === "string") headers["mcp-name"] = params.name;
  return { body, headers };
}

export async function postModern(
  url: string,
  method: string,
  params: Record<string, unknown> = {},
  options: PostOptions & { id?: unknown } = {},
): Promise<RpcAnswer> {
  const { body, headers } = modern(method, params, options.id ?? 1);
  return postRaw(url, body, { ...options, headers: { ...headers, ...options.headers } });
}

/** The error that a failed tool call tells the model. */
export function toolError(answer: RpcAnswer): { code: string; message: string; hint: string } {
  return JSON.parse(answer.message.result.content[0].text).error;
}
