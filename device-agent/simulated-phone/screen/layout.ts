import { EMPTY_RECT, heightOf, intersect, type Rect, rectOf, widthOf } from "./geometry.ts";
import { shownText } from "./text-field.ts";
import type { Alignment, Edges, PlacedView, TextStyle, View } from "./view.ts";

export interface TextMeasurer {
  /** The lines of a text broken at the width (pixels). */
  wrap(text: string, style: TextStyle, maxWidth: number): readonly string[];
  width(text: string, style: TextStyle): number;
  lineHeight(style: TextStyle): number;
}

export interface LayoutScope {
  readonly measurer: TextMeasurer;
  /** Pixels of one dp. */
  readonly scale: number;
}

export const DEFAULT_TEXT: TextStyle = { size: 16 };

interface Box {
  readonly width: number;
  readonly height: number;
}

type PixelEdges = Required<Edges>;

/** Places a view and everything in it into the rectangle. Children that lie outside of it are left out. */
export function placeView(view: View, bounds: Rect, clip: Rect, scope: LayoutScope): PlacedView {
  const visible = intersect(bounds, clip);
  const inner = insideOf(view, bounds, scope);
  const text = textOf(view);
  const lines = text === undefined ? [] : linesOf(view, text, widthOf(inner), scope);
  const children = (view.direction === "stack" ? placeStack : placeLine)(view, inner, intersect(visible, inner), scope);
  return { view, bounds: rounded(bounds), visible: rounded(visible), lines, children };
}

export function measureView(view: View, room: Box, scope: LayoutScope): Box {
  const padding = edgesOf(view.padding, scope);
  const horizontal = padding.left + padding.right;
  const vertical = padding.top + padding.bottom;
  const width = fixed(view.width, room.width, scope);
  const height = fixed(view.height, room.height, scope);
  if (width !== undefined && height !== undefined) return { width, height };
  const inner = { width: (width ?? room.width) - horizontal, height: (height ?? room.height) - vertical };
  const content = contentSize(view, inner, scope);
  return {
    width: width ?? Math.min(room.width, content.width + horizontal),
    height: height ?? Math.min(room.height, content.height + vertical),
  };
}

function fixed(size: View["width"], room: number, scope: LayoutScope): number | undefined {
  if (typeof size === "number") return size * scope.scale;
  return size === "fill" && Number.isFinite(room) ? room : undefined;
}

function contentSize(view: View, inner: Box, scope: LayoutScope): Box {
  const text = textOf(view);
  const own = text === undefined ? { width: 0, height: 0 } : textSize(view, text, inner.width, scope);
  const sizes = (view.children ?? []).map((child) => outerSize(child, inner, scope));
  const widths = sizes.map((size) => size.width);
  const heights = sizes.map((size) => size.height);
  const gaps = (view.gap ?? 0) * scope.scale * Math.max(0, sizes.length - 1);
  const isRow = view.direction === "row";
  const isColumn = !isRow && view.direction !== "stack";
  const width = isRow ? sum(widths) + gaps : Math.max(0, ...widths);
  // In a row a tall text narrows; it is measured again with the room that remains.
  const height = isRow ? rowHeight(view, inner, scope) : isColumn ? sum(heights) + gaps : Math.max(0, ...heights);
  return { width: Math.max(own.width, width), height: Math.max(own.height, height) };
}

function rowHeight(view: View, inner: Box, scope: LayoutScope): number {
  const widths = shares(view, inner.width, true, inner.height, scope);
  const heights = (view.children ?? []).map(
    (child, index) => outerSize(child, { width: widths[index] ?? 0, height: inner.height }, scope).height,
  );
  return Math.max(0, ...heights);
}

function textSize(view: View, text: string, width: number, scope: LayoutScope): Box {
  const style = view.textStyle ?? DEFAULT_TEXT;
  const lines = linesOf(view, text, width, scope);
  const widest = Math.max(0, ...lines.map((line) => scope.measurer.width(line, style)));
  return { width: Math.ceil(Math.min(width, widest)), height: lines.length * scope.measurer.lineHeight(style) };
}

function linesOf(view: View, text: string, width: number, scope: LayoutScope): readonly string[] {
  const style = view.textStyle ?? DEFAULT_TEXT;
  if (view.field && !view.field.isMultiline) return [text];
  const lines = scope.measurer.wrap(text, style, width);
  const limit = style.maxLines ?? lines.length;
  if (lines.length <= limit) return lines;
  const kept = lines.slice(0, limit);
  return [...kept.slice(0, -1), ellipsized(kept.at(-1) ?? "", style, width, scope)];
}

function ellipsized(line: string, style: TextStyle, width: number, scope: LayoutScope): string {
  let characters = [...line.trimEnd()];
  while (characters.length > 0 && scope.measurer.width(`${characters.join("")}…`, style) > width)
    characters = characters.slice(0, -1);
  return `${characters.join("")}…`;
}

/** What the view shows as text: its own, its field's, or the hint of an empty field. */
export function textOf(view: View): string | undefined {
  if (!view.field) return view.text;
  return view.field.value === "" ? (view.hint ?? "") : shownText(view.field);
}

function outerSize(child: View, room: Box, scope: LayoutScope): Box {
  const margin = edgesOf(child.margin, scope);
  const horizontal = margin.left + margin.right;
  const vertical = margin.top + margin.bottom;
  const size = measureView(
    child,
    { width: Math.max(0, room.width - horizontal), height: Math.max(0, room.height - vertical) },
    scope,
  );
  return { width: size.width + horizontal, height: size.height + vertical };
}

/** How much of the room along the direction each child gets, margins included. */
function shares(view: View, length: number, isRow: boolean, cross: number, scope: LayoutScope): number[] {
  const children = view.children ?? [];
  const gap = (view.gap ?? 0) * scope.scale;
  const along = (size: Box) => (isRow ? size.width : size.height);
  const isFlexible = (child: View) => (child.weight ?? 0) > 0 && Number.isFinite(length);
  const taken = children.map((child) =>
    isFlexible(child)
      ? 0
      : along(outerSize(child, isRow ? { width: length, height: cross } : { width: cross, height: length }, scope)),
  );
  const weights = sum(children.map((child) => (isFlexible(child) ? (child.weight ?? 0) : 0)));
  const rest = Math.max(0, length - sum(taken) - gap * Math.max(0, children.length - 1));
  return children.map((child, index) =>
    isFlexible(child) ? (rest * (child.weight ?? 0)) / weights : (taken[index] ?? 0),
  );
}

function placeLine(view: View, inner: Rect, clip: Rect, scope: LayoutScope): PlacedView[] {
  const children = view.children ?? [];
  if (children.length === 0) return [];
  const isRow = view.direction === "row";
  const gap = (view.gap ?? 0) * scope.scale;
  const length = view.scroll ? Number.POSITIVE_INFINITY : isRow ? widthOf(inner) : heightOf(inner);
  const cross = isRow ? heightOf(inner) : widthOf(inner);
  const lengths = shares(view, length, isRow, cross, scope);
  const total = sum(lengths) + gap * (children.length - 1);
  const rest = (isRow ? widthOf(inner) : heightOf(inner)) - total;
  if (view.scroll) {
    view.scroll.max = Math.max(0, Math.round(-rest));
    view.scroll.offset = Math.min(Math.max(0, view.scroll.offset), view.scroll.max);
  }
  const between = view.justify === "between" && children.length > 1 ? Math.max(0, rest) / (children.length - 1) : 0;
  let at =
    (isRow ? inner.left : inner.top) -
    (view.scroll?.offset ?? 0) +
    (view.scroll ? 0 : startFor(view.justify, Math.max(0, rest)));
  const placed: PlacedView[] = [];
  for (const [index, child] of children.entries()) {
    const share = lengths[index] ?? 0;
    const slot = isRow ? rectOf(at, inner.top, share, cross) : rectOf(inner.left, at, cross, share);
    at += share + gap + between;
    const bounds = withinSlot(child, slot, isRow, view.align, scope);
    if (!view.scroll || intersect(bounds, clip) !== EMPTY_RECT) placed.push(placeView(child, bounds, clip, scope));
  }
  return placed;
}

function placeStack(view: View, inner: Rect, clip: Rect, scope: LayoutScope): PlacedView[] {
  return (view.children ?? []).map((child) => {
    const size = outerSize(child, { width: widthOf(inner), height: heightOf(inner) }, scope);
    const left = inner.left + startFor(view.align, widthOf(inner) - size.width);
    const top = inner.top + startFor(view.justify, heightOf(inner) - size.height);
    const margin = edgesOf(child.margin, scope);
    const bounds = shrink(rectOf(left, top, size.width, size.height), margin);
    return placeView(child, bounds, clip, scope);
  });
}

/** The child's rectangle in its slot, aligned across the direction. */
function withinSlot(child: View, slot: Rect, isRow: boolean, align: Alignment | undefined, scope: LayoutScope): Rect {
  const room = shrink(slot, edgesOf(child.margin, scope));
  const size = measureView(child, { width: widthOf(room), height: heightOf(room) }, scope);
  if (isRow)
    return rectOf(room.left, room.top + startFor(align, heightOf(room) - size.height), widthOf(room), size.height);
  return rectOf(room.left + startFor(align, widthOf(room) - size.width), room.top, size.width, heightOf(room));
}

function startFor(align: Alignment | "between" | undefined, rest: number): number {
  if (align === "center") return rest / 2;
  return align === "end" ? rest : 0;
}

function insideOf(view: View, bounds: Rect, scope: LayoutScope): Rect {
  return shrink(bounds, edgesOf(view.padding, scope));
}

function shrink(rect: Rect, edges: PixelEdges): Rect {
  const left = rect.left + edges.left;
  const top = rect.top + edges.top;
  return {
    left,
    top,
    right: Math.max(left, rect.right - edges.right),
    bottom: Math.max(top, rect.bottom - edges.bottom),
  };
}

export function edgesOf(edges: number | Edges | undefined, scope: Pick<LayoutScope, "scale">): PixelEdges {
  const all =
    typeof edges === "number"
      ? { top: edges, right: edges, bottom: edges, left: edges }
      : { top: 0, right: 0, bottom: 0, left: 0, ...edges };
  return {
    top: all.top * scope.scale,
    right: all.right * scope.scale,
    bottom: all.bottom * scope.scale,
    left: all.left * scope.scale,
  };
}

function rounded(rect: Rect): Rect {
  return {
    left: Math.round(rect.left),
    top: Math.round(rect.top),
    right: Math.round(rect.right),
    bottom: Math.round(rect.bottom),
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
