import type { Display } from "./display.ts";
import { heightOf, type Rect, rectOf, widthOf } from "./geometry.ts";
import { type LayoutScope, measureView, placeView, type TextMeasurer } from "./layout.ts";
import { type NavigationActions, navigationBarView, statusBarView, toastView } from "./system-bars.ts";
import type { Task } from "./task-stack.ts";
import { type Look, type View, viewKey } from "./view.ts";
import { THEME } from "./widgets.ts";
import { KEYBOARD_PACKAGE, type PlacedWindow, type SwipeDirection, SYSTEM_UI, type Window } from "./window.ts";

/** Everything the window manager puts together. */
export interface Scene {
  readonly display: Display;
  readonly measurer: TextMeasurer;
  readonly tasks: readonly Task[];
  readonly now: number;
  readonly batteryPercent: number;
  readonly isAirplane: boolean;
  readonly hasWifi: boolean;
  readonly toast: string | undefined;
  readonly keyguard: ((time: string, date: string) => View) | undefined;
  readonly isKeyguardDark: boolean;
  readonly shade: ((time: string, date: string) => View) | undefined;
  /** The keyboard for the field that has the focus in this window, if it is open there. */
  keyboardFor(focusTitle: string, root: View): View | undefined;
  readonly navigation: NavigationActions;
  onShadeSwipe(direction: SwipeDirection): void;
  onKeyguardSwipe(direction: SwipeDirection): void;
  onStatusBarSwipe(direction: SwipeDirection): void;
}

export const WALLPAPER = ["#2b3f77", "#c77f9b"] as const;
const KEYBOARD_SHARE = { portrait: 0.34, landscape: 0.52 };
const DIALOG_MARGIN_DP = 28;
const DIALOG_MAX_DP = 420;
const POPUP_WIDTH_DP = 220;

export function composeWindows(scene: Scene): PlacedWindow[] {
  const { display } = scene;
  const scope: LayoutScope = { measurer: scene.measurer, scale: display.scale() };
  const insets = display.insets();
  const date = new Date(scene.now);
  const time = date.toISOString().slice(11, 16);
  const day = date.toLocaleDateString("en-US", { weekday: "long", month: "long", day: "numeric", timeZone: "UTC" });

  const isCovered = scene.keyguard !== undefined || scene.shade !== undefined;
  const focusTask = scene.tasks.at(-1);
  const drafts = scene.tasks.map((task) => ({
    task,
    title: titleOf(task),
    content: task.app.content(),
    overlay: task.app.overlay?.(),
  }));
  const focus = drafts.at(-1);
  const focusRoot = focus?.overlay?.root ?? focus?.content;
  const keyboard =
    !isCovered && focus && focusRoot
      ? scene.keyboardFor(focusTitle(focus.title, focus.overlay?.kind), focusRoot)
      : undefined;
  const keyboardFrame = keyboard ? keyboardRect(insets.content, display) : undefined;
  const content = keyboardFrame ? { ...insets.content, bottom: keyboardFrame.top } : insets.content;

  const windows: PlacedWindow[] = [];
  const place = (window: Window) =>
    windows.push({ window, root: placeView(window.root, window.frame, window.frame, scope) });

  for (const { task, title, content: root, overlay } of drafts) {
    const app = {
      title,
      packageName: task.spec.packageName,
      isFocusable: true,
      isSecure: task.app.isSecure?.() ?? false,
    };
    const dialogFrame = (view: View) => centered(view, content, scope);
    if (task.app.isTranslucent) {
      place({ ...app, kind: "dialog", root, frame: dialogFrame(root), dimsBehind: true, onOutsideTouch: () => {} });
      continue;
    }
    place({
      ...app,
      kind: "app",
      root: decor(root, content, display, task.app.look ?? { background: THEME.surface }, scope.scale),
      frame: display.bounds(),
    });
    if (overlay?.kind === "dialog")
      place({
        ...app,
        kind: "dialog",
        root: overlay.root,
        frame: dialogFrame(overlay.root),
        dimsBehind: true,
        onOutsideTouch: overlay.onDismiss,
      });
    if (overlay?.kind === "popup") {
      const frame = anchored(
        { ...overlay.root, width: POPUP_WIDTH_DP },
        overlay.anchor ?? { x: content.right, y: content.top },
        content,
        scope,
      );
      place({
        ...app,
        kind: "popup",
        title: `PopupWindow:${(task.id * 0x2c1b7f).toString(16)}`,
        root: overlay.root,
        frame,
        onOutsideTouch: overlay.onDismiss,
      });
    }
  }
  if (keyboard && keyboardFrame)
    place({
      kind: "input-method",
      title: "InputMethod",
      packageName: KEYBOARD_PACKAGE,
      root: keyboard,
      frame: keyboardFrame,
      isFocusable: false,
    });

  const isDark = scene.shade !== undefined || scene.keyguard !== undefined || (focusTask?.app.hasDarkBars ?? false);
  const barColor = isDark ? "#ffffff" : "#202127";
  if (scene.toast !== undefined) {
    const root = toastView(scene.toast);
    const size = measureView(root, { width: widthOf(content) * 0.9, height: heightOf(content) }, scope);
    const frame = rectOf(
      content.left + (widthOf(content) - size.width) / 2,
      content.bottom - size.height - 40 * scope.scale,
      size.width,
      size.height,
    );
    place({
      kind: "toast",
      title: "Toast",
      packageName: focusTask?.spec.packageName ?? SYSTEM_UI,
      root,
      frame,
      isFocusable: false,
    });
  }
  if (scene.keyguard || scene.shade) {
    const root = (scene.shade ?? scene.keyguard)?.(time, day);
    const look = scene.shade
      ? {}
      : { look: { gradient: scene.isKeyguardDark ? (["#20222e", "#14151c"] as const) : WALLPAPER } };
    if (root)
      place({
        kind: "shade",
        title: "NotificationShade",
        packageName: SYSTEM_UI,
        root: {
          className: "android.widget.FrameLayout",
          id: "com.android.systemui:id/legacy_window_root",
          direction: "stack",
          width: "fill",
          height: "fill",
          children: [root],
          ...look,
        },
        frame: display.bounds(),
        isFocusable: true,
        onSwipe: scene.shade ? scene.onShadeSwipe : scene.onKeyguardSwipe,
      });
  }
  const status = {
    time,
    batteryPercent: scene.batteryPercent,
    isAirplane: scene.isAirplane,
    hasWifi: scene.hasWifi,
    color: barColor,
  };
  if (heightOf(insets.statusBar) === 0) return windows;
  place({
    kind: "status-bar",
    title: "StatusBar",
    packageName: SYSTEM_UI,
    root: statusBarView(status),
    frame: insets.statusBar,
    isFocusable: false,
    onSwipe: scene.onStatusBarSwipe,
  });
  const isVertical = heightOf(insets.navigationBar) > widthOf(insets.navigationBar);
  const barBackground = keyboard && !isVertical ? "#e8e8f0" : undefined;
  const navigation = navigationBarView(scene.navigation, isVertical, keyboard ? "#202127" : barColor, barBackground);
  place({
    kind: "navigation-bar",
    title: "NavigationBar0",
    packageName: SYSTEM_UI,
    root: navigation,
    frame: insets.navigationBar,
    isFocusable: false,
  });
  return windows;
}

/** The window that keys and accessibility's "active window" mean. */
export function focusedWindowOf(windows: readonly PlacedWindow[]): PlacedWindow | undefined {
  return windows.findLast((placed) => placed.window.isFocusable);
}

export function focusTitle(title: string, kind: string | undefined): string {
  return kind === "dialog" || kind === "popup" ? `${title} ${kind}` : title;
}

export function titleOf(task: Task): string {
  return `${task.spec.packageName}/${task.app.activity()}`;
}

export function findView(root: View, key: string): View | undefined {
  if (viewKey(root) === key) return root;
  for (const child of root.children ?? []) {
    const found = findView(child, key);
    if (found) return found;
  }
  return undefined;
}

function decor(content: View, inner: Rect, display: Display, look: Look, scale: number): View {
  const padding = {
    top: inner.top / scale,
    left: inner.left / scale,
    right: (display.width() - inner.right) / scale,
    bottom: (display.height() - inner.bottom) / scale,
  };
  const frame = { className: "android.widget.FrameLayout", direction: "stack", width: "fill", height: "fill" } as const;
  return {
    ...frame,
    look,
    children: [
      {
        ...frame,
        className: "android.widget.LinearLayout",
        padding,
        children: [{ ...frame, id: "android:id/content", children: [content] }],
      },
    ],
  };
}

function keyboardRect(content: Rect, display: Display): Rect {
  const height = Math.round(
    display.height() * (display.isLandscape() ? KEYBOARD_SHARE.landscape : KEYBOARD_SHARE.portrait),
  );
  return { ...content, top: content.bottom - height };
}

function centered(view: View, content: Rect, scope: LayoutScope): Rect {
  const width = Math.min(widthOf(content) - 2 * DIALOG_MARGIN_DP * scope.scale, DIALOG_MAX_DP * scope.scale);
  const { height } = measureView(view, { width, height: heightOf(content) }, scope);
  return roundedRect(
    content.left + (widthOf(content) - width) / 2,
    content.top + (heightOf(content) - height) / 2,
    width,
    height,
  );
}

function anchored(view: View, anchor: { x: number; y: number }, content: Rect, scope: LayoutScope): Rect {
  const size = measureView(view, { width: widthOf(content), height: heightOf(content) }, scope);
  const edge = 8 * scope.scale;
  const left = Math.min(Math.max(content.left + edge, anchor.x - size.width / 2), content.right - size.width - edge);
  const top = Math.min(Math.max(content.top + edge, anchor.y), content.bottom - size.height - edge);
  return roundedRect(left, top, size.width, size.height);
}

function roundedRect(left: number, top: number, width: number, height: number): Rect {
  return rectOf(Math.round(left), Math.round(top), Math.round(width), Math.round(height));
}
