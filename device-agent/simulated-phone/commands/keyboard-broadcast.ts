import type { Intent } from "../apps/app.ts";
import { HELPER_KEYBOARD } from "../phone/input-methods.ts";
import type { Phone } from "../phone/phone.ts";

/**
 * com.android.adbkeyboard listens only once a field has shown it, and types into that field. A broadcast that it does
 * not hear ends as well as any other.
 */
export function typeBroadcast(phone: Phone, { action, packageName, extras }: Intent): void {
  const screen = phone.focus.display === 0 ? phone.screen : (phone.second?.screen ?? phone.screen);
  const isForIt = packageName === undefined || HELPER_KEYBOARD.startsWith(`${packageName}/`);
  const message = extras?.get("msg");
  if (!isForIt || message === undefined) return;
  if (phone.inputMethods.bound() !== HELPER_KEYBOARD || !screen.isKeyboardShown()) return;
  if (action === "ADB_INPUT_TEXT") screen.type(message);
  if (action === "ADB_INPUT_B64") screen.type(Buffer.from(message, "base64").toString("utf8"));
}
