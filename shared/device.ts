import type { KeyName } from "./keys.ts";

/** A point in the phone's own pixels, in the current rotation, origin at the top left. */
export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** In pixels; right and bottom are exclusive. */
export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Quarter turns as Android counts them: 0 is the phone's natural orientation. */
export type Rotation = 0 | 1 | 2 | 3;

/** What coordinates mean at one moment: the size in the current rotation, override size included. */
export interface ScreenShape {
  size: Size;
  rotation: Rotation;
}

export interface ScreenStatus extends ScreenShape {
  awake: boolean;
  /** The keyguard is showing. */
  locked: boolean;
  /** The keyguard asks for a PIN, pattern or password. */
  secureLock: boolean;
}

export interface PictureRequest {
  /** The picture is never enlarged; its longest side is at most `limits.pictureMaxSide`. */
  maxWidth: number;
  /** JPEG quality, 1–100. Stepped down together with the size until `maxBytes` holds. */
  quality: number;
  maxBytes: number;
}

export interface Picture {
  bytes: Uint8Array;
  mimeType: "image/jpeg" | "image/png";
  /** Of the picture as encoded. */
  width: number;
  height: number;
  /** Of the screen at the moment of the capture. */
  native: Size;
  rotation: Rotation;
  /** The quality that was used. */
  quality: number;
  /** True if every pixel is (nearly) black although the screen is on and shows nothing secure. */
  black: boolean;
  /** Changes exactly when a pixel of the screen changed. */
  fingerprint: string;
}

export interface UiNode {
  className: string;
  packageName: string;
  /** Text as shown; for a password field, what the phone reports (bullets). A hint is not text. */
  text: string;
  description: string;
  hint: string;
  /** Full resource id, for example `com.example:id/save`, or "". */
  resourceId: string;
  bounds: Bounds;
  /** Nesting depth, 0 for a window's root. */
  depth: number;
  /** Indexes from the root, for example "0.2.1": stable while the layout stays. */
  path: string;
  clickable: boolean;
  longClickable: boolean;
  checkable: boolean;
  checked: boolean;
  focusable: boolean;
  focused: boolean;
  scrollable: boolean;
  editable: boolean;
  enabled: boolean;
  selected: boolean;
  password: boolean;
}

export interface UiTree extends ScreenShape {
  /** In document order: parents before children, back to front. */
  nodes: UiNode[];
}

export interface ForegroundApp {
  packageName: string | null;
  activity: string | null;
  /** A system surface that lies over the app, if there is one. */
  overlay: "notification_shade" | "keyguard" | "permission_dialog" | "not_responding" | null;
}

export interface InstalledApp {
  packageName: string;
  /** Null where the phone does not tell it cheaply. */
  versionCode: number | null;
  system: boolean;
}

export interface DeviceFacts {
  manufacturer: string;
  model: string;
  androidRelease: string;
  sdk: number;
  /** Physical size and density, and the override in force, if any. */
  physicalSize: Size;
  overrideSize: Size | null;
  density: number;
  batteryPercent: number | null;
  charging: boolean | null;
  locale: string | null;
  /** Tools that cannot work on this phone, each with one sentence. */
  limitations: { tool: string; reason: string }[];
}

/** How a text was typed and what the field held afterwards. */
export interface TypedText {
  route: "input" | "clipboard";
  /** The focused field's text after typing; null if it cannot be read (password, no tree, no field). */
  fieldText: string | null;
  verified: "true" | "false" | "unverifiable";
}

/**
 * What a tool may do to one phone. A method is here only because a tool calls it. Every method ends when `signal`
 * aborts, and throws CodedError only.
 */
export interface Device {
  facts(signal: AbortSignal): Promise<DeviceFacts>;
  status(signal: AbortSignal): Promise<ScreenStatus>;
  /** Throws `screen_off`, `screen_secure`, `screenshot_failed`, `deadline_exceeded`. Never wakes the phone. */
  capture(request: PictureRequest, signal: AbortSignal): Promise<Picture>;
  /** Throws `ui_not_idle`, `ui_unavailable`, `screen_off`. Never an empty tree in place of a failure. */
  readTree(signal: AbortSignal): Promise<UiTree>;
  foreground(signal: AbortSignal): Promise<ForegroundApp>;
  listApps(filter: "user" | "system" | "all", signal: AbortSignal): Promise<InstalledApp[]>;
  readClipboard(signal: AbortSignal): Promise<string>;
  /** Resolves with the text read back, which the caller compares. */
  writeClipboard(text: string, signal: AbortSignal): Promise<string>;
  tap(point: Point, signal: AbortSignal): Promise<void>;
  /** A swipe that stays where it is, is a long press. */
  swipe(from: Point, to: Point, durationMs: number, signal: AbortSignal): Promise<void>;
  pressKey(key: KeyName, signal: AbortSignal): Promise<void>;
  /** Throws `unsupported_characters` before the first character. */
  typeText(text: string, signal: AbortSignal): Promise<TypedText>;
  /** Starts the launcher activity (or `activity`) and resolves when it is in front. Throws `target_not_found`. */
  startApp(packageName: string, signal: AbortSignal): Promise<ForegroundApp>;
  stopApp(packageName: string, signal: AbortSignal): Promise<void>;
  /** Key 224, and dismisses a keyguard without a secret. Resolves with the status reached. */
  wake(signal: AbortSignal): Promise<ScreenStatus>;
  /** Key 223. */
  sleep(signal: AbortSignal): Promise<ScreenStatus>;
}
