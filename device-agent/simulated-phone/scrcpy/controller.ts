import { launchOf } from "../apps/app.ts";
import type { DuplexStream } from "../phone/duplex-stream.ts";
import { createExactReader } from "../phone/exact-reader.ts";
import { FOCUSED_DISPLAY } from "../phone/injector.ts";
import type { Phone } from "../phone/phone.ts";
import { Key } from "../screen/key-codes.ts";
import { type ControlMessage, readControlMessage } from "./control-messages.ts";
import type { ServerOptions } from "./options.ts";

const ACTION_DOWN = 0;
const COPY_KEYS: Record<number, number> = { 1: Key.COPY, 2: Key.CUT };
const TOUCH_ACTIONS = { 0: "down", 1: "up", 2: "move", 3: "cancel" } as const;
const SCROLL_STEP_DP = 64;
/** Characters that the virtual keyboard has keys for, alone or with a dead accent. */
const INJECTABLE = /^[\x20-\x7e\n\tÀ-ÅÇ-ÏÑ-ÖÙ-Ýà-åç-ïñ-öù-ýÿ]$/;

const REFUSED = `Could not invoke method
java.lang.reflect.InvocationTargetException
\tat java.lang.reflect.Method.invoke(Native Method)
\tat com.genymobile.scrcpy.wrappers.InputManager.injectInputEvent(InputManager.java:66)
\tat com.genymobile.scrcpy.device.Device.injectEvent(Device.java:72)
Caused by: java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission
\tat android.os.Parcel.createExceptionOrNull(Parcel.java:2426)
\t... 12 more`;

/** Handles one control socket until it ends. */
export async function runController(
  phone: Phone,
  options: ServerOptions,
  socket: DuplexStream,
  warn: (text: string) => void,
): Promise<void> {
  const { clipboard } = phone;
  let isSettingClipboard = false;
  const send = (bytes: Buffer) => void socket.write(bytes).catch(() => {});
  // Only copies made on the phone are reported, not those that the client itself has set.
  const stopSync = options.clipboardAutosync
    ? clipboard.onChange((text) => !isSettingClipboard && send(clipboardMessage(text)))
    : () => {};

  function setClipboard(text: string): void {
    isSettingClipboard = true;
    clipboard.set(text);
    isSettingClipboard = false;
  }

  function handle(message: ControlMessage): void {
    if (message.type === "setClipboard") {
      setClipboard(message.text);
      if (message.paste) pressKey(phone, options, Key.PASTE);
      if (message.sequence !== 0n) send(acknowledgement(message.sequence));
    } else if (message.type === "getClipboard") {
      const key = COPY_KEYS[message.copyKey];
      if (key !== undefined) pressKey(phone, options, key);
      // With autosync on, the change itself was the answer.
      const text = clipboard.text();
      if (!options.clipboardAutosync && text !== undefined) send(clipboardMessage(text));
    } else inject(phone, options, message, warn);
  }

  try {
    const reader = createExactReader(socket);
    for (
      let message = await readControlMessage(reader);
      message !== undefined;
      message = await readControlMessage(reader)
    )
      handle(message);
  } finally {
    stopSync();
  }
}

/** An event for the main display carries no display, so that a key goes where the focus is. */
const keyDisplay = ({ displayId }: ServerOptions) => (displayId === 0 ? FOCUSED_DISPLAY : displayId);

function pressKey(phone: Phone, options: ServerOptions, code: number, metaState = 0): void {
  if (takesInput(phone, options)) phone.injector.key("scrcpy", keyDisplay(options), { code, metaState });
}

/** Device.supportsInputEvents. */
const takesInput = (phone: Phone, { displayId }: ServerOptions) => displayId === 0 || phone.profile.sdk >= 29;

function inject(phone: Phone, options: ServerOptions, message: ControlMessage, warn: (text: string) => void): void {
  const { screen, injector } = phone;
  const { displayId } = options;
  if (/^(inject|back)/.test(message.type) && !takesInput(phone, options)) return;
  if (phone.profile.quirks.injectDenied && /^(inject|back)/.test(message.type)) {
    warn(REFUSED);
    return;
  }
  switch (message.type) {
    case "injectKeycode":
      if (message.action === ACTION_DOWN) pressKey(phone, options, message.keycode, message.metaState);
      return;
    case "injectText":
      for (const character of message.text)
        if (INJECTABLE.test(character)) injector.text("scrcpy", keyDisplay(options), character);
        else warn(`Could not inject char u+${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
      return;
    case "injectTouch": {
      const action = TOUCH_ACTIONS[message.action as keyof typeof TOUCH_ACTIONS];
      if (action)
        injector.motion("scrcpy", displayId, {
          action,
          pointerId: Number(message.pointerId),
          x: message.position.x,
          y: message.position.y,
        });
      return;
    }
    case "injectScroll":
      injector.scroll(
        displayId,
        message.position.x,
        message.position.y,
        -message.vertical * SCROLL_STEP_DP * screen.display.scale(),
      );
      return;
    case "backOrScreenOn":
      if (message.action === ACTION_DOWN) pressKey(phone, options, screen.isAwake() ? Key.BACK : Key.POWER);
      return;
    case "expandNotificationPanel":
      screen.shade.expand("notifications");
      return;
    case "expandSettingsPanel":
      screen.shade.expand("settings");
      return;
    case "collapsePanels":
      screen.shade.collapse();
      return;
    case "setDisplayPower":
      screen.setPanelLit(message.isOn);
      return;
    case "rotateDevice":
      rotate(phone);
      return;
    case "startApp":
      screen.start(launchOf(message.name.replace(/^[+?]+/, "")));
      return;
    default:
      return;
  }
}

/** Between portrait and landscape; auto-rotate keeps its setting (Device.rotateDevice). */
function rotate({ screen, settings }: Phone): void {
  const wasFree = settings.isOn("system", "accelerometer_rotation");
  const next = screen.display.rotation() % 2 === 0 ? 1 : 0;
  if (wasFree) screen.display.heldRotation = next;
  else settings.put("system", "user_rotation", String(next));
  screen.changed();
}

function clipboardMessage(text: string): Buffer {
  const bytes = Buffer.from(text);
  const header = Buffer.alloc(5);
  header.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([header, bytes]);
}

function acknowledgement(sequence: bigint): Buffer {
  const bytes = Buffer.alloc(9);
  bytes.writeUInt8(1, 0);
  bytes.writeBigInt64BE(sequence, 1);
  return bytes;
}
