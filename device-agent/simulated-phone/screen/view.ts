import type { Painter } from "../draw/painter.ts";
import type { Point, Rect } from "./geometry.ts";
import type { TextField } from "./text-field.ts";

/** Density-independent pixels, the whole room, or as much as the content needs. */
export type Size = number | "fill" | "wrap";
export type Alignment = "start" | "center" | "end";

export interface Edges {
  readonly top?: number;
  readonly right?: number;
  readonly bottom?: number;
  readonly left?: number;
}

export interface TextStyle {
  readonly size: number;
  readonly weight?: number;
  readonly color?: string;
  readonly align?: Alignment;
  readonly maxLines?: number;
}

export interface Look {
  readonly background?: string;
  /** Colours at the top and the bottom. */
  readonly gradient?: readonly [string, string];
  readonly radius?: number;
  readonly border?: string;
  readonly elevation?: number;
}

/** How far a list is scrolled. The owner keeps the object; layout writes the limits. */
export interface Scroll {
  /** Pixels from the top. */
  offset: number;
  max: number;
}

export interface PinchHandler {
  onPinch(scale: number, focus: Point): void;
  onDrag(dx: number, dy: number): void;
}

/**
 * One view of an app, as it describes its screen anew after each change. Layout, picture, touch and the tree that
 * accessibility sees all come from this one description, so that they cannot disagree.
 */
export interface View {
  readonly className: string;
  /** `name` stands for `package:id/name`; with a colon it is taken as it is. */
  readonly id?: string;
  readonly text?: string;
  readonly description?: string;
  readonly hint?: string;
  readonly field?: TextField;
  readonly textStyle?: TextStyle;
  readonly look?: Look;
  readonly paint?: (painter: Painter, bounds: Rect) => void;

  readonly direction?: "column" | "row" | "stack";
  readonly width?: Size;
  readonly height?: Size;
  readonly weight?: number;
  readonly padding?: number | Edges;
  readonly margin?: number | Edges;
  readonly gap?: number;
  /** Where children stand across the direction; in a stack, horizontally. */
  readonly align?: Alignment;
  /** Where children stand along the direction; in a stack, vertically. */
  readonly justify?: Alignment | "between";
  readonly children?: readonly View[];
  readonly scroll?: Scroll;

  readonly isDisabled?: boolean;
  readonly isFocusable?: boolean;
  readonly isCheckable?: boolean;
  readonly isChecked?: boolean;
  readonly isSelected?: boolean;
  /** Drawn and touchable, but accessibility sees only this one view (a canvas, a game, a scanned page). */
  readonly isOpaque?: boolean;
  readonly onClick?: (at: Point) => void;
  readonly onLongClick?: (at: Point) => void;
  readonly onDoubleTap?: (at: Point) => void;
  readonly pinch?: PinchHandler;
}

/** A view with its place on the display. */
export interface PlacedView {
  readonly view: View;
  readonly bounds: Rect;
  /** The part of the bounds that no ancestor cuts off. */
  readonly visible: Rect;
  readonly lines: readonly string[];
  readonly children: readonly PlacedView[];
}

export function* placedViews(root: PlacedView): Generator<PlacedView> {
  yield root;
  for (const child of root.children) yield* placedViews(child);
}

/** The name that focus and long-lived state use for a view. */
export function viewKey(view: View): string | undefined {
  return view.id ?? view.description ?? view.text;
}
