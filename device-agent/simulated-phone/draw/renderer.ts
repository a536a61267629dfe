import { type Canvas, createCanvas } from "@napi-rs/canvas";
import { heightOf, insetBy, type Rect, rectOf, widthOf } from "../screen/geometry.ts";
import { DEFAULT_TEXT, edgesOf, type TextMeasurer } from "../screen/layout.ts";
import type { Screen } from "../screen/screen.ts";
import { shownText, type TextField } from "../screen/text-field.ts";
import { type PlacedView, type TextStyle, viewKey } from "../screen/view.ts";
import { THEME } from "../screen/widgets.ts";
import type { PlacedWindow } from "../screen/window.ts";
import { loadFonts } from "./fonts.ts";
import { createPainter, type Painter } from "./painter.ts";

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** RGBA, 4 bytes a pixel. */
  readonly pixels: Buffer;
}

/** Pictures of the screen. The same state gives the same bytes without drawing again. */
export interface Renderer {
  frame(): Frame;
  png(): Promise<Buffer>;
}

export function createRenderer(screen: Screen, measurer: TextMeasurer): Renderer {
  loadFonts();
  let current: { readonly key: string; readonly canvas: Canvas; frame?: Frame; png?: Promise<Buffer> } | undefined;

  function drawn() {
    const key = screen.revision();
    if (current?.key === key) return current;
    const canvas = createCanvas(screen.display.width(), screen.display.height());
    drawScreen(canvas, screen, measurer);
    // Drawing lays out, which may set the limits of a list for the first time; the key is taken before.
    current = { key, canvas };
    return current;
  }

  return {
    frame() {
      const picture = drawn();
      picture.frame ??= { width: picture.canvas.width, height: picture.canvas.height, pixels: picture.canvas.data() };
      return picture.frame;
    },
    png() {
      const picture = drawn();
      picture.png ??= picture.canvas.encode("png");
      return picture.png;
    },
  };
}

function drawScreen(canvas: Canvas, screen: Screen, measurer: TextMeasurer): void {
  const context = canvas.getContext("2d");
  const painter = createPainter(context, screen.display.scale());
  painter.fill(screen.display.bounds(), "#000000");
  if (!screen.isAwake()) return;
  const focused = screen.focusedWindow();
  for (const placed of screen.windows()) {
    if (placed.window.dimsBehind) painter.fill(screen.display.bounds(), "rgba(0,0,0,0.36)");
    // Captures leave a secure window black; the person sees it, no program does.
    if (placed.window.isSecure) painter.fill(placed.window.frame, "#000000");
    else drawWindow(painter, placed, placed === focused ? screen.focusKey() : undefined, measurer);
  }
}

function drawWindow(
  painter: Painter,
  placed: PlacedWindow,
  focusKey: string | undefined,
  measurer: TextMeasurer,
): void {
  painter.clip(insetBy(placed.window.frame, placed.window.kind === "app" ? 0 : -12 * painter.scale), () =>
    drawView(painter, placed.root, focusKey, measurer),
  );
}

function drawView(painter: Painter, placed: PlacedView, focusKey: string | undefined, measurer: TextMeasurer): void {
  const { view, bounds } = placed;
  const isFocused = focusKey !== undefined && viewKey(view) === focusKey;
  const radius = (view.look?.radius ?? 0) * painter.scale;
  drawBackground(painter, placed, radius);
  view.paint?.(painter, bounds);
  if (view.field) drawField(painter, placed, view.field, isFocused, measurer);
  else if (placed.lines.length > 0) drawLines(painter, placed, measurer);
  if (isFocused) painter.stroke(insetBy(bounds, painter.scale), THEME.primary, 2 * painter.scale, radius);
  const drawChildren = () => {
    for (const child of placed.children) drawView(painter, child, focusKey, measurer);
  };
  if (view.scroll || view.isOpaque) painter.clip(placed.visible, drawChildren);
  else drawChildren();
  if (view.scroll && view.scroll.max > 0) drawScrollBar(painter, bounds, view.scroll.offset, view.scroll.max);
}

function drawBackground(painter: Painter, { view, bounds }: PlacedView, radius: number): void {
  const { look } = view;
  if (!look) return;
  if (look.elevation) painter.shadow(bounds, radius, look.elevation);
  if (look.gradient) painter.gradient(bounds, look.gradient[0], look.gradient[1], radius);
  if (look.background) painter.fill(bounds, look.background, radius);
  if (look.border) painter.stroke(bounds, look.border, painter.scale, radius);
}

function innerOf(painter: Painter, { view, bounds }: PlacedView): Rect {
  const edges = edgesOf(view.padding, { scale: painter.scale });
  return {
    left: bounds.left + edges.left,
    top: bounds.top + edges.top,
    right: bounds.right - edges.right,
    bottom: bounds.bottom - edges.bottom,
  };
}

/** Half of the height of Latin capitals, which is what looks centred, as a share of the text size. */
const CAP_HALF = 0.36;

function drawLines(painter: Painter, placed: PlacedView, measurer: TextMeasurer): void {
  const style = placed.view.textStyle ?? DEFAULT_TEXT;
  const inner = innerOf(painter, placed);
  const lineHeight = measurer.lineHeight(style);
  let top = inner.top + (heightOf(inner) - lineHeight * placed.lines.length) / 2;
  for (const line of placed.lines) {
    const rest = widthOf(inner) - measurer.width(line, style);
    const x = inner.left + (style.align === "center" ? rest / 2 : style.align === "end" ? rest : 0);
    painter.text(line, x, top + lineHeight / 2 + style.size * painter.scale * CAP_HALF, style);
    top += lineHeight;
  }
}

function drawField(
  painter: Painter,
  placed: PlacedView,
  field: TextField,
  isFocused: boolean,
  measurer: TextMeasurer,
): void {
  const isEmpty = field.value === "";
  const base = placed.view.textStyle ?? DEFAULT_TEXT;
  const style = isEmpty ? { ...base, color: THEME.outline } : base;
  const inner = innerOf(painter, placed);
  const lineHeight = measurer.lineHeight(style);
  const before = isEmpty ? "" : shownText(field).slice(0, field.isPassword ? undefined : field.selectionEnd);
  const cursorLines = field.isMultiline ? measurer.wrap(before, style, widthOf(inner)) : [before];
  const cursorX = measurer.width(cursorLines.at(-1) ?? "", style);
  // The cursor stays visible in a line or a text that is larger than its frame.
  const left = inner.left - (field.isMultiline ? 0 : Math.max(0, cursorX - widthOf(inner)));
  const overflow = Math.max(0, cursorLines.length * lineHeight - heightOf(inner));
  const height = lineHeight * Math.max(1, placed.lines.length);
  const top = (field.isMultiline ? inner.top : inner.top + (heightOf(inner) - height) / 2) - overflow;
  const isSelected = isFocused && !isEmpty && field.selectionStart !== field.selectionEnd;
  painter.clip(placed.visible, () => {
    for (const [index, line] of placed.lines.entries()) {
      const lineTop = top + index * lineHeight;
      if (isSelected) painter.fill(rectOf(left, lineTop, measurer.width(line, style), lineHeight), "#b4c5ff");
      if (field.isPassword && !isEmpty) drawDots(painter, line, left, lineTop + lineHeight / 2, style, measurer);
      else painter.text(line, left, lineTop + lineHeight / 2 + style.size * painter.scale * CAP_HALF, style);
    }
    const cursorTop = top + (cursorLines.length - 1) * lineHeight;
    if (isFocused)
      painter.fill(rectOf(left + cursorX, cursorTop + 2, 2 * painter.scale, lineHeight - 4), THEME.primary);
  });
}

/** The font's bullet is hardly to be seen. */
function drawDots(
  painter: Painter,
  bullets: string,
  left: number,
  middle: number,
  style: TextStyle,
  measurer: TextMeasurer,
): void {
  const step = measurer.width("•", style);
  const radius = style.size * painter.scale * 0.2;
  for (let index = 0; index < bullets.length; index++)
    painter.circle(left + (index + 0.5) * step, middle, radius, style.color ?? THEME.onSurface);
}

function drawScrollBar(painter: Painter, bounds: Rect, offset: number, max: number): void {
  const height = heightOf(bounds);
  const length = (height * height) / (height + max);
  const top = bounds.top + ((height - length) * offset) / max;
  const width = 3 * painter.scale;
  painter.fill(rectOf(bounds.right - width - 2 * painter.scale, top, width, length), "rgba(0,0,0,0.22)", width / 2);
}
