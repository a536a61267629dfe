import { type AppSpec, type Intent, launchOf } from "../apps/app.ts";
import type { PhoneProfile } from "../options.ts";
import type { Clipboard } from "../phone/clipboard.ts";
import type { ProcessTable } from "../phone/process-table.ts";
import type { SettingsStore } from "../phone/settings-store.ts";
import type { SystemLog } from "../phone/system-log.ts";
import { createAppContexts } from "./app-contexts.ts";
import { composeWindows, focusedWindowOf, titleOf } from "./compose.ts";
import { positionUnder } from "./cursor-under.ts";
import type { Display } from "./display.ts";
import { createFocus } from "./focus.ts";
import { type FocusDirection, nextFocus } from "./focus-order.ts";
import { contains, EMPTY_RECT, heightOf } from "./geometry.ts";
import { createGestures, type TouchEvent } from "./gestures.ts";
import { createInactivity } from "./inactivity.ts";
import { createKeyguard, type Keyguard } from "./keyguard.ts";
import { type KeyPress, type KeyTarget, pressKey } from "./keys.ts";
import type { TextMeasurer } from "./layout.ts";
import { createReveal } from "./reveal.ts";
import { createShade, type Shade } from "./shade.ts";
import { createTaskStack, type TaskStack } from "./task-stack.ts";
import { deleteBackward, insertText, moveTo, selectAll, type TextField } from "./text-field.ts";
import { type PlacedView, placedViews, viewKey } from "./view.ts";
import type { PlacedWindow } from "./window.ts";

/** What a person sees and does, as one state. */
export interface Screen {
  readonly display: Display;
  readonly tasks: TaskStack;
  readonly keyguard: Keyguard;
  readonly shade: Shade;
  /** Differs whenever the picture may differ. */
  revision(): string;
  /** Bottom to top. */
  windows(): readonly PlacedWindow[];
  focusedWindow(): PlacedWindow | undefined;
  /** Key of the view with the focus in the focused window. */
  focusKey(): string | undefined;
  focusedField(): TextField | undefined;
  isKeyboardShown(): boolean;
  isAwake(): boolean;
  isPanelLit(): boolean;
  /** The backlight alone; the phone stays awake. */
  setPanelLit(isLit: boolean): void;
  wake(): void;
  sleep(): void;
  touch(event: TouchEvent): void;
  press(press: KeyPress): void;
  /** Types into the focused field; without one the text is lost. */
  type(text: string): void;
  scrollAt(x: number, y: number, pixels: number): void;
  start(intent: Intent, from?: string): ReturnType<TaskStack["start"]>;
  changed(): void;
  restart(): void;
  storageOf(packageName: string): Map<string, unknown>;
  permissionsOf(packageName: string): Set<string>;
}

export interface ScreenDependencies {
  readonly profile: PhoneProfile;
  readonly settings: SettingsStore;
  readonly clipboard: Clipboard;
  readonly display: Display;
  readonly measurer: TextMeasurer;
  readonly log: SystemLog;
  readonly processes: ProcessTable;
  readonly apps: readonly AppSpec[];
  batteryPercent(): number;
}

const TOAST_MS = 2_500;
const MAX_VOLUME = 15;

export function createScreen(dependencies: ScreenDependencies): Screen {
  const { profile, settings, clipboard, display, log, processes } = dependencies;
  const { clock } = profile;
  const state = { revision: 0, isAwake: true, isPanelLit: true, volume: 7, toast: undefined as string | undefined };
  let composed: { readonly key: string; readonly windows: readonly PlacedWindow[] } | undefined;
  const changed = () => void state.revision++;

  const keyguard = createKeyguard({
    kind: profile.keyguard,
    pin: profile.pin,
    leavesAfterMs: profile.quirks.slowKeyguardMs ?? 0,
    schedule: (ms, action) => void schedule(ms, action),
    onChange: changed,
  });
  const shade = createShade(settings, ({ packageName }) => void start(launchOf(packageName)), changed);
  const contexts = createAppContexts({
    profile,
    settings,
    clipboard,
    display,
    changed,
    showToast,
    tasks: () => tasks,
    start: (intent, from) => void start(intent, from),
    focus: (fieldId) => focus.set(titleOf(tasks.foreground()), fieldId, true),
    hideKeyboard: () => void focus.hideKeyboard(),
  });
  const tasks: TaskStack = createTaskStack({
    apps: dependencies.apps,
    isTelevision: profile.isTelevision,
    contextFor: contexts.contextFor,
    onChange: changed,
  });
  const focus = createFocus({
    tasks,
    isCovered: () => keyguard.isShowing() || shade.expansion() !== "closed",
    hasKeyboard: !profile.isTelevision,
    keyboard: { type, enter, changed, backspace: () => editField(deleteBackward) },
    onChange: changed,
  });

  function schedule(ms: number, action: () => void): () => void {
    const abort = new AbortController();
    clock.sleep(ms, abort.signal).then(action, () => {});
    return () => abort.abort();
  }

  function start(intent: Intent, from?: string) {
    const started = tasks.start(intent, from);
    if (started) {
      const component = `${started.packageName}/${started.activity}`;
      const { pid } = processes.ensureApp(started.packageName, tasks.find(started.packageName)?.uid ?? 10_000);
      log.add(
        "I",
        "ActivityTaskManager",
        `START u0 {flg=0x10000000 cmp=${component}} with LAUNCH_MULTIPLE from uid 2000 (BAL_ALLOW_PERMISSION) result code=${started.isBroughtToFront ? 2 : 0}`,
      );
      log.add("I", "ActivityTaskManager", `Displayed ${component} for user 0: +142ms`, pid);
      focus.hideKeyboard();
      shade.collapse();
    }
    return started;
  }

  function showToast(text: string): void {
    state.toast = text;
    changed();
    schedule(TOAST_MS, () => {
      if (state.toast === text) state.toast = undefined;
      changed();
    });
  }

  function windows(): readonly PlacedWindow[] {
    const key = layoutRevision();
    if (composed?.key === key) return composed.windows;
    const top = tasks.foreground();
    const list = composeWindows({
      display,
      measurer: dependencies.measurer,
      tasks: top.app.isTranslucent ? tasks.tasks().slice(-2) : [top],
      now: clock.now(),
      batteryPercent: dependencies.batteryPercent(),
      isAirplane: settings.isOn("global", "airplane_mode_on"),
      hasWifi: settings.isOn("global", "wifi_on"),
      toast: state.toast,
      keyguard: keyguard.isShowing() ? keyguard.view : undefined,
      isKeyguardDark: keyguard.isBouncerShowing(),
      shade: shade.expansion() !== "closed" ? shade.view : undefined,
      keyboardFor: focus.keyboardFor,
      navigation: { back, home, recents },
      onShadeSwipe: (direction) => direction === "up" && shade.collapse(),
      onKeyguardSwipe: (direction) => direction === "up" && keyguard.requestDismiss(),
      onStatusBarSwipe: (direction) => direction === "down" && shade.expand("notifications"),
    });
    composed = { key, windows: list };
    return list;
  }

  /** Differs whenever the layout may differ: the clock and the battery are on the screen too. */
  function layoutRevision(): string {
    return `${state.revision} ${Math.floor(clock.now() / 60_000)} ${display.rotation()} ${dependencies.batteryPercent()}`;
  }

  function back(): void {
    if (keyguard.isShowing()) return void keyguard.hideBouncer();
    if (shade.collapse() || focus.hideKeyboard()) return;
    const task = tasks.foreground();
    const overlay = task.app.overlay?.();
    if (overlay) overlay.onDismiss();
    else if (!(task.app.onBack?.() ?? false)) tasks.finish(task.spec.packageName);
    changed();
  }
  function home(): void {
    if (keyguard.isShowing()) return;
    focus.hideKeyboard();
    shade.collapse();
    tasks.goHome();
  }
  function recents(): void {
    const extras = new Map([["overview", "1"]]);
    if (!keyguard.isShowing()) start({ action: MAIN, categories: ["android.intent.category.HOME"], extras });
  }

  function editField(edit: (field: TextField) => void): void {
    const field = focus.field();
    if (field) edit(field);
    changed();
  }
  function type(text: string): void {
    if (!state.isAwake) return;
    if (keyguard.isShowing()) keyguard.typeDigits(text);
    else editField((field) => insertText(field, text));
  }
  function enter(): void {
    editField((field) => {
      if (field.isMultiline) insertText(field, "\n");
      else if (field.onSubmit) field.onSubmit();
      else moveFocus("next");
    });
  }

  const focusedWindow = () => focusedWindowOf(windows());
  const viewsInFocus = () => [...placedViews(focusedWindow()?.root ?? NOTHING)];
  function moveFocus(direction: FocusDirection): void {
    const next = nextFocus(focusedWindow()?.root ?? NOTHING, focus.key(), direction);
    const key = next && viewKey(next.view);
    if (key !== undefined)
      focus.set(focus.targetTitle(), key, next?.view.field !== undefined && focus.isKeyboardShown());
  }

  const keyTarget: KeyTarget = {
    isAwake: () => state.isAwake,
    isLocked: keyguard.isShowing,
    field: focus.field,
    clipboard,
    keyguard,
    wake,
    sleep: () => sleep(),
    back,
    home,
    recents,
    moveFocus,
    enter,
    changed,
    expandShade: () => shade.expand("notifications"),
    openByAction: (action) => void start({ action }),
    changeVolume(step) {
      state.volume = Math.min(MAX_VOLUME, Math.max(0, state.volume + step));
      showToast(`Media volume ${Math.round((state.volume / MAX_VOLUME) * 100)}%`);
    },
    clickFocused() {
      const key = focus.key();
      const placed = viewsInFocus().find(({ view }) => viewKey(view) === key);
      placed?.view.onClick?.({ x: placed.bounds.left, y: placed.bounds.top });
    },
    scroll(share) {
      const placed = viewsInFocus().find(({ view }) => view.scroll);
      if (placed?.view.scroll) placed.view.scroll.offset += share * heightOf(placed.bounds);
    },
  };

  const gestures = createGestures({
    windows,
    slopPixels: () => TOUCH_SLOP_DP * display.scale(),
    schedule,
    onChange: changed,
    onTap(target, at, placed) {
      const key = viewKey(target.view);
      if (target.view.field && key !== undefined) {
        moveTo(target.view.field, positionUnder(target, target.view.field, at, dependencies.measurer, display.scale()));
        const reveal = createReveal(target, windows());
        if (placed.window.isFocusable) focus.set(focus.targetTitle(), key, true);
        reveal(windows());
      } else target.view.onClick?.(at);
      changed();
    },
    onLongPress(target, at) {
      if (target.view.field) selectAll(target.view.field);
      target.view.onLongClick?.(at);
      changed();
    },
  });

  const inactivity = createInactivity({
    after: () =>
      profile.screenTimeoutMs === undefined ? undefined : Number(settings.get("system", "screen_off_timeout")),
    staysOn: () => (settings.get("global", "stay_on_while_plugged_in") ?? "0") !== "0",
    schedule,
    onTimeout: () => sleep("timeout"),
  });
  inactivity.restart();

  function wake(): void {
    if (!state.isAwake)
      log.add("I", "PowerManagerService", "Waking up from Asleep (uid=2000, reason=WAKE_REASON_WAKE_KEY)...");
    state.isAwake = true;
    state.isPanelLit = true;
    inactivity.restart();
    changed();
  }
  function sleep(reason = "power_button"): void {
    if (!state.isAwake) return;
    log.add("I", "PowerManagerService", `Going to sleep due to ${reason} (uid 1000)...`);
    state.isAwake = false;
    focus.hideKeyboard();
    shade.collapse();
    keyguard.lock();
  }

  return {
    display,
    tasks,
    keyguard,
    shade,
    revision: () => `${layoutRevision()} ${state.isAwake} ${state.isPanelLit}`,
    windows,
    focusedWindow,
    focusKey: focus.key,
    focusedField: focus.field,
    isKeyboardShown: () => state.isAwake && focus.isKeyboardShown(),
    isAwake: () => state.isAwake,
    isPanelLit: () => state.isAwake && state.isPanelLit,
    setPanelLit(isLit) {
      state.isPanelLit = isLit;
      changed();
    },
    wake,
    sleep: () => sleep(),
    touch(event) {
      inactivity.restart();
      if (state.isAwake) gestures.touch(event);
    },
    press(press) {
      inactivity.restart();
      pressKey(keyTarget, press);
    },
    type(text) {
      inactivity.restart();
      type(text);
    },
    scrollAt(x, y, pixels) {
      const placed = windows().flatMap((window) => [...placedViews(window.root)]);
      const scroller = placed.findLast(({ view, visible }) => view.scroll && contains(visible, { x, y }));
      if (scroller?.view.scroll) scroller.view.scroll.offset += pixels;
      changed();
    },
    start,
    changed,
    restart() {
      tasks.stopAll();
      focus.clear();
      Object.assign(state, { isAwake: true, isPanelLit: true, toast: undefined });
      shade.collapse();
      keyguard.lock();
      tasks.goHome();
    },
    storageOf: contexts.storageOf,
    permissionsOf: contexts.permissionsOf,
  };
}

const MAIN = "android.intent.action.MAIN";
const TOUCH_SLOP_DP = 8;
const NOTHING: PlacedView = {
  view: { className: "android.view.View" },
  bounds: EMPTY_RECT,
  visible: EMPTY_RECT,
  lines: [],
  children: [],
};
