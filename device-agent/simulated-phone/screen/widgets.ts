import type { IconName } from "../draw/icons.ts";
import { centerOf, heightOf, rectOf, widthOf } from "./geometry.ts";
import type { TextField } from "./text-field.ts";
import type { Edges, Scroll, TextStyle, View } from "./view.ts";

export const THEME = {
  primary: "#3b5ba9",
  onPrimary: "#ffffff",
  primaryContainer: "#dae2ff",
  onPrimaryContainer: "#00174a",
  surface: "#faf8ff",
  surfaceContainer: "#eeedf5",
  surfaceHigh: "#e4e2ec",
  onSurface: "#1a1b21",
  onSurfaceVariant: "#474952",
  outline: "#777982",
  outlineVariant: "#c6c6d0",
  error: "#ba1a1a",
} as const;

type Extra = Partial<View>;

export const column = (children: readonly View[], extra: Extra = {}): View => ({
  className: "android.widget.LinearLayout",
  direction: "column",
  width: "fill",
  ...extra,
  children,
});

export const row = (children: readonly View[], extra: Extra = {}): View => ({
  className: "android.widget.LinearLayout",
  direction: "row",
  width: "fill",
  align: "center",
  ...extra,
  children,
});

export const stack = (children: readonly View[], extra: Extra = {}): View => ({
  className: "android.widget.FrameLayout",
  direction: "stack",
  width: "fill",
  ...extra,
  children,
});

/** A list that scrolls; only what is on the screen exists in the tree. */
export const list = (scroll: Scroll, children: readonly View[], extra: Extra = {}): View => ({
  className: "androidx.recyclerview.widget.RecyclerView",
  direction: "column",
  width: "fill",
  height: "fill",
  weight: 1,
  isFocusable: true,
  ...extra,
  scroll,
  children,
});

/** A form that scrolls when it does not fit. */
export const scrollView = (scroll: Scroll, children: readonly View[], extra: Extra = {}): View =>
  list(scroll, children, { className: "android.widget.ScrollView", ...extra });

export const label = (text: string, textStyle: TextStyle, extra: Extra = {}): View => ({
  className: "android.widget.TextView",
  text,
  textStyle,
  ...extra,
});

export const space = (weight = 1): View => ({ className: "android.view.View", weight, width: 0, height: 0 });

export const divider = (margin: Edges = {}): View => ({
  className: "android.view.View",
  width: "fill",
  height: 1,
  margin,
  look: { background: THEME.outlineVariant },
});

export const button = (
  text: string,
  id: string,
  onClick: () => void,
  kind: "filled" | "tonal" | "text" = "filled",
  extra: Extra = {},
): View => {
  const colors = {
    filled: { background: THEME.primary, color: THEME.onPrimary },
    tonal: { background: THEME.primaryContainer, color: THEME.onPrimaryContainer },
    text: { background: undefined, color: THEME.primary },
  }[kind];
  return {
    className: "android.widget.Button",
    id,
    text,
    textStyle: { size: 15, weight: 600, color: colors.color, align: "center" },
    look: { radius: 24, ...(colors.background && { background: colors.background }) },
    padding: { left: kind === "text" ? 14 : 24, right: kind === "text" ? 14 : 24, top: 13, bottom: 13 },
    isFocusable: true,
    onClick,
    ...extra,
  };
};

export const icon = (name: IconName, size: number, color: string, extra: Extra = {}): View => ({
  className: "android.widget.ImageView",
  width: size,
  height: size,
  paint: (painter, bounds) => painter.icon(name, bounds, color),
  ...extra,
});

export const iconButton = (
  name: IconName,
  description: string,
  onClick: () => void,
  extra: Extra = {},
  color: string = THEME.onSurfaceVariant,
): View => ({
  className: "android.widget.ImageButton",
  description,
  width: 48,
  height: 48,
  isFocusable: true,
  onClick,
  paint(painter, bounds) {
    const center = centerOf(bounds);
    const size = 24 * painter.scale;
    painter.icon(name, rectOf(center.x - size / 2, center.y - size / 2, size, size), color);
  },
  ...extra,
});

export const editText = (id: string, field: TextField, hint: string, extra: Extra = {}): View => ({
  className: "android.widget.EditText",
  id,
  field,
  hint,
  width: "fill",
  textStyle: { size: 16 },
  padding: { left: 16, right: 16, top: 15, bottom: 15 },
  look: { background: THEME.surfaceContainer, radius: 14 },
  isFocusable: true,
  ...extra,
});

const switchKnob = (isChecked: boolean): Extra => ({
  paint(painter, bounds) {
    const radius = heightOf(bounds) / 2;
    painter.fill(bounds, isChecked ? THEME.primary : THEME.surfaceHigh, radius);
    if (!isChecked) painter.stroke(bounds, THEME.outline, 2 * painter.scale, radius);
    const x = isChecked ? bounds.right - radius : bounds.left + radius;
    painter.circle(
      x,
      bounds.top + radius,
      radius * (isChecked ? 0.75 : 0.5),
      isChecked ? THEME.onPrimary : THEME.outline,
    );
  },
});

export const switchView = (id: string, isChecked: boolean, extra: Extra = {}): View => ({
  className: "android.widget.Switch",
  id,
  isCheckable: true,
  isChecked,
  width: 52,
  height: 32,
  ...switchKnob(isChecked),
  ...extra,
});

export const checkBox = (id: string, text: string, isChecked: boolean, onClick: () => void): View => ({
  className: "android.widget.CheckBox",
  id,
  text,
  textStyle: { size: 15, color: THEME.onSurfaceVariant },
  isCheckable: true,
  isChecked,
  isFocusable: true,
  onClick,
  padding: { left: 34, top: 12, bottom: 12, right: 8 },
  paint(painter, bounds) {
    const size = 20 * painter.scale;
    const box = rectOf(bounds.left + 2 * painter.scale, centerOf(bounds).y - size / 2, size, size);
    if (isChecked) painter.fill(box, THEME.primary, 4 * painter.scale);
    else painter.stroke(box, THEME.outline, 2 * painter.scale, 4 * painter.scale);
    if (isChecked) painter.icon("check", box, THEME.onPrimary);
  },
});

/** A round badge with an icon, as in lists and on the launcher. */
export const badge = (name: IconName, color: string, size: number, extra: Extra = {}): View => ({
  className: "android.widget.ImageView",
  width: size,
  height: size,
  paint(painter, bounds) {
    const center = centerOf(bounds);
    painter.circle(center.x, center.y, widthOf(bounds) / 2, color);
    const inner = widthOf(bounds) * 0.54;
    painter.icon(name, rectOf(center.x - inner / 2, center.y - inner / 2, inner, inner), "#ffffff");
  },
  ...extra,
});

export interface AppBarOptions {
  readonly onBack?: () => void;
  readonly actions?: readonly View[];
  readonly background?: string;
}

export const appBar = (title: string, options: AppBarOptions = {}): View =>
  row(
    [
      ...(options.onBack ? [iconButton("back", "Navigate up", options.onBack)] : []),
      label(
        title,
        { size: 22, weight: 500, maxLines: 1, color: THEME.onSurface },
        { weight: 1, margin: { left: options.onBack ? 4 : 16 } },
      ),
      ...(options.actions ?? []),
    ],
    {
      className: "android.view.ViewGroup",
      id: "toolbar",
      height: 64,
      padding: { left: 4, right: 4 },
      look: { background: options.background ?? THEME.surface },
    },
  );

export const dialog = (title: string, message: string, actions: readonly View[]): View =>
  column(
    [
      label(title, { size: 22, weight: 500 }, { id: "android:id/alertTitle" }),
      label(message, { size: 15, color: THEME.onSurfaceVariant }, { id: "android:id/message", margin: { top: 16 } }),
      row([space(), ...actions], {
        className: "android.widget.LinearLayout",
        id: "android:id/buttonPanel",
        margin: { top: 20 },
        gap: 4,
      }),
    ],
    {
      id: "android:id/parentPanel",
      padding: { left: 24, right: 24, top: 24, bottom: 16 },
      look: { background: THEME.surfaceContainer, radius: 28, elevation: 6 },
    },
  );

export interface MenuEntry {
  readonly text: string;
  readonly icon?: IconName;
  readonly onClick: () => void;
}

export const menu = (entries: readonly MenuEntry[]): View =>
  column(
    entries.map((entry) =>
      row(
        [
          ...(entry.icon ? [icon(entry.icon, 22, THEME.onSurfaceVariant)] : []),
          label(entry.text, { size: 16 }, { id: "android:id/title", weight: 1 }),
        ],
        {
          gap: 14,
          height: 50,
          padding: { left: 16, right: 16 },
          isFocusable: true,
          onClick: entry.onClick,
        },
      ),
    ),
    {
      className: "android.widget.ListView",
      padding: { top: 8, bottom: 8 },
      look: { background: THEME.surfaceContainer, radius: 12, elevation: 5 },
    },
  );
