import type { DeviceFiles, DevicePackages, DeviceShell } from "./device-control.ts";
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

/** A display beside the main one, by Android's own number (the logical id). */
export interface OtherDisplay extends ScreenShape {
  id: number;
}

export interface ScreenStatus extends ScreenShape {
  awake: boolean;
  /** The keyguard is showing. */
  locked: boolean;
  /** The keyguard asks for a PIN, pattern or password. */
  secureLock: boolean;
  /** Where the soft keyboard takes touches now; empty while none is shown. */
  keyboard: Bounds[];
  /** Left out where there is one display only. */
  otherDisplays?: OtherDisplay[];
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

/** A text found in pixels. */
export interface TextBox {
  text: string;
  /** How sure the reading is, 0–1. */
  score: number;
  bounds: Bounds;
}

export interface ReadText extends ScreenShape {
  /** In reading order: rows from top to bottom, in a row from left to right. */
  texts: TextBox[];
  /** As of a picture: black all over although nothing secure is shown. */
  black: boolean;
}

export interface UiTree extends ScreenShape {
  /** In document order: parents before children, back to front. */
  nodes: UiNode[];
}

export interface ForegroundApp {
  packageName: string | null;
  activity: string | null;
  /** A system surface that lies over the app, if there is one. */
  overlay: "notification_shade" | "keyguard" | "permission_dialog" | "not_responding" | "chooser" | null;
  /** Packages in front on other displays of the phone; left out where there are none. */
  elsewhere?: string[];
}

export interface InstalledApp {
  packageName: string;
  /** Null where the phone does not tell it cheaply. */
  versionCode: number | null;
  /** As the app writes it, for example "4.12 beta"; null where the phone did not tell in time. */
  version: string | null;
  /** Its name on the home screen; null where the phone cannot tell it, or did not within three seconds. */
  label: string | null;
  system: boolean;
}

export interface StartedApp extends ForegroundApp {
  /** Other activities of the app that have a symbol of their own; the first one was started. */
  otherLaunchers?: string[];
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
  /** Of the processor, for example "arm64-v8a"; null where the phone does not tell. */
  abi: string | null;
  /** Kind of the network in use, "none" without one; null where the phone does not tell. */
  network: string | null;
  /** Tools that cannot work on this phone, each with one sentence. */
  limitations: { tool: string; reason: string }[];
}

/** How a text was typed and what the field held afterwards. */
export interface TypedText {
  route: "input" | "clipboard" | "helper_keyboard";
  /** There was no text in the clipboard, so what was there, if anything, could not be put back: it is empty now. */
  clipboardEmptied?: boolean;
  /** The focused field's text after typing; null if it cannot be read (password, no tree, no field). */
  fieldText: string | null;
  verified: "true" | "false" | "unverifiable";
}

export interface PostedNotification {
  packageName: string;
  /** As the app wrote them; may be empty. */
  title: string;
  text: string;
  /** Milliseconds since 1970; null where the phone does not tell. */
  postedAt: number | null;
  /** Stays until the app takes it away. */
  ongoing: boolean;
}

/** Which lines of the phone's log are wanted. */
export interface LogRequest {
  lines: number;
  priority: "verbose" | "debug" | "info" | "warn" | "error" | "fatal";
  tag?: string | undefined;
  packageName?: string | undefined;
  sinceSeconds?: number | undefined;
}

/** How the screen stands, whatever orientation is natural to the phone. */
export type Orientation = "portrait" | "landscape" | "reverse_portrait" | "reverse_landscape";

/** By which way an input went: over the open scrcpy channel, or by the phone's own `input` program. */
export type InputRoute = "scrcpy" | "input";

/** What one display of a phone shows, and touches and keys for it. */
export interface DeviceScreen {
  status(signal: AbortSignal): Promise<ScreenStatus>;
  /** Throws `screen_off`, `screen_secure`, `screenshot_failed`, `deadline_exceeded`. Never wakes the phone. */
  capture(request: PictureRequest, signal: AbortSignal): Promise<Picture>;
  /** Throws `ui_not_idle`, `ui_unavailable`, `screen_off`. Never an empty tree in place of a failure. */
  readTree(signal: AbortSignal): Promise<UiTree>;
  /** Reads the texts in the pixels of the screen. Throws as `capture` does, and `unsupported`, `device_busy`, `too_large`. */
  readText(signal: AbortSignal): Promise<ReadText>;
  foreground(signal: AbortSignal): Promise<ForegroundApp>;
  tap(point: Point, signal: AbortSignal): Promise<InputRoute>;
  /** Two taps within the time that Android takes for a double tap. */
  doubleTap(point: Point, signal: AbortSignal): Promise<InputRoute>;
  /** A swipe that stays where it is, is a long press. */
  swipe(from: Point, to: Point, durationMs: number, signal: AbortSignal): Promise<InputRoute>;
  /** Two fingers move apart (`scale` > 1) or together (< 1) around `centre`. Throws `unsupported`. */
  pinch(centre: Point, scale: number, signal: AbortSignal): Promise<InputRoute>;
  pressKey(key: KeyName, signal: AbortSignal): Promise<InputRoute>;
  /** Throws `unsupported_characters` before the first character. */
  typeText(text: string, signal: AbortSignal): Promise<TypedText>;
}

/**
 * What a tool may do to one phone. A method is here only because a tool calls it. Every method ends when `signal`
 * aborts, and throws CodedError only. Pictures, trees and touches are those of the main display; keys and text go where
 * the phone has its focus.
 */
export interface Device extends DeviceScreen {
  /**
   * A display by its number; 0 is the main one, keys and text for it included. Of any other, every method throws
   * `target_not_found` when the phone has no such display, and `unsupported`, with nothing sent, where this phone cannot
   * do it there.
   */
  display(id: number): DeviceScreen;
  facts(signal: AbortSignal): Promise<DeviceFacts>;
  listApps(filter: "user" | "system" | "all", signal: AbortSignal): Promise<InstalledApp[]>;
  readClipboard(signal: AbortSignal): Promise<string>;
  /** Newest first. */
  readNotifications(signal: AbortSignal): Promise<PostedNotification[]>;
  /** The newest lines that fit, oldest first. Throws `target_not_found` for an app that does not run. */
  readLogs(request: LogRequest, signal: AbortSignal): Promise<string[]>;
  /** Resolves with the text read back, which the caller compares. */
  writeClipboard(text: string, signal: AbortSignal): Promise<string>;
  /** Starts the launcher activity (or `activity`) and resolves when it is in front. Throws `target_not_found`. */
  startApp(packageName: string, signal: AbortSignal): Promise<StartedApp>;
  stopApp(packageName: string, signal: AbortSignal): Promise<void>;
  /** Shows an address in the app for it and resolves with what came to the front. Throws `target_not_found`. */
  openUrl(url: string, signal: AbortSignal): Promise<ForegroundApp>;
  /** Resolves with how the screen stands afterwards, which may differ where an app keeps its own orientation. */
  setOrientation(
    orientation: Orientation | "auto",
    signal: AbortSignal,
  ): Promise<ScreenShape & { orientation: Orientation }>;
  /** Key 224, and dismisses a keyguard without a secret. Resolves with the status reached. */
  wake(signal: AbortSignal): Promise<ScreenStatus>;
  /** Key 223. */
  sleep(signal: AbortSignal): Promise<ScreenStatus>;
  readonly shell: DeviceShell;
  readonly files: DeviceFiles;
  readonly packages: DevicePackages;
  /** Resolves when the phone was told; it is gone soon after. */
  reboot(signal: AbortSignal): Promise<void>;
}
