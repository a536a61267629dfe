const decoder = new TextDecoder("utf-8", { fatal: true });

/** Deeper values serve nobody and would overflow the stack of whatever walks them. */
export const deepestJson = 64;

/** The JSON of a request body; undefined when it is none. A byte order mark is skipped. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is nested deeper than `deepestJson` levels. */
export function isTooDeep(root: unknown): boolean {
  let level = [root].filter(isContainer);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepestJson) return true;
    level = level.flatMap((value) => Object.values(value).filter(isContainer));
  }
  return false;
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;
