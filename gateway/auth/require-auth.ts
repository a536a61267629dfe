import type { MiddlewareHandler } from "hono";
import { unauthenticatedResponse } from "./challenge.ts";
import { type Authenticator, type Principal, readBearer } from "./principal.ts";

export interface AuthEnv {
  Variables: { principal: Principal };
}

/** Lets a request through only with a valid token, and tells the handlers whose it is. */
export function requireAuth(authenticator: Authenticator): MiddlewareHandler<AuthEnv> {
  return async (c, next) => {
    const bearer = readBearer(c.req.header("authorization"));
    if ("problem" in bearer) return unauthenticatedResponse(bearer.problem);
    const principal = await authenticator.authenticate(bearer.token);
    if (!principal) return unauthenticatedResponse("invalid");
    c.set("principal", principal);
    return next();
  };
}
