import { Hono } from "hono";
import type { BuildIdentity } from "../shared/build-identity.ts";
import type { Clock } from "../shared/clock.ts";
import { CodedError, toCodedError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import { sha256Hex } from "../shared/sha256.ts";
import { toolDigest } from "../shared/tools/digest.ts";
import { fleetTools, toolSpecs } from "../shared/tools/specs.ts";
import { a2aRoutes } from "./a2a/routes.ts";
import type { Audit } from "./audit.ts";
import type { Authenticator, DeviceAgentAuthenticator } from "./auth/principal.ts";
import { encodeBase64 } from "./base64.ts";
import { corsHeaders, preflightHeaders } from "./cors.ts";
import type { Directory } from "./directory.ts";
import type { DirectoryCache } from "./directory-cache.ts";
import { createDispatch } from "./dispatch.ts";
import { errorResponse } from "./error-response.ts";
import type { Files } from "./files/files.ts";
import { fileRoutes } from "./files/routes.ts";
import { createGuard, type GuardOptions } from "./guard.ts";
import { mcpRoutes } from "./mcp/routes.ts";
import type { McpExtension } from "./mcp/server.ts";
import { linkRoutes, type WebSocketUpgrade } from "./relay/accept.ts";
import type { LinkRegistry } from "./relay/link-registry.ts";
import type { Relay } from "./relay/relay.ts";
import type { TaskDesk } from "./tasks/task-desk.ts";
import type { TaskService } from "./tasks/task-service.ts";

export interface GatewayDeps {
  guard: GuardOptions;
  /** Without a slash at its end; shown to people. */
  publicUrl: string;
  version: string;
  /** Told to callers of device_info, and never without a token. */
  build: BuildIdentity;
  authenticator: Authenticator & DeviceAgentAuthenticator;
  relay: Relay;
  registry: LinkRegistry;
  directory: Directory;
  cache: DirectoryCache;
  files: Files;
  audit: Audit;
  upgrade: WebSocketUpgrade;
  clock: Clock;
  log: Logger;
  randomId: () => string;
  /** What a runtime does faster than the portable ways: base64, and SHA-256 of a text in hex. */
  base64?: (bytes: Uint8Array) => string;
  hash?: (text: string) => string;
  /** True from the first sign of stopping: nothing new is taken. */
  draining: () => boolean;
  /** Aborts at that moment. */
  stopping: AbortSignal;
  tasks: TaskService;
  taskDesk: TaskDesk;
  /** How long a blocking SendMessage waits for the end of its Task. */
  sendWaitMs: number;
  mcpExtension?: McpExtension;
}

/** The whole HTTP side of the gateway, on whatever runtime. */
export function createGateway(deps: GatewayDeps): Hono {
  const { log, publicUrl, draining } = deps;
  const guard = createGuard(deps.guard);
  const hash = deps.hash ?? sha256Hex;
  const dispatch = createDispatch({
    ...deps,
    tools: toolSpecs,
    fleetTools,
    digestOf: toolDigest,
    hash,
  });
  const app = new Hono({ strict: false });

  // Before anything runs: a page of another site, or a name that was rebound to this address, gets nothing.
  app.use(async (c, next) => {
    const origin = c.req.header("origin");
    const problem = guard.problem(c.req.header("host"), origin);
    if (problem) return errorResponse(403, new CodedError("permission_denied", problem, { hint: configureHint }));
    if (c.req.method === "OPTIONS") return new Response(null, { status: 204, headers: preflightHeaders(origin) });
    await next();
    for (const [name, value] of Object.entries(corsHeaders(origin))) c.res.headers.set(name, value);
    return undefined;
  });

  app.get("/", (c) =>
    c.json({ name: "farhand", version: deps.version, mcp: `${publicUrl}/mcp`, a2a: `${publicUrl}/a2a` }),
  );
  app.get("/healthz", (c) => c.json({ ok: true }));
  app.get("/readyz", (c) => (isReady(deps) ? c.json({ ok: true }) : c.json({ ok: false, draining: draining() }, 503)));
  app.route(
    "/mcp",
    mcpRoutes({ ...deps, dispatch, base64: deps.base64 ?? encodeBase64, extension: deps.mcpExtension }),
  );
  app.route("/", a2aRoutes({ ...deps, dispatch, tools: toolSpecs, hash }));
  app.route("/files", fileRoutes(deps));
  app.route("/link", linkRoutes(deps));

  app.notFound(() =>
    errorResponse(404, new CodedError("target_not_found", "There is nothing at this path.", hintOf(publicUrl))),
  );
  app.onError((thrown) => {
    const errorId = deps.randomId();
    log.error("a request failed", { errorId, cause: thrown });
    return errorResponse(500, toCodedError(thrown, errorId));
  });
  return app;
}

function isReady({ cache, draining }: GatewayDeps): boolean {
  try {
    cache.devices();
    return !draining();
  } catch {
    return false;
  }
}

const configureHint = "If this name or page is yours, allow it with --allowed-hosts or --allowed-origins.";
const hintOf = (publicUrl: string) => ({ hint: `MCP is served at ${publicUrl}/mcp.` });
