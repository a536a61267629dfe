/** WindowManager.LayoutParams.FLAG_SECURE. */
const FLAG_SECURE = 0x2000;

/** Whether the focused window of `dumpsys window windows` forbids pictures, by its flags and nothing else. */
export function isFocusedWindowSecure(windows: string): boolean {
  const focused = /mCurrentFocus=Window\{(\w+)/.exec(windows)?.[1];
  const blocks = windows.split(/^(?=\s*Window #\d+ Window\{)/m).filter((block) => /^\s*Window #\d+/.test(block));
  const chosen = focused
    ? blocks.filter((block) => new RegExp(`^\\s*Window #\\d+ Window\\{${focused}\\b`).test(block))
    : blocks.filter((block) => /ty=(BASE_APPLICATION|APPLICATION|1)\b/.test(block) && isOnScreen(block)).slice(0, 1);
  return chosen.some(hasSecureFlag);
}

function isOnScreen(block: string): boolean {
  return !/mViewVisibility=0x[48]\b|isOnScreen=false|mHasSurface=false/.test(block);
}

/** Older phones print the flags as one number, newer ones as words. */
function hasSecureFlag(block: string): boolean {
  const number = /\bfl=#?(?:0x)?([0-9a-f]{5,8})\b/i.exec(block)?.[1];
  if (number !== undefined) return (Number.parseInt(number, 16) & FLAG_SECURE) !== 0;
  return /\sfl=[A-Z_ ]*\bSECURE\b/.test(block);
}
