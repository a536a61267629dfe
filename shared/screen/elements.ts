import type { Bounds, Point, UiNode, UiTree } from "../device.ts";

/** A node with what a caller needs to speak of it. */
export interface Element {
  node: UiNode;
  /** Stable while class, id, own texts and ancestors stay; the place may change. */
  ref: string;
  /** Own text, description or hint; for a clickable container the texts inside it. */
  label: string;
  interactive: boolean;
}

/** Every node worth speaking of: all interactive ones at any depth, and those that say something. Document order. */
export function elementsOf(tree: UiTree): Element[] {
  const seen = new Map<string, number>();
  const ancestors: string[] = [];
  const elements: Element[] = [];
  for (const [index, node] of tree.nodes.entries()) {
    ancestors.length = node.depth;
    const own = `${node.className}|${node.resourceId}`;
    const identity = `${ancestors.join("/")}/${own}|${node.text}|${node.description}`;
    ancestors[node.depth] = own;
    const occurrence = seen.get(identity) ?? 0;
    seen.set(identity, occurrence + 1);
    const interactive = isInteractive(node);
    const label = ownLabel(node) || (interactive ? innerLabel(tree.nodes, index) : "");
    if (!hasArea(node.bounds) || (!interactive && label === "")) continue;
    elements.push({ node, ref: `e${hash(`${identity}#${occurrence}`)}`, label, interactive });
  }
  return elements;
}

export function isInteractive(node: UiNode): boolean {
  return node.clickable || node.longClickable || node.checkable || node.focusable || node.scrollable || node.editable;
}

export function centre(bounds: Bounds): Point {
  return { x: Math.floor((bounds.left + bounds.right) / 2), y: Math.floor((bounds.top + bounds.bottom) / 2) };
}

export function hasArea(bounds: Bounds): boolean {
  return bounds.right > bounds.left && bounds.bottom > bounds.top;
}

export function area(bounds: Bounds): number {
  return Math.max(0, bounds.right - bounds.left) * Math.max(0, bounds.bottom - bounds.top);
}

export function contains(bounds: Bounds, point: Point, slack = 0): boolean {
  return (
    point.x >= bounds.left - slack &&
    point.x < bounds.right + slack &&
    point.y >= bounds.top - slack &&
    point.y < bounds.bottom + slack
  );
}

function ownLabel(node: UiNode): string {
  return node.text || node.description || node.hint;
}

function innerLabel(nodes: UiNode[], index: number): string {
  const depth = nodes[index]?.depth ?? 0;
  const texts: string[] = [];
  for (let next = index + 1; next < nodes.length && texts.length < 4; next++) {
    const node = nodes[next];
    if (!node || node.depth <= depth) break;
    const text = node.text || node.description;
    if (text) texts.push(text);
  }
  return texts.join(" · ");
}

/** FNV-1a, 32 bits: short and the same everywhere; equal nodes are told apart by their occurrence. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return (value >>> 0).toString(36);
}
