import { expect } from "vitest";
import { ownerToken } from "../../support/start-test-gateway.ts";
import { type EventReader, readEvents } from "./events.ts";
import { httpError, results, rpcError, rpcResult } from "./proto.ts";

export interface CallOptions {
  token?: string | null;
  /** Null sends none. */
  version?: string | null;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** A device of its own route: `/a2a/<device>`. */
  device?: string;
}

/** A failure, the same whichever binding told it. */
export interface ToldError {
  /** JSON-RPC's number, or the HTTP status. */
  code: number;
  /** Of HTTP+JSON. */
  status: string | undefined;
  message: string;
  reason: string;
  domain: string;
  metadata: Record<string, string>;
  /** The fields at fault. */
  fields: string[];
  retry: string | undefined;
}

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  result?: any;
  error?: ToldError;
}

/** One frame of a stream: an item, or what ended it. */
export interface Frame {
  id: string | null;
  type: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  item?: any;
  error?: ToldError;
}

export interface OpenStream {
  headers: Headers;
  events: EventReader;
  /** The next frame, checked against the specification; null at the end. */
  next(): Promise<Frame | null>;
  /** All that come until the end. */
  rest(): Promise<Frame[]>;
}

/** A plain client of one binding. Every answer that it sees is checked against the specification's messages. */
export interface Binding {
  name: "JSON-RPC" | "HTTP+JSON";
  call(url: string, method: string, params?: object, options?: CallOptions): Promise<Reply>;
  /** A streaming method; what is refused before the stream comes as a Reply. */
  open(url: string, method: string, params?: object, options?: CallOptions): Promise<OpenStream | Reply>;
}

const jsonRpc: Binding = {
  name: "JSON-RPC",
  async call(url, method, params = {}, options = {}) {
    return rpcReply(await postRpc(url, method, params, options), method);
  },
  async open(url, method, params = {}, options = {}) {
    const response = await postRpc(url, method, params, options);
    if (!isStream(response)) return rpcReply(response, method);
    return openStream(response, ({ id, type, data }) => {
      expect(type).toBeNull();
      const message = JSON.parse(data ?? "");
      if ("error" in message) return { id, type, error: toldRpc(message) };
      return { id, type, item: rpcResult(resultOf(method)).parse(message).result };
    });
  },
};

const httpJson: Binding = {
  name: "HTTP+JSON",
  async call(url, method, params = {}, options = {}) {
    return httpReply(await sendHttp(url, method, params, options), method);
  },
  async open(url, method, params = {}, options = {}) {
    const response = await sendHttp(url, method, params, options);
    if (!isStream(response)) return httpReply(response, method);
    return openStream(response, ({ id, type, data }) => {
      const value = JSON.parse(data ?? "");
      if (type === "error") return { id, type, error: toldHttp(value) };
      expect(type).toBeNull();
      return { id, type, item: resultOf(method).parse(value) };
    });
  },
};

export const bindings = [jsonRpc, httpJson] as const;

/** Opens a stream that must not be refused. */
export async function opened(
  binding: Binding,
  url: string,
  method: string,
  params: object,
  options: CallOptions = {},
): Promise<OpenStream> {
  const stream = await binding.open(url, method, params, options);
  if ("events" in stream) return stream;
  throw new Error(`The stream was refused: ${JSON.stringify(stream)}`);
}

function headersOf({ token = ownerToken, version = "1.0", headers }: CallOptions): Record<string, string> {
  return {
    "content-type": "application/json",
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(version === null ? {} : { "a2a-version": version }),
    ...headers,
  };
}

const base = (url: string, { device }: CallOptions) =>
  `${url}/a2a${device === undefined ? "" : `/${encodeURIComponent(device)}`}`;

function postRpc(url: string, method: string, params: object, options: CallOptions): Promise<Response> {
  return fetch(base(url, options), {
    method: "POST",
    headers: headersOf(options),
    body: JSON.stringify({ jsonrpc: "2.0", id: "q1", method, params }),
    signal: options.signal ?? null,
  });
}

/** HTTP method and path of each method; parameters in the path are taken out of the rest. */
const paths: Record<string, [http: string, path: string]> = {
  SendMessage: ["POST", "/message:send"],
  SendStreamingMessage: ["POST", "/message:stream"],
  GetTask: ["GET", "/tasks/{id}"],
  ListTasks: ["GET", "/tasks"],
  CancelTask: ["POST", "/tasks/{id}:cancel"],
  SubscribeToTask: ["POST", "/tasks/{id}:subscribe"],
  CreateTaskPushNotificationConfig: ["POST", "/tasks/{taskId}/pushNotificationConfigs"],
  GetTaskPushNotificationConfig: ["GET", "/tasks/{taskId}/pushNotificationConfigs/{id}"],
  ListTaskPushNotificationConfigs: ["GET", "/tasks/{taskId}/pushNotificationConfigs"],
  DeleteTaskPushNotificationConfig: ["DELETE", "/tasks/{taskId}/pushNotificationConfigs/{id}"],
  GetExtendedAgentCard: ["GET", "/extendedAgentCard"],
};

function sendHttp(url: string, method: string, params: object, options: CallOptions): Promise<Response> {
  const [http, pattern] = paths[method] ?? ["POST", `/${method}`];
  const left = new Map<string, unknown>(Object.entries(params));
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(left.get(name));
    left.delete(name);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams(
    [...left].map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const hasBody = http === "POST";
  return fetch(`${base(url, options)}/rest${path}${hasBody || query === "" ? "" : `?${query}`}`, {
    method: http,
    headers: headersOf(options),
    signal: options.signal ?? null,
    ...(hasBody ? { body: JSON.stringify(Object.fromEntries(left)) } : {}),
  });
}

const isStream = (response: Response) => response.headers.get("content-type") === "text/event-stream";

function resultOf(method: string) {
  const schema = results[method];
  if (!schema) throw new Error(`No such method: ${method}`);
  return schema;
}

async function rpcReply(response: Response, method: string): Promise<Reply> {
  const { status, headers } = response;
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("a2a-version")).toBe("1.0");
  const message = JSON.parse(await response.text());
  if ("error" in message) return { status, headers, error: toldRpc(message) };
  expect(status).toBe(200);
  return { status, headers, result: rpcResult(resultOf(method)).parse(message).result };
}

async function httpReply(response: Response, method: string): Promise<Reply> {
  const { status, headers } = response;
  expect(headers.get("content-type")).toBe("application/a2a+json");
  expect(headers.get("a2a-version")).toBe("1.0");
  const value = JSON.parse(await response.text());
  if (status !== 200) {
    expect(value.error.code).toBe(status);
    return { status, headers, error: toldHttp(value) };
  }
  return { status, headers, result: resultOf(method).parse(value) };
}

function openStream(
  response: Response,
  read: (event: { id: string | null; type: string | null; data: string | null }) => Frame,
): OpenStream {
  expect(response.headers.get("a2a-version")).toBe("1.0");
  if (!response.body) throw new Error("A stream without a body.");
  const events = readEvents(response.body);
  const next = async () => {
    const event = await events.next();
    return event === null ? null : read(event);
  };
  return {
    headers: response.headers,
    events,
    next,
    async rest() {
      const frames: Frame[] = [];
      for (let frame = await next(); frame; frame = await next()) frames.push(frame);
      return frames;
    },
  };
}

export function toldRpc(message: unknown): ToldError {
  const { code, message: said, data } = rpcError.parse(message).error;
  return { code, status: undefined, message: said, ...readDetails(data) };
}

export function toldHttp(value: unknown): ToldError {
  const { code, status, message, details } = httpError.parse(value).error;
  return { code, status, message, ...readDetails(details) };
}

function readDetails(details: ReturnType<typeof rpcError.parse>["error"]["data"]) {
  const told = { reason: "", domain: "", metadata: {}, fields: [] as string[], retry: undefined as string | undefined };
  for (const detail of details) {
    if ("reason" in detail) Object.assign(told, { ...detail, metadata: detail.metadata ?? {} });
    else if ("fieldViolations" in detail) told.fields = detail.fieldViolations.map(({ field }) => field);
    else told.retry = detail.retryDelay;
  }
  return told;
}
