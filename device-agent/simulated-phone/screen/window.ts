import type { Point, Rect } from "./geometry.ts";
import type { PlacedView, View } from "./view.ts";

export type WindowKind =
  | "app"
  | "dialog"
  | "popup"
  | "input-method"
  | "navigation-bar"
  | "status-bar"
  | "toast"
  | "shade";
export type SwipeDirection = "up" | "down" | "left" | "right";

/** One window of the phone, as the window manager knows it. */
export interface Window {
  readonly kind: WindowKind;
  /** As `dumpsys window` names it: `package/class`, or a system title. */
  readonly title: string;
  readonly packageName: string;
  readonly root: View;
  readonly frame: Rect;
  readonly isSecure?: boolean;
  readonly isFocusable: boolean;
  readonly dimsBehind?: boolean;
  /** A touch outside of a modal window. */
  readonly onOutsideTouch?: () => void;
  readonly onSwipe?: (direction: SwipeDirection, from: Point) => void;
}

export interface PlacedWindow {
  readonly window: Window;
  readonly root: PlacedView;
}

export const SYSTEM_UI = "com.android.systemui";
export const KEYBOARD_PACKAGE = "com.google.android.inputmethod.latin";
export const KEYBOARD_COMPONENT = "com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME";
