import type { TypedText, UiNode, UiTree } from "../../../shared/device.ts";

/** The field that takes what is typed. */
export function focusedField(tree: UiTree): UiNode | undefined {
  return tree.nodes.find((node) => node.focused && node.editable) ?? tree.nodes.find((node) => node.focused);
}

/**
 * Whether a field that held `before` holds `typed` put in at one place, or in the place of a selection. A hint that
 * the phone shows as text counts as replaced.
 */
export function isTyped(before: string, after: string, typed: string): boolean {
  if (typed === "") return after === before;
  for (let at = after.indexOf(typed); at >= 0; at = after.indexOf(typed, at + 1)) {
    const head = after.slice(0, at);
    const tail = after.slice(at + typed.length);
    if (head.length + tail.length <= before.length && before.startsWith(head) && before.endsWith(tail)) return true;
  }
  return false;
}

/** What is known after typing from the trees before and after; a tree that could not be read is undefined. */
export function verification(
  before: UiTree | undefined,
  after: UiTree | undefined,
  typed: string,
): Pick<TypedText, "fieldText" | "verified"> {
  const earlier = before && focusedField(before);
  const later = after && focusedField(after);
  if (!later?.editable || later.password || earlier?.password) return { fieldText: null, verified: "unverifiable" };
  if (!earlier?.editable) return { fieldText: later.text, verified: later.text === typed ? "true" : "unverifiable" };
  // A line break of DOS is one key, and some fields keep only its second half.
  const isThere = [typed, typed.replaceAll("\r\n", "\n")].some((text) => isTyped(earlier.text, later.text, text));
  return { fieldText: later.text, verified: isThere ? "true" : "false" };
}
