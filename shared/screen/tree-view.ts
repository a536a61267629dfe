import type { Bounds, Size, UiTree } from "../device.ts";
import { type Element, elementsOf } from "./elements.ts";
import { quoteScreenText, untrustedNote } from "./untrusted-text.ts";

export interface TreeView {
  /** One line per element: ref, class, quoted label, id, bounds in the shown space, flags. */
  elements: string[];
  total: number;
  truncated: boolean;
  next_offset?: number;
  note: string;
  warning?: string;
}

/** Tells a tree in compact lines, interactive elements first, bounds scaled from the screen to `shown`. */
export function viewTree(tree: UiTree, shown: Size, page: { offset: number; limit: number }): TreeView {
  const all = elementsOf(tree);
  const ordered = [...all.filter((one) => one.interactive), ...all.filter((one) => !one.interactive)];
  const end = page.offset + page.limit;
  const view: TreeView = {
    elements: ordered.slice(page.offset, end).map((element) => line(element, tree.size, shown)),
    total: ordered.length,
    truncated: end < ordered.length,
    note: untrustedNote,
  };
  if (view.truncated) view.next_offset = end;
  if (isOpaque(tree, ordered)) {
    view.warning = "The app draws its own screen, so the tree is nearly empty: use a screenshot and its coordinates.";
  }
  return view;
}

/** Tells one element as in the tree, for results and candidates. */
export function line({ node, ref, label }: Element, native: Size, shown: Size): string {
  const id = node.resourceId ? ` #${quoteScreenText(node.resourceId.replace(/^.*:id\//, "")).slice(1, -1)}` : "";
  const name = label ? ` ${quoteScreenText(label)}` : "";
  const flags = flagsOf(node);
  return `${ref} ${shortClass(node.className)}${name}${id} ${place(node.bounds, native, shown)}${flags ? ` ${flags}` : ""}`;
}

/** Bounds as they are told: `[left,top,right,bottom]`, scaled from the screen to `shown`. */
export function place({ left, top, right, bottom }: Bounds, native: Size, shown: Size): string {
  const across = shown.width / native.width;
  const down = shown.height / native.height;
  return `[${[left * across, top * down, right * across, bottom * down].map(Math.round).join(",")}]`;
}

function shortClass(className: string): string {
  return /^[\w.$]+$/.test(className) ? className.replace(/^.*[.$]/, "") : "View";
}

function flagsOf(node: Element["node"]): string {
  const flags: [boolean, string][] = [
    [node.clickable, "clickable"],
    [node.longClickable, "long-clickable"],
    [node.editable, "editable"],
    [node.scrollable, "scrollable"],
    [node.checkable, node.checked ? "checked" : "unchecked"],
    [node.focused, "focused"],
    [node.selected, "selected"],
    [node.password, "password"],
    [!node.enabled, "disabled"],
  ];
  return flags
    .filter(([holds]) => holds)
    .map(([, flag]) => flag)
    .join(" ");
}

/** One view over most of the screen and nothing to read: Flutter without semantics, games, video, maps. */
function isOpaque(tree: UiTree, elements: Element[]): boolean {
  return tree.nodes.length > 0 && elements.filter((one) => one.label !== "").length === 0;
}
