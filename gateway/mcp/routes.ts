import { Hono } from "hono";
import { limits } from "../../shared/limits.ts";
import type { Authenticator } from "../auth/principal.ts";
import { type AuthEnv, requireAuth } from "../auth/require-auth.ts";
import { jsonRpcFailure } from "../json-rpc-failure.ts";
import { readBody } from "../read-body.ts";
import { createMcpEndpoint } from "./endpoint.ts";
import type { McpServerDeps } from "./server.ts";

/** `/mcp`. Only POST does anything: there are no streams to open with GET and nothing to end with DELETE. */
export function mcpRoutes(
  deps: McpServerDeps & { authenticator: Authenticator; draining: () => boolean },
): Hono<AuthEnv> {
  const routes = new Hono<AuthEnv>({ strict: false });
  const serve = createMcpEndpoint(deps);

  routes.post(
    "/",
    (c, next) => (declaredBytes(c.req.header("content-length")) > limits.mcpBodyBytes ? tooLarge() : next()),
    requireAuth(deps.authenticator),
    async (c) => {
      if (deps.draining()) return stopping();
      const body = await readBody(c.req.raw, limits.mcpBodyBytes);
      return body ? serve(c.req.raw, body, c.get("principal")) : tooLarge();
    },
  );
  routes.all("/", () => jsonRpcFailure(405, -32000, "Method not allowed.", { allow: "POST, OPTIONS" }));
  return routes;
}

const declaredBytes = (header: string | undefined) => Number(header ?? 0);
const tooLarge = async () => jsonRpcFailure(413, -32000, `The body is over ${limits.mcpBodyBytes} bytes.`);
const stopping = () => jsonRpcFailure(503, -32000, "The gateway stops.", { "retry-after": "2" });
