/** How an answer may be shaped: one JSON body, or a stream of events. */
export type Form = "json" | "stream";

/** Methods whose answers may take long or come in parts. */
const streamed = new Set(["tools/call", "subscriptions/listen"]);

/**
 * Chooses from the Accept header; null when neither form is accepted. A client that names both gets a stream where one
 * is of use; one that names neither, or sends no header, gets JSON.
 */
export function chooseForm(accept: string | null, method: string): Form | null {
  const wanted = readRanges(accept);
  if (wanted.length === 0) return "json";
  const json = acceptsJson(accept);
  const stream = allows(wanted, "text/event-stream", "text/*");
  if (stream && (!json || streamed.has(method))) return "stream";
  return json ? "json" : null;
}

export function acceptsJson(accept: string | null): boolean {
  const wanted = readRanges(accept);
  return wanted.length === 0 || allows(wanted, "application/json", "application/*", "*/*");
}

interface Range {
  type: string;
  /** Named only to be excluded (`q=0`). */
  refused: boolean;
}

/** `exact` may be excluded by name although one of the `wider` ranges would let it in. */
function allows(ranges: readonly Range[], exact: string, ...wider: string[]): boolean {
  const named = ranges.find(({ type }) => type === exact);
  return named ? !named.refused : ranges.some(({ type, refused }) => !refused && wider.includes(type));
}

function readRanges(accept: string | null): Range[] {
  return (accept ?? "")
    .split(",")
    .map(readRange)
    .filter(({ type }) => type !== "");
}

function readRange(range: string): Range {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  return { type, refused: parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) };
}
