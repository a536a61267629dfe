import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type ServerOptions,
  type Tool,
} from "@modelcontextprotocol/server";
import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import type { Logger } from "../../shared/log.ts";
import type { Principal } from "../auth/principal.ts";
import type { Dispatch } from "../dispatch.ts";
import { errorResult } from "./errors.ts";
import { instructions } from "./instructions.ts";
import { createProgressReporter } from "./progress.ts";
import { mcpToolOf, toolResultOf } from "./tools.ts";

/** What one POST is about, beside its message. */
export interface Exchange {
  principal: Principal;
  /** Aborts when the client cancels by message. */
  signal: AbortSignal;
}

/** More than the product serves, plugged into the real endpoint; the conformance tests need it. */
export interface McpExtension {
  options: Omit<ServerOptions, "instructions">;
  tools: readonly Tool[];
  callTool(
    name: string,
    args: Record<string, unknown>,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult>;
  /** Adds handlers for other methods. */
  install(server: Server): void;
}

export interface McpServerDeps {
  dispatch: Dispatch;
  clock: Clock;
  log: Logger;
  version: string;
  base64: (bytes: Uint8Array) => string;
  randomId: () => string;
  extension?: McpExtension | undefined;
}

const listTtlMs = 300_000;
const idempotencyKey = "farhand/idempotencyKey";
const leaseId = "farhand/leaseId";

/** Makes the server of one request: nothing is shared between two of them, so no answer can go astray. */
export function createMcpServerFactory(deps: McpServerDeps): (exchange: Exchange) => Server {
  const { dispatch, extension, version } = deps;
  const told = new Map<string, Tool>();
  const toolOf = (spec: Parameters<typeof mcpToolOf>[0]): Tool => {
    const tool = told.get(spec.name) ?? mcpToolOf(spec);
    told.set(spec.name, tool);
    return tool;
  };
  const options: ServerOptions = {
    ...extension?.options,
    capabilities: { tools: {}, ...extension?.options.capabilities },
    cacheHints: {
      "tools/list": { ttlMs: listTtlMs, cacheScope: "private" },
      "server/discover": { ttlMs: listTtlMs, cacheScope: "private" },
      ...extension?.options.cacheHints,
    },
    instructions,
  };

  return (exchange) => {
    const server = new Server({ name: "farhand", title: "Farhand", version }, options);
    server.setRequestHandler("tools/list", () => ({
      tools: [...dispatch.visible(exchange.principal).map(toolOf), ...(extension?.tools ?? [])],
    }));
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      if (dispatch.find(params.name)) return callTool(deps, exchange, params, context);
      if (extension?.tools.some(({ name }) => name === params.name)) {
        return extension.callTool(params.name, params.arguments ?? {}, context);
      }
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool; tools/list names them all.");
    });
    extension?.install(server);
    return server;
  };
}

async function callTool(
  { dispatch, clock, log, base64, randomId }: McpServerDeps,
  { principal, signal }: Exchange,
  params: {
    name: string;
    arguments?: Record<string, unknown> | undefined;
    _meta?: Record<string, unknown> | undefined;
  },
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const token = mcpReq._meta?.progressToken;
  const progress =
    token === undefined
      ? null
      : createProgressReporter({
          clock,
          progressToken: token,
          send: (notification) => {
            mcpReq
              .notify({ method: "notifications/progress", params: { ...notification } })
              .catch((cause: unknown) => log.debug("a progress notification was lost", { cause }));
          },
        });
  try {
    const answer = await dispatch.call({
      principal,
      tool: params.name,
      arguments: params.arguments ?? {},
      idempotencyKey: readText(params._meta, idempotencyKey),
      leaseId: readText(params._meta, leaseId),
      onProgress: progress?.report,
      signal: AbortSignal.any([mcpReq.signal, signal]),
    });
    progress?.stop();
    return toolResultOf(answer, mcpReq.id, base64);
  } catch (thrown) {
    progress?.stop();
    if (thrown instanceof CodedError) return errorResult(thrown);
    const errorId = randomId();
    log.error("answering a tool call failed", { errorId, tool: params.name, cause: thrown });
    return errorResult(new CodedError("internal", `Something went wrong on our side (error id ${errorId}).`));
  }
}

function readText(meta: Record<string, unknown> | undefined, field: string): string | undefined {
  const text = meta?.[field];
  if (text === undefined || (typeof text === "string" && text.length >= 1 && text.length <= 256)) return text;
  throw new CodedError("invalid_argument", `_meta["${field}"] must be a text of 1 to 256 characters.`);
}
