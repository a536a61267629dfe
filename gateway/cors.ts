/**
 * What a browser needs to hear before and beside an answer. Only an Origin that the guard let through is named, never
 * `*`, and without credentials: clients send their token themselves.
 */
export function corsHeaders(origin: string | undefined): Record<string, string> {
  if (!origin) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "Mcp-Session-Id, Mcp-Protocol-Version, WWW-Authenticate, Retry-After",
    vary: "Origin",
  };
}

/** The answer to OPTIONS, which browsers send without a token. */
export function preflightHeaders(origin: string | undefined): Record<string, string> {
  return {
    ...corsHeaders(origin),
    allow: "POST, OPTIONS",
    "access-control-allow-methods": "POST, OPTIONS",
    "access-control-allow-headers":
      "Authorization, Content-Type, Accept, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID",
    "access-control-max-age": "600",
  };
}
