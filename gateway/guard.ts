/** Which Host and Origin values a request may carry: the defence against DNS rebinding and foreign web pages. */
export interface Guard {
  /** A sentence when the request must be refused. A request without an Origin comes from no web page. */
  problem(host: string | undefined, origin: string | undefined): string | null;
}

export interface GuardOptions {
  /** The URLs under which this gateway is reached. */
  urls: readonly string[];
  /** Further host names, each with or without a port. */
  allowedHosts: readonly string[];
  /** Further origins of web pages, each as a browser writes it. */
  allowedOrigins: readonly string[];
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

export function createGuard({ urls, allowedHosts, allowedOrigins }: GuardOptions): Guard {
  const own = urls.map((url) => new URL(url));
  const local = own.some((url) => loopbackNames.includes(url.hostname));
  const hosts = new Set([
    ...own.flatMap((url) => [url.hostname, url.host]),
    ...allowedHosts.map((host) => host.toLowerCase()),
    ...(local ? loopbackNames : []),
  ]);
  const origins = new Set([...own.map((url) => url.origin), ...allowedOrigins]);

  const isLoopback = (name: string | undefined) => name !== undefined && loopbackNames.includes(name);
  const originAllowed = (origin: string, host: URL): boolean => {
    if (origins.has(origin)) return true;
    // A page served from this very machine is as near as its owner, if it calls this machine; it still needs the token.
    const url = parse(origin);
    return url?.origin === origin && isLoopback(url.hostname) && isLoopback(host.hostname);
  };

  return {
    problem(host, origin) {
      const url = host ? parse(`http://${host}`) : null;
      if (!url || !(hosts.has(url.hostname) || hosts.has(url.host))) return "This Host is not served here.";
      if (origin && !originAllowed(origin, url)) return "This Origin is not allowed here.";
      return null;
    },
  };
}

function parse(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}
