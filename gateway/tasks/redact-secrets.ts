/**
 * `Bearer` and what follows it; a JSON Web Token (RFC 7519: two base64url texts that begin like JSON, and a third), which
 * is looked for at the beginning of a run of its characters only: from each place in a long run it would take minutes.
 */
const tokens = /\bbearer\s+[\w.~+/=-]{16,}|(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/gi;
const instead = "[redacted]";

/**
 * The same value with secrets that are in force here blackened. Nothing else changes: what a client wants to have typed
 * is typed as it is. The base64 of a `raw` part stays.
 */
export function redactKnown<T>(value: T, known: readonly string[]): T {
  const secrets = known.filter((secret) => secret !== "");
  return inTexts(value, (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, instead), text));
}

/** The same, and whatever looks like a token of somebody else: for what is told, not for what is asked. */
export function redactSecrets<T>(value: T, known: readonly string[]): T {
  return inTexts(redactKnown(value, known), (text) => text.replaceAll(tokens, instead));
}

function inTexts<T>(value: T, change: (text: string) => string): T {
  const walk = (one: unknown): unknown => {
    if (typeof one === "string") return change(one);
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, key === "raw" ? inner : walk(inner)]));
  };
  return walk(value) as T;
}
