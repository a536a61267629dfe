/** What an address under `/a2a` is: one of the two bindings, or a card; of one device, or of whichever is meant. */
export interface Place {
  kind: "json-rpc" | "http-json" | "card";
  /** Id or name; null for all of the caller's. */
  device: string | null;
  /** The decoded path behind `/rest`. */
  path: string[];
}

/** Stands where a device may stand, so no device is called so. */
const rest = "rest";

/** Reads a path that begins with `/a2a`; null when there is nothing. A slash at its end changes nothing. */
export function locate(pathname: string): Place | null {
  const parts = decode(pathname.replace(/\/+$/, "").split("/").slice(2));
  if (!parts || parts.includes("")) return null;
  const [first, second, ...others] = parts;
  if (first === undefined) return { kind: "json-rpc", device: null, path: [] };
  if (first === rest) return { kind: "http-json", device: null, path: parts.slice(1) };
  if (second === undefined) return { kind: "json-rpc", device: first, path: [] };
  if (second === rest) return { kind: "http-json", device: first, path: others };
  if (second === "agent-card.json" && others.length === 0) return { kind: "card", device: first, path: [] };
  return null;
}

function decode(parts: readonly string[]): string[] | null {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return null;
  }
}
