import { Fault } from "./faults.ts";

/** Major and minor, as clients and servers agree on it; the patch level is never looked at. */
export const protocolVersion = "1.0";
export const versionHeader = "A2A-Version";

/**
 * Refuses what does not speak our version (A2A 1.0.1, section 3.6). Told by header or, where none can be set, in the
 * query; a client that tells none speaks 0.3.
 */
export function requireVersion(request: Request): void {
  const told = request.headers.get(versionHeader) ?? new URL(request.url).searchParams.get(versionHeader) ?? "";
  const version = told.trim() || "0.3";
  const [, majorMinor] = /^(\d+\.\d+)(\.\d+)*$/.exec(version) ?? [];
  if (majorMinor === protocolVersion) return;
  const known = /^[\w.+-]{1,32}$/.test(version) ? ` ${version}` : "";
  const assumed = told.trim() === "" ? `, which no ${versionHeader} header means,` : "";
  throw new Fault(
    "version",
    `Version${known}${assumed} is not served here: send ${versionHeader}: ${protocolVersion}.`,
    { metadata: { supportedVersions: protocolVersion } },
  );
}
