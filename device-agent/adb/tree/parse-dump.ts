import type { Bounds, Rotation, UiNode } from "../../../shared/device.ts";
import { decodeXmlText } from "./decode-xml.ts";

export type ParsedDump = { ok: true; rotation: Rotation; nodes: UiNode[] } | { ok: false; reason: DumpFault };
/**
 * Why a text is no tree: nothing of one in it, broken off, the page source of Appium's server, no window on the display
 * that is asked for, or no word of displays beside the main one.
 */
export type DumpFault = "missing" | "truncated" | "appium_page_source" | "no_window" | "main_display_only";

/**
 * The tree in what `uiautomator dump` gave, whatever stands before and behind it. Several windows are put together,
 * the lowest layer first; with a `display`, it is the one window of that display that has the focus. Element and
 * attribute names: AOSP frameworks/uiautomator, AccessibilityNodeInfoDumper.
 */
export function parseDump(text: string, display?: number): ParsedDump {
  const start = text.search(/<(\?xml|hierarchy|displays)[\s>]/);
  if (start < 0) return { ok: false, reason: "missing" };
  const { roots, isWhole } = readElements(text.slice(start));
  if (isAppiumSource(roots)) return { ok: false, reason: "appium_page_source" };
  if (!isWhole) return { ok: false, reason: "truncated" };
  const isOfAll = roots.some((element) => element.name === "displays");
  if (display !== undefined && !isOfAll && display !== 0) return { ok: false, reason: "main_display_only" };
  const hierarchies = display !== undefined && isOfAll ? windowInFront(roots, display) : findHierarchies(roots, 0);
  if (display !== undefined && isOfAll && hierarchies.length === 0) return { ok: false, reason: "no_window" };
  const first = hierarchies[0];
  if (!first) return { ok: false, reason: "missing" };
  hierarchies.sort((a, b) => a.layer - b.layer);
  const nodes: UiNode[] = [];
  const severalWindows = hierarchies.length > 1;
  for (const [index, { element }] of hierarchies.entries()) {
    collect(element, 0, severalWindows ? `w${index}` : "", nodes);
  }
  return { ok: true, rotation: rotationOf(first.element.attributes), nodes };
}

interface Element {
  name: string;
  attributes: Map<string, string>;
  children: Element[];
}

const tagPattern = /<(\/?)([A-Za-z_][\w.$-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/;
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Elements up to the end of the outermost one; what lies between tags is skipped. */
function readElements(xml: string): { roots: Element[]; isWhole: boolean } {
  const roots: Element[] = [];
  const open: Element[] = [];
  const tag = new RegExp(tagPattern, "y");
  let at = xml.indexOf("<");
  while (at >= 0) {
    tag.lastIndex = at;
    const match = tag.exec(xml);
    if (match) {
      const [, closing, name = "", attributes = "", selfClosing] = match;
      if (closing) {
        if (open.at(-1)?.name === name) open.pop();
      } else {
        const element = { name, attributes: readAttributes(attributes), children: [] };
        (open.at(-1)?.children ?? roots).push(element);
        if (!selfClosing) open.push(element);
      }
      if (open.length === 0 && roots.length > 0) return { roots, isWhole: true };
    }
    at = xml.indexOf("<", match ? tag.lastIndex : at + 1);
  }
  return { roots, isWhole: false };
}

function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single] of text.matchAll(attribute)) {
    attributes.set(name, decodeXmlText(double ?? single ?? ""));
  }
  return attributes;
}

function findHierarchies(elements: Element[], layer: number): { element: Element; layer: number }[] {
  return elements.flatMap((element) => {
    if (element.name === "hierarchy") return [{ element, layer }];
    return findHierarchies(element.children, Number(element.attributes.get("layer") ?? layer));
  });
}

/**
 * What a plain dump would tell if the display were the only one: of its windows the focused one, which Android tells
 * for each display, else the topmost app.
 */
function windowInFront(roots: Element[], display: number): { element: Element; layer: number }[] {
  const displays = roots.flatMap((root) => root.children).filter((child) => child.name === "display");
  const windows = windowsOf(displays.filter((element) => element.attributes.get("id") === `${display}`));
  const isApp = ({ attributes }: Element) => /APPLICATION/.test(attributes.get("type") ?? "APPLICATION");
  const layerOf = ({ attributes }: Element) => Number(attributes.get("layer") ?? 0);
  const rank = (window: Element) =>
    ["focused", "active"].filter((name) => window.attributes.get(name) === "true").length * 2 + Number(isApp(window));
  const [front] = windows.sort((a, b) => rank(b) - rank(a) || layerOf(b) - layerOf(a));
  return front ? hierarchiesIn(front).map((element) => ({ element, layer: 0 })) : [];
}

/** Those with a tree, at any depth: a window's children come before its own tree. */
function windowsOf(elements: Element[]): Element[] {
  return elements.flatMap(({ children }) => {
    const windows = children.filter((child) => child.name === "window");
    return [...windows.filter((window) => hierarchiesIn(window).length > 0), ...windowsOf(windows)];
  });
}

const hierarchiesIn = ({ children }: Element) => children.filter((child) => child.name === "hierarchy");

/** Its elements are named after classes instead of `node`. */
function isAppiumSource(roots: Element[]): boolean {
  const hierarchy = roots.find((element) => element.name === "hierarchy");
  if (!hierarchy) return false;
  return hierarchy.children.some((child) => child.name !== "node" && child.attributes.has("class"));
}

function rotationOf(attributes: Map<string, string>): Rotation {
  const rotation = Number(attributes.get("rotation"));
  return rotation === 1 || rotation === 2 || rotation === 3 ? rotation : 0;
}

function collect(parent: Element, depth: number, path: string, nodes: UiNode[]): void {
  const children = parent.children.filter((child) => child.name === "node");
  for (const [index, child] of children.entries()) {
    const own = path === "" ? `${index}` : `${path}.${index}`;
    nodes.push(toNode(child.attributes, depth, own));
    collect(child, depth + 1, own, nodes);
  }
}

function toNode(attributes: Map<string, string>, depth: number, path: string): UiNode {
  const get = (name: string) => attributes.get(name) ?? "";
  const is = (name: string) => get(name) === "true";
  const className = get("class");
  const hint = get("hint");
  const shown = get("text");
  const isHint = is("showing-hint") || (hint !== "" && shown === hint);
  return {
    className,
    packageName: get("package"),
    text: isHint ? "" : shown,
    description: get("content-desc"),
    hint: hint || (isHint ? shown : ""),
    resourceId: get("resource-id"),
    bounds: readBounds(get("bounds")),
    depth,
    path,
    clickable: is("clickable"),
    longClickable: is("long-clickable"),
    checkable: is("checkable"),
    checked: is("checked"),
    focusable: is("focusable"),
    focused: is("focused"),
    scrollable: is("scrollable"),
    editable: is("editable") || is("password") || /(EditText|AutoCompleteTextView|SearchAutoComplete)$/.test(className),
    enabled: get("enabled") !== "false",
    selected: is("selected"),
    password: is("password"),
  };
}

function readBounds(text: string): Bounds {
  const match = /^\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]$/.exec(text.trim());
  const [left = 0, top = 0, right = 0, bottom = 0] = (match ?? []).slice(1).map(Number);
  return { left, top, right, bottom };
}
