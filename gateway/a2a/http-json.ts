import { deepestJson, isTooDeep, parseJson } from "../json-body.ts";
import type { CardResponse } from "./card-response.ts";
import { type Exchange, perform } from "./exchange.ts";
import { activateExtensions, extensionsHeader, servedExtensions } from "./extensions.ts";
import { Fault, type FaultKind } from "./faults.ts";
import { matchRoute } from "./http-json-routes.ts";
import { type Binding, type BindingDeps, notJsonType } from "./json-rpc.ts";
import { essence, isJsonType } from "./media-types.ts";
import { Refusal } from "./refusal.ts";
import { requireVersion } from "./version.ts";

/** A google.rpc.Status, as HTTP tells it. */
interface Status {
  code: number;
  status: FaultKind["status"];
  message: string;
  details: Record<string, unknown>[];
}

/** The HTTP+JSON binding (A2A 1.0.1, section 11), for paths behind `/rest`. */
export function createHttpJsonBinding(
  deps: BindingDeps & { cardResponse: CardResponse },
): Omit<Binding, "serve"> & { serve(exchange: Exchange, path: readonly string[]): Promise<Response> } {
  const statusOf = (thrown: unknown): { status: Status; headers: Record<string, string> } => {
    const refusal = thrown instanceof Refusal ? thrown : null;
    const { kind, httpStatus, message, details, retryAfterMs } = deps.tell(refusal?.told ?? thrown);
    const retry: Record<string, string> =
      retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) };
    const code = refusal?.status ?? httpStatus;
    return { status: { code, status: kind.status, message, details }, headers: { ...retry, ...refusal?.headers } };
  };
  const refuse = (request: Request, thrown: unknown) => {
    const { status, headers } = statusOf(thrown);
    return json(request, { error: status }, { status: status.code, headers });
  };

  return {
    refuse,
    async serve(exchange, path) {
      const { request } = exchange;
      try {
        requireVersion(request);
        activateExtensions(request.headers.get(extensionsHeader), servedExtensions);
        const { method, params } = routeOf(request.method, path);
        const given = { ...readGiven(exchange), ...params };
        return await perform(deps, deps.operations[method], exchange, given, {
          result: (value) =>
            method === "GetExtendedAgentCard"
              ? deps.cardResponse(request, value, { scope: "private", type: jsonType(request) })
              : json(request, value, { headers: { "cache-control": "no-store" } }),
          frame: (item) => JSON.stringify(item),
          failure: (thrown) => ({ event: "error", data: JSON.stringify({ error: statusOf(thrown).status }) }),
        });
      } catch (thrown) {
        return refuse(request, thrown);
      }
    },
  };
}

function routeOf(http: string, path: readonly string[]) {
  const found = matchRoute(http, path);
  if ("method" in found) return found;
  const fault = new Fault("noSuchMethod", "There is no such method here; the Agent Card tells the address.");
  if (found.allow.length === 0) throw new Refusal(fault, 404);
  throw new Refusal(fault, 405, { allow: [...found.allow, "OPTIONS"].join(", ") });
}

/** The query where there is no body, else the body; an empty one says nothing. */
function readGiven({ request, body }: Exchange): Record<string, unknown> {
  if (request.method !== "POST") return Object.fromEntries(new URL(request.url).searchParams);
  if (body.length === 0) return {};
  if (!isJsonType(request.headers.get("content-type"))) throw notJsonType();
  const value = parseJson(body);
  if (value === undefined) throw new Fault("notJson", "The body is not JSON.");
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Fault("notARequest", "The body must be a JSON object.");
  }
  if (isTooDeep(value)) throw new Fault("notARequest", `The body is nested deeper than ${deepestJson} levels.`);
  return { ...value };
}

function json(request: Request, value: object, init: ResponseInit): Response {
  const response = Response.json(value, init);
  response.headers.set("content-type", jsonType(request));
  return response;
}

/** A2A's own media type, unless the client names plain JSON and not that. */
function jsonType(request: Request): string {
  const accepted = (request.headers.get("accept") ?? "").split(",").map(essence);
  const plain = accepted.includes("application/json") && !accepted.includes("application/a2a+json");
  return plain ? "application/json" : "application/a2a+json";
}
