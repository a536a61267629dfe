const longestName = 64;

/**
 * Words that a caller may use for "whichever" and that must therefore mean no single phone, and `rest`, which stands
 * where a device stands in the addresses of A2A.
 */
const reserved = new Set(["rest", "all", "any", "none", "auto", "default", "null", "undefined", "self", "me"]);

/** What a device agent proposed, fit for showing: one line, never a reserved word, never like an id. */
export function tidyName(proposed: string): string {
  const line = proposed.replaceAll(/[\p{C}\p{Z}\s]+/gu, " ").trim();
  const name = [...line].slice(0, longestName).join("").trim() || "phone";
  if (reserved.has(name.toLowerCase())) return shorten(name, " phone");
  return name.toLowerCase().startsWith("dev_") ? shorten(`phone ${name}`, "") : name;
}

/** The first of "name", "name 2", "name 3", … that is not taken, ignoring case. */
export function uniqueName(wanted: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : shorten(wanted, ` ${count}`);
    if (!taken.has(name.toLowerCase())) return name;
  }
}

function shorten(name: string, suffix: string): string {
  return `${[...name]
    .slice(0, longestName - suffix.length)
    .join("")
    .trim()}${suffix}`;
}
