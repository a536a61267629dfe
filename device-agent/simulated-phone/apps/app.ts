import type { IconName } from "../draw/icons.ts";
import type { Clipboard } from "../phone/clipboard.ts";
import type { SettingsStore } from "../phone/settings-store.ts";
import type { Point } from "../screen/geometry.ts";
import type { Look, View } from "../screen/view.ts";

export interface Intent {
  readonly action?: string;
  readonly data?: string;
  readonly categories?: readonly string[];
  readonly packageName?: string;
  readonly component?: { readonly packageName: string; readonly activity: string };
  readonly extras?: ReadonlyMap<string, string>;
  readonly flags?: number;
}

/** A window above the app's own. */
export interface Overlay {
  readonly kind: "dialog" | "popup";
  readonly root: View;
  /** A popup opens here; a dialog stands in the middle. */
  readonly anchor?: Point;
  /** Back, or a touch outside. */
  readonly onDismiss: () => void;
}

/** A running app: everything it shows follows from its state, asked for again after each change. */
export interface App {
  /** Class of the activity on top. */
  activity(): string;
  content(): View;
  overlay?(): Overlay | undefined;
  /** True when the app went back a step by itself. */
  onBack?(): boolean;
  /** It came to the front by this intent. */
  onIntent?(intent: Intent): void;
  /** Its window asks for no screenshots (FLAG_SECURE). */
  isSecure?(): boolean;
  /** The app below stays visible. */
  readonly isTranslucent?: boolean;
  /** What fills the window below the content and the bars. */
  readonly look?: Look;
  readonly hasDarkBars?: boolean;
}

/** What the system does for an app. */
export interface AppContext {
  /** The state has changed: draw again. */
  changed(): void;
  start(intent: Intent): void;
  finish(): void;
  /** Gives a field the focus and opens the keyboard. */
  focus(fieldId: string): void;
  hideKeyboard(): void;
  toast(text: string): void;
  now(): number;
  isLandscape(): boolean;
  /** Survives the app's process; gone with "clear data". */
  readonly storage: Map<string, unknown>;
  readonly settings: SettingsStore;
  readonly clipboard: Clipboard;
  readonly device: { readonly model: string; readonly androidRelease: string };
  hasPermission(name: string): boolean;
  setPermission(packageName: string, name: string, isGranted: boolean): void;
  askPermission(name: string, sentence: string): void;
  /** For the launcher: what can be started and what runs. */
  installed(): readonly AppSpec[];
  recent(): readonly AppSpec[];
  stop(packageName: string): void;
}

export interface AppSpec {
  readonly packageName: string;
  readonly label: string;
  /** The label is written out in the manifest instead of being a resource. */
  readonly isLabelWritten?: boolean;
  readonly versionName: string;
  readonly versionCode: number;
  readonly uid: number;
  readonly isSystem: boolean;
  readonly isInLauncher: boolean;
  /** The home screen. */
  readonly isHome?: boolean;
  /** Full class name. */
  readonly mainActivity: string;
  readonly otherActivities?: readonly string[];
  /** Activities that the launcher offers besides the main one. */
  readonly otherLaunchers?: readonly string[];
  readonly icon: { readonly name: IconName; readonly color: string };
  /** The activity for an intent without component. */
  resolve?(intent: Intent): string | undefined;
  open(context: AppContext): App;
}

export const CATEGORY_LAUNCHER = "android.intent.category.LAUNCHER";
export const CATEGORY_LEANBACK = "android.intent.category.LEANBACK_LAUNCHER";

export function activitiesOf(app: AppSpec): readonly string[] {
  return [app.mainActivity, ...(app.otherLaunchers ?? []), ...(app.otherActivities ?? [])];
}

/** `package/.Class`, as the activity manager shortens it. */
export function shortComponent(packageName: string, activity: string): string {
  const isOwn = activity.startsWith(`${packageName}.`) && !activity.slice(packageName.length + 1).includes("..");
  return `${packageName}/${isOwn ? activity.slice(packageName.length) : activity}`;
}

/** What the launcher sends to open an app: a phone's looks for the one category, a television's for the other. */
export function launchOf(packageName: string): Intent {
  return { packageName, action: "android.intent.action.MAIN", categories: [CATEGORY_LAUNCHER, CATEGORY_LEANBACK] };
}
