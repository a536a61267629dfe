import type { Clock } from "../../shared/clock.ts";
import { type RequestId, readEnvelope } from "./envelope.ts";
import type { ToldFault } from "./errors.ts";
import { type Exchange, perform } from "./exchange.ts";
import { activateExtensions, extensionsHeader, servedExtensions } from "./extensions.ts";
import { Fault } from "./faults.ts";
import { isJsonType } from "./media-types.ts";
import { type Method, methods, type Operations } from "./operations.ts";
import { Refusal } from "./refusal.ts";
import type { StopBell } from "./stop-bell.ts";
import { requireVersion } from "./version.ts";

/** One of the two ways in which A2A is spoken over HTTP. */
export interface Binding {
  serve(exchange: Exchange): Promise<Response>;
  /** A failure from before a request was read. */
  refuse(request: Request, thrown: unknown): Response;
}

export interface BindingDeps {
  operations: Operations;
  clock: Clock;
  stopBell: StopBell;
  /** Words for anything thrown; logs what is a fault of ours. */
  tell: (thrown: unknown) => ToldFault;
}

/** The JSON-RPC binding (A2A 1.0.1, section 9). Failures travel on HTTP 200, but for those of the token and of HTTP. */
export function createJsonRpcBinding(deps: BindingDeps): Binding {
  const { operations } = deps;
  const errorOf = (thrown: unknown) => {
    const told = deps.tell(thrown instanceof Refusal ? thrown.told : thrown);
    return { told, error: { code: told.kind.number, message: told.message, data: told.details } };
  };
  const refuse = (thrown: unknown, id: RequestId) => {
    const { told, error } = errorOf(thrown);
    return Response.json({ jsonrpc: "2.0", id, error }, { status: statusOf(told, thrown), headers: headersOf(thrown) });
  };

  return {
    refuse: (_, thrown) => refuse(thrown, null),
    async serve(exchange) {
      const { request, body } = exchange;
      if (!isJsonType(request.headers.get("content-type"))) return refuse(notJsonType(), null);
      const incoming = readEnvelope(body);
      const { id } = incoming;
      if ("fault" in incoming) return refuse(incoming.fault, id);
      try {
        requireVersion(request);
        activateExtensions(request.headers.get(extensionsHeader), servedExtensions);
        return await perform(deps, operations[methodOf(incoming.method)], exchange, incoming.params, {
          result: (result) => Response.json({ jsonrpc: "2.0", id, result }),
          frame: (result) => JSON.stringify({ jsonrpc: "2.0", id, result }),
          failure: (thrown) => ({ data: JSON.stringify({ jsonrpc: "2.0", id, error: errorOf(thrown).error }) }),
        });
      } catch (thrown) {
        return refuse(thrown, id);
      }
    },
  };
}

function methodOf(name: string): Method {
  const method = methods.find((one) => one === name);
  if (method) return method;
  const hint = name.includes("/")
    ? " That is a name of an older version; since 1.0 it is for example SendMessage."
    : "";
  throw new Fault("noSuchMethod", `There is no such method.${hint}`);
}

/** Only what HTTP itself has to tell has a status of its own: who may come in at all. */
function statusOf({ httpStatus }: ToldFault, thrown: unknown): number {
  if (thrown instanceof Refusal) return thrown.status;
  return httpStatus === 401 || httpStatus === 403 ? httpStatus : 200;
}

const headersOf = (thrown: unknown) => (thrown instanceof Refusal ? thrown.headers : {});

export const notJsonType = () =>
  new Fault("contentType", "The Content-Type must be application/json or application/a2a+json.", {
    metadata: { supported: "application/json,application/a2a+json" },
  });
