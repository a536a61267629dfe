import { type Context, Hono } from "hono";
import { CodedError } from "../../shared/errors.ts";
import type { LinkEvents, LinkSocket } from "../../shared/link/socket.ts";
import { unauthenticatedResponse } from "../auth/challenge.ts";
import { type DeviceAgentAuthenticator, readBearer } from "../auth/principal.ts";
import { errorResponse } from "../error-response.ts";
import { createLinkConnection, type LinkConnectionDeps } from "./link-connection.ts";

/** Turns the request into a WebSocket; `open` is called with it and takes its events. */
export type WebSocketUpgrade = (c: Context, open: (socket: LinkSocket) => LinkEvents) => Promise<Response>;

export interface AcceptDeps extends LinkConnectionDeps {
  authenticator: DeviceAgentAuthenticator;
  upgrade: WebSocketUpgrade;
  /** True once no new link is taken. */
  draining: () => boolean;
}

/** `/link`: where device agents dial in; `/link/stream/<id>`: where they bring a stream that was asked for. */
export function linkRoutes(deps: AcceptDeps): Hono {
  const routes = new Hono({ strict: false });

  routes.get("/", async (c) => {
    const tenant = await admit(c, deps);
    if (tenant instanceof Response) return tenant;
    return deps.upgrade(c, (socket) => createLinkConnection(deps, tenant, socket));
  });

  routes.get("/stream/:id", async (c) => {
    const tenant = await admit(c, deps);
    if (tenant instanceof Response) return tenant;
    const id = c.req.param("id");
    if (!deps.registry.streams.expects(id, tenant)) {
      return errorResponse(404, new CodedError("target_not_found", "No such stream is awaited."));
    }
    return deps.upgrade(c, (socket) => {
      const events = deps.registry.streams.arrived(id, tenant, socket);
      if (events) return events;
      socket.terminate();
      return { message() {}, closed() {} };
    });
  });

  return routes;
}

/** Everything that is checked while the answer can still be an HTTP status. */
async function admit(c: Context, { authenticator, draining }: AcceptDeps): Promise<string | Response> {
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket") {
    const error = new CodedError("invalid_argument", "Only WebSocket connections of device agents are served here.");
    return errorResponse(426, error, { upgrade: "websocket", connection: "Upgrade" });
  }
  const bearer = readBearer(c.req.header("authorization"));
  if ("problem" in bearer) return unauthenticatedResponse(bearer.problem);
  const known = await authenticator.authenticateDeviceAgent(bearer.token);
  if (!known) return unauthenticatedResponse("invalid");
  if (draining())
    return errorResponse(503, new CodedError("device_offline", "The gateway stops."), { "retry-after": "2" });
  return known.tenant;
}
