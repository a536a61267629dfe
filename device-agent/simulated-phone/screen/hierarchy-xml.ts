import type { Rect } from "./geometry.ts";
import { textOf } from "./layout.ts";
import { type PlacedView, placedViews, type View, viewKey } from "./view.ts";
import type { PlacedWindow } from "./window.ts";

export interface DumpOptions {
  readonly rotation: number;
  readonly focusKey: string | undefined;
  /** Without views that mean nothing by themselves (`uiautomator dump --compressed`). */
  readonly isCompressed: boolean;
  /** The release tells fields' hints (sdk 26 on). */
  readonly hasHint: boolean;
}

const DECLARATION = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>";

/** The dump of one window, in the form of AOSP's AccessibilityNodeInfoDumper. */
export function hierarchyXml(placed: PlacedWindow, options: DumpOptions): string {
  return DECLARATION + hierarchy(placed, options);
}

/** The windows of one display, bottom first. */
export interface DumpedDisplay {
  readonly id: number;
  readonly windows: readonly PlacedWindow[];
  /** Each display has a window with the focus. */
  readonly focused: PlacedWindow | undefined;
  /** It was used last. */
  readonly isActive: boolean;
  readonly options: DumpOptions;
}

/** The dump of all windows of all displays, top first (`uiautomator dump --windows`). */
export function windowsXml(displays: readonly DumpedDisplay[]): string {
  return `${DECLARATION}<displays>${displays.map(displayXml).join("")}</displays>`;
}

function displayXml({ id, windows, focused, isActive, options }: DumpedDisplay): string {
  const body = windows.map((placed, layer) => {
    const isFocused = placed === focused;
    const inner = hierarchy(placed, isFocused ? options : { ...options, focusKey: undefined });
    const { title, frame, kind } = placed.window;
    const type = kind === "input-method" ? "TYPE_INPUT_METHOD" : isOfApp(kind) ? "TYPE_APPLICATION" : "TYPE_SYSTEM";
    return `<window index="${windows.length - 1 - layer}" title="${escapeXml(title)}" bounds="${boundsText(frame)}" active="${isFocused && isActive}" focused="${isFocused}" accessibility-focused="false" id="${id * 100 + layer + 2}" layer="${layer}" type="${type}">${inner}</window>`;
  });
  return `<display id="${id}">${body.reverse().join("")}</display>`;
}

const isOfApp = (kind: PlacedWindow["window"]["kind"]) => kind === "app" || kind === "dialog" || kind === "popup";

function hierarchy(placed: PlacedWindow, options: DumpOptions): string {
  return `<hierarchy rotation="${options.rotation}">${nodes([placed.root], placed.window.packageName, options).join("")}</hierarchy>`;
}

function nodes(views: readonly PlacedView[], packageName: string, options: DumpOptions): string[] {
  return shown(views, options).map((placed, index) => {
    const children = placed.view.isOpaque ? [] : nodes(placed.children, packageName, options);
    const attributes = attributesOf(placed, index, packageName, options).map(
      ([name, value]) => `${name}="${escapeXml(value)}"`,
    );
    return children.length === 0
      ? `<node ${attributes.join(" ")} />`
      : `<node ${attributes.join(" ")}>${children.join("")}</node>`;
  });
}

function shown(views: readonly PlacedView[], options: DumpOptions): PlacedView[] {
  const visible = views.filter(({ visible: rect }) => rect.right > rect.left && rect.bottom > rect.top);
  if (!options.isCompressed) return visible;
  return visible.flatMap((placed) =>
    isImportant(placed.view) || placed.view.isOpaque ? [placed] : shown(placed.children, options),
  );
}

function isImportant(view: View): boolean {
  return Boolean(
    view.text ||
      view.description ||
      view.field ||
      view.scroll ||
      isClickable(view) ||
      view.isCheckable ||
      view.isFocusable,
  );
}

function attributesOf(
  placed: PlacedView,
  index: number,
  packageName: string,
  options: DumpOptions,
): [string, string][] {
  const { view } = placed;
  const isFocused = options.focusKey !== undefined && viewKey(view) === options.focusKey;
  return [
    ...(isNotFriendly(placed) ? [["NAF", "true"] as [string, string]] : []),
    ["index", String(index)],
    ["text", textOf(view) ?? ""],
    ["resource-id", resourceId(view, packageName)],
    ["class", view.className],
    ["package", packageName],
    ["content-desc", view.description ?? ""],
    ["checkable", String(view.isCheckable ?? false)],
    ["checked", String(view.isChecked ?? false)],
    ["clickable", String(isClickable(view))],
    ["enabled", String(!view.isDisabled)],
    ["focusable", String(view.isFocusable ?? false)],
    ["focused", String(isFocused)],
    ["scrollable", String(view.scroll !== undefined && view.scroll.max > 0)],
    ["long-clickable", String(view.onLongClick !== undefined || view.field !== undefined)],
    ["password", String(view.field?.isPassword ?? false)],
    ["selected", String(view.isSelected ?? false)],
    ["bounds", boundsText(placed.visible)],
    ...(options.hasHint
      ? [["drawing-order", String(index + 1)] as [string, string], ["hint", view.hint ?? ""] as [string, string]]
      : []),
  ];
}

function isClickable(view: View): boolean {
  return view.onClick !== undefined || view.field !== undefined || view.onDoubleTap !== undefined;
}

export function resourceId(view: View, packageName: string): string {
  if (view.id === undefined) return "";
  return view.id.includes(":") ? view.id : `${packageName}:id/${view.id}`;
}

/** "Not accessibility friendly": something to touch with no name in it or below it. */
function isNotFriendly(placed: PlacedView): boolean {
  if (!isClickable(placed.view) || placed.view.isDisabled) return false;
  if (placed.view.isOpaque) return !hasName(placed.view);
  return ![...placedViews(placed)].some(({ view }) => hasName(view));
}

const hasName = (view: View) => Boolean(textOf(view)) || Boolean(view.description);

function boundsText(rect: Rect): string {
  return `[${rect.left},${rect.top}][${rect.right},${rect.bottom}]`;
}

/** Characters that XML forbids become dots, as in the dumper's stripInvalidXMLChars. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ".")
    .replace(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? character)
    .replace(/[\u{10000}-\u{10FFFF}]/gu, (character) => `&#${character.codePointAt(0)};`);
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};
