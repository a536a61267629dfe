import type { Bounds } from "../../../shared/device.ts";

/** Prints only the windows whose title holds the word: about 20 ms, and one line where there is none. */
export const keyboardCommand = "dumpsys window InputMethod";

/**
 * Where the soft keyboard takes touches, from `keyboardCommand` and `dumpsys window displays`. The touchable region of
 * the input method's window counts, not its frame, which often is the whole screen; a floating keyboard and a toolbar
 * are told right by it. A phone that prints no such window is asked by the insets that the keyboard takes from apps
 * (Android 11 and newer); `displays` is the part about the display that is asked for. AOSP frameworks/base,
 * WindowState.dump and InsetsSource.dump.
 */
export function parseKeyboard(inputMethod: string, displays: string, display = 0): Bounds[] {
  const windows = inputMethod
    .split(/^(?=\s*Window #\d+ Window\{)/m)
    .filter((block) => /^\s*Window #\d+ Window\{[^}\n]*\bInputMethod\}/.test(block) && isOn(display, block));
  if (windows.length === 0) return insets(displays);
  return windows.filter(isShown).flatMap((block) => touchableRegion(block) ?? visibleFrame(block));
}

const hidden =
  /\bmViewVisibility=0x[48]\b|\bmHasSurface=false\b|\bisReadyForDisplay\(\)=false\b|\bisOnScreen=false\b|\bisVisible=false\b/;

/** Phones without several displays tell none. */
const isOn = (display: number, block: string) => Number(/\bmDisplayId=(\d+)/.exec(block)?.[1] ?? display) === display;

const isShown = (block: string) => !hidden.test(block);

/** Undefined where none is printed: the window then takes touches in all of its frame. */
function touchableRegion(block: string): Bounds[] | undefined {
  const region = /\btouchable region=SkRegion\(((?:\(-?\d+,-?\d+,-?\d+,-?\d+\))*)\)/.exec(block)?.[1];
  return region === undefined ? undefined : boundsIn(region, /\((-?\d+),(-?\d+),(-?\d+),(-?\d+)\)/g);
}

function visibleFrame(block: string): Bounds[] {
  const frame = /\b(?:mFrame|frame)=(\[-?\d+,-?\d+\]\[-?\d+,-?\d+\])/.exec(block)?.[1] ?? "";
  const inset = /\bmGivenVisibleInsets=\[\d+,(\d+)\]/.exec(block)?.[1] ?? "0";
  return boundsIn(frame, bracketed)
    .map((bounds) => ({ ...bounds, top: bounds.top + Number(inset) }))
    .filter(hasArea);
}

function insets(displays: string): Bounds[] {
  const source = /\bInsetsSource (?:id=\S+ )?type=(?:ITYPE_IME|ime) frame=(\S+)[^\n]*?\bvisible=true\b/.exec(
    displays,
  )?.[1];
  return boundsIn(source ?? "", bracketed);
}

const bracketed = /\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]/g;

function boundsIn(text: string, pattern: RegExp): Bounds[] {
  return [...text.matchAll(pattern)]
    .map(([, left, top, right, bottom]) => ({
      left: Number(left),
      top: Number(top),
      right: Number(right),
      bottom: Number(bottom),
    }))
    .filter(hasArea);
}

const hasArea = ({ left, top, right, bottom }: Bounds) => right > left && bottom > top;
