/**
 * What a browser needs to hear before and beside an answer. Only an Origin that the guard let through is named, never
 * `*`, and without credentials: clients send their token themselves.
 */
export function corsHeaders(origin: string | undefined): Record<string, string> {
  if (!origin) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers":
      "Mcp-Session-Id, Mcp-Protocol-Version, WWW-Authenticate, Retry-After, Location, Content-Disposition, Content-Range, " +
      "Accept-Ranges, ETag, Upload-Offset, Upload-Length, Upload-Complete, A2A-Version, A2A-Extensions",
    vary: "Origin",
  };
}

/** The answer to OPTIONS, which browsers send without a token. */
export function preflightHeaders(origin: string | undefined): Record<string, string> {
  return {
    ...corsHeaders(origin),
    allow: "GET, HEAD, POST, PUT, DELETE, OPTIONS",
    "access-control-allow-methods": "GET, HEAD, POST, PUT, DELETE, OPTIONS",
    "access-control-allow-headers":
      "Authorization, Content-Type, Accept, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID, " +
      "Content-Range, Range, If-Range, If-None-Match, A2A-Version, A2A-Extensions",
    "access-control-max-age": "600",
  };
}
