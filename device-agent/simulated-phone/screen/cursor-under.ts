import type { Point, Rect } from "./geometry.ts";
import { DEFAULT_TEXT, edgesOf, type TextMeasurer } from "./layout.ts";
import { shownText, type TextField } from "./text-field.ts";
import type { PlacedView, TextStyle } from "./view.ts";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The position in a field's value that lies nearest to a point on it, drawn as it was before the touch. */
export function positionUnder(
  placed: PlacedView,
  field: TextField,
  at: Point,
  measurer: TextMeasurer,
  scale: number,
): number {
  const style = placed.view.textStyle ?? DEFAULT_TEXT;
  const inner = innerOf(placed, scale);
  if (!field.isMultiline) {
    const line = { text: shownText(field), start: 0 };
    const cursorX = measurer.width(line.text.slice(0, field.isPassword ? undefined : field.selectionEnd), style);
    const hidden = Math.max(0, cursorX - (inner.right - inner.left));
    const shown = offsetIn(line.text, at.x - inner.left + hidden, style, measurer);
    return field.isPassword ? borderAt(field.value, shown) : shown;
  }
  const lines = linesOf(field.value, placed.lines);
  const lineHeight = measurer.lineHeight(style);
  const before = measurer.wrap(field.value.slice(0, field.selectionEnd), style, inner.right - inner.left);
  const hidden = Math.max(0, before.length * lineHeight - (inner.bottom - inner.top));
  const index = Math.floor((at.y - inner.top + hidden) / lineHeight);
  const line = lines[Math.min(lines.length - 1, Math.max(0, index))] ?? { text: "", start: 0 };
  return line.start + offsetIn(line.text, at.x - inner.left, style, measurer);
}

function innerOf({ view, bounds }: PlacedView, scale: number): Rect {
  const edges = edgesOf(view.padding, { scale });
  return {
    left: bounds.left + edges.left,
    top: bounds.top + edges.top,
    right: bounds.right - edges.right,
    bottom: bounds.bottom - edges.bottom,
  };
}

/** Where each line begins in the value: breaking may have left out spaces and line feeds between them. */
function linesOf(value: string, lines: readonly string[]): { text: string; start: number }[] {
  let from = 0;
  return lines.map((text) => {
    const start = Math.max(from, value.indexOf(text, from));
    from = start + text.length;
    return { text, start };
  });
}

/** Between which characters a distance from the start of a line lies. */
function offsetIn(text: string, x: number, style: TextStyle, measurer: TextMeasurer): number {
  let left = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    const width = measurer.width(segment, style);
    if (x < left + width / 2) return index;
    left += width;
  }
  return text.length;
}

/** The offset behind so many characters: a password shows one bullet for each. */
function borderAt(value: string, characters: number): number {
  const border = [...graphemes.segment(value)][characters];
  return border?.index ?? value.length;
}
