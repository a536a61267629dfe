import { createMcpHandler, isJsonContentType, isLegacyRequest } from "@modelcontextprotocol/server";
import { CodedError } from "../../shared/errors.ts";
import { insufficientScopeResponse } from "../auth/challenge.ts";
import type { Principal } from "../auth/principal.ts";
import { jsonRpcFailure } from "../json-rpc-failure.ts";
import { acceptsJson, chooseForm, type Form } from "./accept-form.ts";
import { createInFlight } from "./in-flight.ts";
import { type Incoming, readMessage } from "./json-rpc.ts";
import { refuseParams } from "./params.ts";
import { detach, streamWhenSlow, toJson, toStream } from "./response-form.ts";
import { createMcpServerFactory, type Exchange, type McpServerDeps } from "./server.ts";

/** Serves one POST of an authenticated principal. */
export type McpEndpoint = (request: Request, body: Uint8Array, principal: Principal) => Promise<Response>;

type Serve = (request: Request, incoming: Incoming, form: Form, principal: Principal) => Promise<Response>;

/** The client hears of a stream at least this often. */
const keepAliveMs = 10_000;

/**
 * One stateless URL for every revision. The SDK's handler does the protocol; in front of it stands what it leaves to
 * us (every Accept form, batches, ids, scopes, cancellation by message), behind it the form of the answer.
 */
export function createMcpEndpoint(deps: McpServerDeps): McpEndpoint {
  const { clock, log } = deps;
  const exchanges = new WeakMap<Request, Exchange>();
  const createServer = createMcpServerFactory(deps);
  const inFlight = createInFlight();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const exchange = requestInfo && exchanges.get(requestInfo);
      if (!exchange) throw new TypeError("A server was asked for outside of an exchange.");
      return createServer(exchange);
    },
    { keepAliveMs, onerror: (cause) => log.debug("the MCP handler reports", { cause }) },
  );

  /** Since 2026-07-28: a client that goes away cancels. */
  const serveModern: Serve = async (request, incoming, form, principal) => {
    const gone = new AbortController();
    const signal = AbortSignal.any([request.signal, gone.signal]);
    const inner = innerRequest(request, signal);
    exchanges.set(inner, { principal, signal });
    const response = handler.fetch(inner, { parsedBody: incoming.message });
    if (form === "json") return toJson(await response);
    const answer = await streamWhenSlow(response, { clock, keepAliveMs, onGone: () => gone.abort() });
    return acceptsJson(request.headers.get("accept")) ? answer : toStream(answer);
  };

  /** Before 2026-07-28: only a message cancels, and a lost connection does not. */
  const serveLegacy: Serve = async (request, incoming, form, principal) => {
    const canceled = new AbortController();
    const inner = innerRequest(request, null);
    exchanges.set(inner, { principal, signal: canceled.signal });
    const cancelable = incoming.kind === "request" && incoming.method === "tools/call";
    const remove = cancelable ? inFlight.add(principal, incoming.id, () => canceled.abort()) : () => {};
    const response = await handler.fetch(inner, { parsedBody: incoming.message });
    if (form === "stream") return detach(response, { ended: canceled.signal, onEnd: remove });
    return toJson(response).finally(remove);
  };

  return async (request, body, principal) => {
    const incoming = readMessage(body);
    if (incoming.kind === "invalid") return jsonRpcFailure(400, incoming.number, incoming.problem);
    const form = chooseForm(request.headers.get("accept"), incoming.kind === "request" ? incoming.method : "");
    if (!form) return notAcceptable();
    if (!isJsonContentType(request.headers.get("content-type"))) return unsupportedMediaType();
    const legacy = await isLegacyRequest(request, incoming.message);
    const refusal = (await refuseScope(deps, incoming, principal)) ?? refuseParams(incoming, form, legacy);
    if (refusal) return refusal;
    if (incoming.kind === "notification" && incoming.method === "notifications/cancelled") {
      inFlight.cancel(principal, incoming.params.requestId);
      return new Response(null, { status: 202 });
    }
    return (legacy ? serveLegacy : serveModern)(request, incoming, form, principal);
  };
}

/** The request as the SDK sees it: its body is already read, and it accepts both forms, since we shape the answer. */
function innerRequest(request: Request, signal: AbortSignal | null): Request {
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  headers.delete("mcp-session-id");
  return new Request(request.url, { method: "POST", headers, signal });
}

/** A known tool outside of the token's scopes is refused with the challenge of RFC 6750, and audited. */
async function refuseScope(
  { dispatch }: McpServerDeps,
  incoming: Incoming,
  principal: Principal,
): Promise<Response | null> {
  if (incoming.kind !== "request" || incoming.method !== "tools/call") return null;
  const spec = dispatch.find(String(incoming.params.name));
  if (!spec || principal.scopes.includes(spec.permission)) return null;
  try {
    await dispatch.call({ principal, tool: spec.name, arguments: incoming.params.arguments });
  } catch (error) {
    if (error instanceof CodedError) return insufficientScopeResponse(error, spec.permission, incoming.id);
  }
  throw new TypeError("A call outside of the token's scopes was not refused.");
}

const notAcceptable = () =>
  jsonRpcFailure(406, -32000, "Answers come as application/json or text/event-stream; accept one of them.");
const unsupportedMediaType = () => jsonRpcFailure(415, -32000, "The Content-Type must be application/json.");
