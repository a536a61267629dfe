/** WindowManager.LayoutParams.FLAG_SECURE. */
const FLAG_SECURE = 0x2000;

/**
 * Whether the focused window of a display forbids pictures, by its flags and nothing else: from `dumpsys window windows`
 * with `dumpsys window displays` behind it. Where no window of the display has the focus, its topmost app counts.
 */
export function isFocusedWindowSecure(windows: string, display = 0): boolean {
  const blocks = windows
    .split(/^(?=\s*Window #\d+ Window\{)/m)
    .filter((block) => /^\s*Window #\d+/.test(block) && isOn(display, block));
  const focused = [...windows.matchAll(/mCurrentFocus=Window\{(\w+)/g)].map((match) => match[1] ?? "");
  const inFocus = blocks.filter((block) => focused.includes(/^\s*Window #\d+ Window\{(\w+)/.exec(block)?.[1] ?? ""));
  const onTop = blocks.filter((block) => /ty=(BASE_APPLICATION|APPLICATION|1)\b/.test(block) && isOnScreen(block));
  return (inFocus.length > 0 ? inFocus : onTop.slice(0, 1)).some(hasSecureFlag);
}

const isOn = (display: number, block: string) => Number(/\bmDisplayId=(\d+)/.exec(block)?.[1] ?? display) === display;

function isOnScreen(block: string): boolean {
  return !/mViewVisibility=0x[48]\b|isOnScreen=false|mHasSurface=false/.test(block);
}

/** Older phones print the flags as one number, newer ones as words. */
function hasSecureFlag(block: string): boolean {
  const number = /\bfl=#?(?:0x)?([0-9a-f]{5,8})\b/i.exec(block)?.[1];
  if (number !== undefined) return (Number.parseInt(number, 16) & FLAG_SECURE) !== 0;
  return /\sfl=[A-Z_ ]*\bSECURE\b/.test(block);
}
