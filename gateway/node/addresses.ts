import { createSocket } from "node:dgram";
import { isIP } from "node:net";

const wildcards = new Set(["0.0.0.0", "::", "*", ""]);

export const isWildcard = (host: string) => wildcards.has(host);

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/**
 * Under which address others reach a host: the IPv4 address of the default route for a wildcard, else loopback; any
 * other host as it is.
 */
export async function reachableHost(host: string): Promise<string> {
  return isWildcard(host) ? ((await defaultRouteAddress()) ?? "127.0.0.1") : host;
}

export function httpUrl(host: string, port: number): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** Asks the routing table by "connecting" a UDP socket to an address reserved for documentation; nothing is sent. */
function defaultRouteAddress(): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    const finish = (address: string | null) => {
      socket.close();
      resolve(address);
    };
    socket.once("error", () => finish(null));
    socket.connect(9, "192.0.2.1", () => {
      const { address } = socket.address();
      finish(isWildcard(address) ? null : address);
    });
  });
}
