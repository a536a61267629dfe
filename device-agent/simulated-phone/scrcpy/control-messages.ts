import type { ExactReader } from "../phone/exact-reader.ts";

export interface Position {
  readonly x: number;
  readonly y: number;
  readonly screenWidth: number;
  readonly screenHeight: number;
}

/** What a client may send on the control socket (scrcpy 3.3.1, ControlMessage.java). */
export type ControlMessage =
  | {
      readonly type: "injectKeycode";
      readonly action: number;
      readonly keycode: number;
      readonly repeat: number;
      readonly metaState: number;
    }
  | { readonly type: "injectText"; readonly text: string }
  | { readonly type: "injectTouch"; readonly action: number; readonly pointerId: bigint; readonly position: Position }
  | {
      readonly type: "injectScroll";
      readonly position: Position;
      readonly horizontal: number;
      readonly vertical: number;
    }
  | { readonly type: "backOrScreenOn"; readonly action: number }
  | { readonly type: "expandNotificationPanel" | "expandSettingsPanel" | "collapsePanels" | "rotateDevice" | "ignored" }
  | { readonly type: "getClipboard"; readonly copyKey: number }
  | { readonly type: "setClipboard"; readonly sequence: bigint; readonly paste: boolean; readonly text: string }
  | { readonly type: "setDisplayPower"; readonly isOn: boolean }
  | { readonly type: "startApp"; readonly name: string };

export class ControlProtocolError extends Error {
  override name = "ControlProtocolError";
}

const MAX_TEXT_BYTES = 256 * 1024;

/** The end of the stream inside or between messages. */
class EndOfControl extends Error {}

/** The next message, or undefined at the end of the stream. Throws ControlProtocolError on an unknown type. */
export async function readControlMessage(reader: ExactReader): Promise<ControlMessage | undefined> {
  const head = await reader.take(1);
  if (!head) return undefined;
  const read = READERS[head.readUInt8(0)];
  if (!read) throw new ControlProtocolError(`Unknown event type: ${head.readUInt8(0)}`);
  try {
    return await read(async (bytes) => {
      const taken = await reader.take(bytes);
      if (!taken) throw new EndOfControl();
      return taken;
    });
  } catch (error) {
    if (error instanceof EndOfControl) return undefined;
    throw error;
  }
}

type Take = (bytes: number) => Promise<Buffer>;

async function takeText(take: Take, lengthBytes: 1 | 4): Promise<string> {
  const length = (await take(lengthBytes)).readUIntBE(0, lengthBytes);
  if (length > MAX_TEXT_BYTES) throw new ControlProtocolError(`Text of ${length} bytes is too long`);
  return (await take(length)).toString("utf8");
}

function positionAt(bytes: Buffer, offset: number): Position {
  return {
    x: bytes.readInt32BE(offset),
    y: bytes.readInt32BE(offset + 4),
    screenWidth: bytes.readUInt16BE(offset + 8),
    screenHeight: bytes.readUInt16BE(offset + 10),
  };
}

const bare =
  <Type extends ControlMessage["type"]>(type: Type, bytes = 0) =>
  async (take: Take) => {
    await take(bytes);
    return { type };
  };

/** 16-bit signed fixed point with the range of -16 to 16. */
const scrollAmount = (value: number) => (value / 0x8000) * 16;

const READERS: readonly ((take: Take) => Promise<ControlMessage>)[] = [
  async (take) => {
    const bytes = await take(13);
    return {
      type: "injectKeycode",
      action: bytes.readUInt8(0),
      keycode: bytes.readInt32BE(1),
      repeat: bytes.readInt32BE(5),
      metaState: bytes.readInt32BE(9),
    };
  },
  async (take) => ({ type: "injectText", text: await takeText(take, 4) }),
  async (take) => {
    const bytes = await take(31);
    return {
      type: "injectTouch",
      action: bytes.readUInt8(0),
      pointerId: bytes.readBigInt64BE(1),
      position: positionAt(bytes, 9),
    };
  },
  async (take) => {
    const bytes = await take(20);
    return {
      type: "injectScroll",
      position: positionAt(bytes, 0),
      horizontal: scrollAmount(bytes.readInt16BE(12)),
      vertical: scrollAmount(bytes.readInt16BE(14)),
    };
  },
  async (take) => ({ type: "backOrScreenOn", action: (await take(1)).readUInt8(0) }),
  bare("expandNotificationPanel"),
  bare("expandSettingsPanel"),
  bare("collapsePanels"),
  async (take) => ({ type: "getClipboard", copyKey: (await take(1)).readUInt8(0) }),
  async (take) => {
    const bytes = await take(9);
    return {
      type: "setClipboard",
      sequence: bytes.readBigInt64BE(0),
      paste: bytes.readUInt8(8) !== 0,
      text: await takeText(take, 4),
    };
  },
  async (take) => ({ type: "setDisplayPower", isOn: (await take(1)).readUInt8(0) !== 0 }),
  bare("rotateDevice"),
  // Virtual input devices: taken, and without effect.
  async (take) => {
    await take(6);
    await take((await take(1)).readUInt8(0));
    await take((await take(2)).readUInt16BE(0));
    return { type: "ignored" };
  },
  async (take) => {
    await take((await take(4)).readUInt16BE(2));
    return { type: "ignored" };
  },
  bare("ignored", 2),
  bare("ignored"),
  async (take) => ({ type: "startApp", name: await takeText(take, 1) }),
  bare("ignored"),
] as readonly ((take: Take) => Promise<ControlMessage>)[];
