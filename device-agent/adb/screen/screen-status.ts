import type { Rotation, ScreenStatus, Size } from "../../../shared/device.ts";
import { defaultDisplayBlock } from "./display-block.ts";

/** The commands whose answers `parseStatus` takes, in this order; `wm size` only if it returned undefined. */
export const statusCommands = ["dumpsys power", "dumpsys window displays", "dumpsys window policy"];

/** All of the status but the keyboard, which has commands of its own. */
export type ScreenState = Omit<ScreenStatus, "keyboard">;

/**
 * Undefined when the size is missing, which old phones tell only to `wm size`: a slow program there, so it is not
 * asked everybody.
 */
export function parseStatus([power = "", displays = "", policy = "", wmSize = ""]: string[]): ScreenState | undefined {
  const display = defaultDisplayBlock(displays);
  const sizes = parseWmSize(wmSize);
  const natural = sizes?.override ?? sizes?.physical;
  const rotation = parseRotation(display) ?? parseRotation(policy) ?? 0;
  const size = parseCurrentSize(display) ?? (natural && rotated(natural, rotation));
  if (!size) return undefined;
  const window = `${policy}\n${display}`;
  return {
    size,
    rotation,
    awake: parseAwake(power),
    locked: parseKeyguardShowing(window),
    secureLock: /^\s*secure=true\b/m.test(window) || /\bmKeyguardSecure=true\b|\bisKeyguardSecure=true\b/.test(window),
  };
}

export interface WmSize {
  physical: Size;
  override: Size | null;
}

export function parseWmSize(text: string): WmSize | undefined {
  const physical = sizeAfter(text, "Physical size") ?? sizeAfter(text, "Size");
  if (!physical) return undefined;
  return { physical, override: sizeAfter(text, "Override size") };
}

function sizeAfter(text: string, label: string): Size | null {
  const match = new RegExp(`^${label}: (\\d+)x(\\d+)`, "m").exec(text);
  return match ? { width: Number(match[1]), height: Number(match[2]) } : null;
}

/** The size in the current rotation, override included: `cur=` of the default display, which comes first. */
export function parseCurrentSize(displays: string): Size | undefined {
  const match = /\bcur=(\d+)x(\d+)\b/.exec(displays);
  return match ? { width: Number(match[1]), height: Number(match[2]) } : undefined;
}

const quarterTurns: Record<string, Rotation> = {
  "0": 0,
  "1": 1,
  "2": 2,
  "3": 3,
  ROTATION_0: 0,
  ROTATION_90: 1,
  ROTATION_180: 2,
  ROTATION_270: 3,
};

/** Where the rotation stands, the most trustworthy first: at the start of a line it is the display's own. */
const rotationSources = [
  /^\s*mRotation=(ROTATION_\d+|[0-3])\b/m,
  /\bDisplayInfo\{[^\n]*\brotation (\d)\b/,
  /^\s*mCurrentRotation=(ROTATION_\d+|[0-3])\b/m,
  /\bmDisplayRotation=(ROTATION_\d+)\b/,
  /\bmRotation=(ROTATION_\d+|[0-3])\b/,
  /\bSurfaceOrientation: ([0-3])\b/,
];

/** Written as a number or as ROTATION_90, under names that changed over the years. */
export function parseRotation(text: string): Rotation | undefined {
  for (const source of rotationSources) {
    const rotation = quarterTurns[source.exec(text)?.[1] ?? ""];
    if (rotation !== undefined) return rotation;
  }
  return undefined;
}

/** A rotation under a name of its own, as a number or a word. */
export function parseNamedRotation(text: string, name: string): Rotation | undefined {
  return quarterTurns[new RegExp(`\\b${name}=(ROTATION_\\d+|[0-3])\\b`).exec(text)?.[1] ?? ""];
}

function rotated({ width, height }: Size, rotation: Rotation): Size {
  return rotation % 2 === 0 ? { width, height } : { width: height, height: width };
}

/**
 * mWakefulness, at the start of a line and as a whole word: the text also holds names of Java objects in which
 * "state=OFF" and the like occur. Before Android 5: mScreenOn. A phone that tells neither counts as awake, so that
 * nothing is refused for want of knowledge.
 */
export function parseAwake(power: string): boolean {
  const wakefulness = /^\s*mWakefulness=(\w+)/m.exec(power)?.[1];
  if (wakefulness) return wakefulness === "Awake" || wakefulness === "Dreaming";
  const screenOn = /^\s*mScreenOn=(true|false)/m.exec(power)?.[1];
  return screenOn !== "false";
}

/** Whether the keyguard lies over everything; an app that shows above it (a call, a camera) is not locked out. */
export function parseKeyguardShowing(text: string): boolean {
  const occluded = /^\s*occluded=true\b/m.test(text) || /\bmKeyguardOccluded=true\b/.test(text);
  if (occluded) return false;
  return (
    /^\s*showing=true\b/m.test(text) ||
    /\b(mIsShowing|isKeyguardShowing|mKeyguardShowing|KeyguardShowing|mShowingLockscreen)=true\b/.test(text)
  );
}
