import type { Clipboard } from "../phone/clipboard.ts";
import { characterOf, Key, META_CTRL, META_SHIFT } from "./key-codes.ts";
import {
  deleteBackward,
  deleteForward,
  insertText,
  type Movement,
  moveCursor,
  selectAll,
  selectedText,
  type TextField,
} from "./text-field.ts";

export interface KeyPress {
  readonly code: number;
  readonly metaState?: number;
  readonly isLongPress?: boolean;
}

/** What keys can do to the phone. */
export interface KeyTarget {
  isAwake(): boolean;
  isLocked(): boolean;
  field(): TextField | undefined;
  readonly clipboard: Clipboard;
  readonly keyguard: { typeDigits(text: string): void; backspace(): void; submit(): void; requestDismiss(): boolean };
  wake(): void;
  sleep(): void;
  back(): void;
  home(): void;
  recents(): void;
  expandShade(): void;
  openByAction(action: string): void;
  changeVolume(step: number): void;
  moveFocus(direction: "next" | "previous" | "up" | "down" | "left" | "right"): void;
  clickFocused(): void;
  scroll(share: number): void;
  enter(): void;
  changed(): void;
}

const MOVEMENTS: Record<number, Movement> = {
  [Key.DPAD_LEFT]: "left",
  [Key.DPAD_RIGHT]: "right",
  [Key.MOVE_HOME]: "start",
  [Key.MOVE_END]: "end",
};
const DIRECTIONS: Record<number, "up" | "down" | "left" | "right"> = {
  [Key.DPAD_UP]: "up",
  [Key.DPAD_DOWN]: "down",
  [Key.DPAD_LEFT]: "left",
  [Key.DPAD_RIGHT]: "right",
};
const CONTROL_KEYS: Record<number, number> = { [Key.C]: Key.COPY, [Key.X]: Key.CUT, [Key.V]: Key.PASTE };

/** One press and release. */
export function pressKey(target: KeyTarget, press: KeyPress): void {
  if (pressPower(target, press.code)) return;
  if (!target.isAwake()) return;
  if (press.code === Key.VOLUME_UP) target.changeVolume(1);
  else if (press.code === Key.VOLUME_DOWN) target.changeVolume(-1);
  else if (target.isLocked()) pressLocked(target, press);
  else if (!pressSystem(target, press.code)) pressInApp(target, press);
}

function pressInApp(target: KeyTarget, press: KeyPress): void {
  const isControl = ((press.metaState ?? 0) & META_CTRL) !== 0;
  const code = isControl ? (CONTROL_KEYS[press.code] ?? press.code) : press.code;
  const field = target.field();
  const isHandled = field !== undefined && pressInField(target, field, code, press.metaState ?? 0);
  if (!isHandled) pressOutside(target, code, press.metaState ?? 0);
  target.changed();
}

function pressPower(target: KeyTarget, code: number): boolean {
  if (code === Key.POWER) {
    if (target.isAwake()) target.sleep();
    else target.wake();
  } else if (code === Key.WAKEUP) target.wake();
  else if (code === Key.SLEEP || code === Key.SOFT_SLEEP) target.sleep();
  else return false;
  return true;
}

function pressLocked(target: KeyTarget, press: KeyPress): void {
  const { keyguard } = target;
  const character = characterOf(press.code, false);
  if (press.code === Key.BACK) target.back();
  else if (press.code === Key.MENU || press.code === Key.SPACE_BAR) keyguard.requestDismiss();
  else if (press.code === Key.ENTER || press.code === Key.NUMPAD_ENTER) keyguard.submit();
  else if (press.code === Key.DEL) keyguard.backspace();
  else if (character !== undefined) keyguard.typeDigits(character);
}

function pressSystem(target: KeyTarget, code: number): boolean {
  const actions: Record<number, () => void> = {
    [Key.HOME]: target.home,
    [Key.BACK]: target.back,
    [Key.ESCAPE]: target.back,
    [Key.APP_SWITCH]: target.recents,
    [Key.NOTIFICATION]: target.expandShade,
    [Key.CAMERA]: () => target.openByAction("android.media.action.STILL_IMAGE_CAMERA"),
    [Key.EXPLORER]: () => target.openByAction("android.intent.action.WEB_SEARCH"),
    [Key.SEARCH]: () => target.openByAction("android.intent.action.WEB_SEARCH"),
    [Key.SETTINGS]: () => target.openByAction("android.settings.SETTINGS"),
  };
  const action = actions[code];
  action?.();
  return action !== undefined;
}

function pressInField(target: KeyTarget, field: TextField, code: number, metaState: number): boolean {
  const isShifted = (metaState & META_SHIFT) !== 0;
  if (code === Key.A && (metaState & META_CTRL) !== 0) selectAll(field);
  else if (code === Key.COPY || code === Key.CUT) copy(target.clipboard, field, code === Key.CUT);
  else if (code === Key.PASTE) insertText(field, target.clipboard.text() ?? "");
  else if (code === Key.DEL) deleteBackward(field);
  else if (code === Key.FORWARD_DEL) deleteForward(field);
  else if (code === Key.ENTER || code === Key.NUMPAD_ENTER) target.enter();
  else if (MOVEMENTS[code] !== undefined) moveCursor(field, MOVEMENTS[code], isShifted);
  else if ((code === Key.DPAD_UP || code === Key.DPAD_DOWN) && field.isMultiline)
    moveCursor(field, code === Key.DPAD_UP ? "start" : "end", isShifted);
  else {
    const character = (metaState & META_CTRL) === 0 ? characterOf(code, isShifted) : undefined;
    if (character === undefined) return false;
    insertText(field, character);
  }
  return true;
}

function copy(clipboard: Clipboard, field: TextField, isCut: boolean): void {
  const text = selectedText(field);
  // A password never leaves its field.
  if (text === "" || field.isPassword) return;
  clipboard.set(text);
  if (isCut) deleteBackward(field);
}

function pressOutside(target: KeyTarget, code: number, metaState: number): void {
  const direction = DIRECTIONS[code];
  if (direction) target.moveFocus(direction);
  else if (code === Key.TAB) target.moveFocus((metaState & META_SHIFT) !== 0 ? "previous" : "next");
  else if (code === Key.ENTER || code === Key.NUMPAD_ENTER || code === Key.DPAD_CENTER) target.clickFocused();
  else if (code === Key.PAGE_DOWN) target.scroll(0.9);
  else if (code === Key.PAGE_UP) target.scroll(-0.9);
}
