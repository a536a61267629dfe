import { Hono } from "hono";
import { type A2aDeps, createA2aEndpoint } from "./endpoint.ts";

/** `/a2a`, and the card that anybody may read. */
export function a2aRoutes(deps: A2aDeps): Hono {
  const routes = new Hono({ strict: false });
  const { serve, publicCard } = createA2aEndpoint(deps);

  routes.get("/.well-known/agent-card.json", (c) => publicCard(c.req.raw));
  routes.all("/a2a", (c) => serve(c.req.raw));
  routes.all("/a2a/*", (c) => serve(c.req.raw));
  return routes;
}
