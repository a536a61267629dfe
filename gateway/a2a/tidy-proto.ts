import { isObject } from "../json-body.ts";

/** Free JSON of the client's own, passed on as it is. */
const free = new Set(["metadata", "data"]);
/** The content of a Part: an empty one is content all the same. */
const content = new Set(["text", "raw", "url"]);

/**
 * ProtoJSON leaves three ways to say that a field is not set: leaving it out, null, and an empty string. Makes them one:
 * the field is left out.
 */
export function tidyProto(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidyProto);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !isUnset(name, member))
      .map(([name, member]) => [name, free.has(name) ? member : tidyProto(member)]),
  );
}

function isUnset(name: string, member: unknown): boolean {
  // Null is a value that a Part may carry.
  if (member === null) return name !== "data";
  return member === "" && !content.has(name) && !free.has(name);
}
