/** A gateway's address that cannot be used; the message is one line for the person who gave it. */
export class GatewayUrlError extends Error {}

/**
 * The WebSocket address of the link for what a person gives as the gateway's address (`https://host`, `wss://host/link`,
 * …). Throws GatewayUrlError.
 */
export function toLinkUrl(given: string, allowInsecureHttp: boolean): string {
  const url = parse(given);
  if (url.username || url.password || url.search || url.hash) {
    throw new GatewayUrlError("the gateway's address must not carry a user, a password, a query or a fragment");
  }
  const secure = url.protocol === "wss:" || url.protocol === "https:";
  if (!secure && !isLoopback(url.hostname) && !allowInsecureHttp) {
    throw new GatewayUrlError(
      `plain http to ${url.hostname} would show the token to the network; use https, or add --allow-insecure-http`,
    );
  }
  const path = url.pathname.replace(/\/+$/, "").replace(/\/link$/, "");
  return `${secure ? "wss" : "ws"}://${url.host}${path}/link`;
}

function parse(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !["http:", "https:", "ws:", "wss:"].includes(url.protocol)) {
    throw new GatewayUrlError("the gateway's address must look like https://gateway.example");
  }
  return url;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}
