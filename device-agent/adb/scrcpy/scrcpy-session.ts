import { type Adb, AdbNoneProtocolSpawner } from "@yume-chan/adb";
import { AdbScrcpyClient, AdbScrcpyExitedError, AdbScrcpyOptions3_3_1 } from "@yume-chan/adb-scrcpy";
import {
  type AndroidKeyCode,
  AndroidKeyEventAction,
  AndroidKeyEventMeta,
  AndroidMotionEventAction,
  AndroidMotionEventButton,
  ScrcpyControlMessageType,
} from "@yume-chan/scrcpy";
import { ReadableStream } from "@yume-chan/stream-extra";
import { type Clock, pause } from "../../../shared/clock.ts";
import type { Point, Size } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import { abortError } from "../errors.ts";
import type { PhoneConnection } from "../phones/connection.ts";
import { abortableAdb } from "./abortable-adb.ts";

export interface Touch {
  action: "down" | "move" | "up" | "cancel";
  finger: number;
  at: Point;
  /** The screen as it is now turned, which the point is in. */
  screen: Size;
}

/** A scrcpy server on the phone that does nothing but take control messages. */
export interface ScrcpySession {
  readonly isOpen: boolean;
  /** The server has told that the phone does not let it inject events. */
  readonly refusesInput: boolean;
  /** Resolves when the phone's adbd has it; that it was injected is not acknowledged. */
  touch(touch: Touch): Promise<void>;
  /** Presses and releases a key. */
  pressKey(code: number): Promise<void>;
  /**
   * Undefined when the phone keeps silent for a while, as it does when nothing was copied, when what was copied is no
   * text, and while it is locked.
   */
  readClipboard(signal: AbortSignal): Promise<string | undefined>;
  /** Resolves when the phone has acknowledged it; with `paste` the paste key was pressed by then. */
  setClipboard(text: string, paste: boolean, signal: AbortSignal): Promise<void>;
  close(): void;
}

export const SCRCPY_VERSION = "3.3.1";
/** One file for each display: sessions begin side by side, and each removes its own. */
const serverPath = (display: number) => `/data/local/tmp/farhand-scrcpy${display === 0 ? "" : `-${display}`}.jar`;
const EMPTY_AFTER_MS = 800;
const touchActions = {
  down: AndroidMotionEventAction.Down,
  up: AndroidMotionEventAction.Up,
  move: AndroidMotionEventAction.Move,
  cancel: AndroidMotionEventAction.Cancel,
} as const;
/** What the server prints with the exception when Android refuses an event (InputManager.injectInputEvent). */
const refusal = /INJECT_EVENTS/;

/**
 * The library reads clipboard messages only if told that the phone sends changes by itself; but a phone told so does
 * not answer when it is asked. So the library is told yes and the phone no.
 */
class ControlOnlyOptions extends AdbScrcpyOptions3_3_1<false> {
  override serialize(): string[] {
    return [...super.serialize(), "clipboard_autosync=false"];
  }
}

export interface ScrcpySessionParts {
  connection: PhoneConnection;
  server: Uint8Array;
  clock: Clock;
  random: () => number;
  signal: AbortSignal;
  /** Android's number of the display that events are for; 0 is the main one, keys going where the focus is. */
  display: number;
}

/** Pushes the server and starts it. Throws `unsupported` when the phone does not let it run. */
export async function openScrcpySession(parts: ScrcpySessionParts): Promise<ScrcpySession> {
  const { connection, server, clock, random, signal, display } = parts;
  const adb = abortableAdb(connection, signal);
  const path = serverPath(display);
  await pushServer(connection, server, path, signal);
  const options = new ControlOnlyOptions(
    {
      scid: Math.floor(random() * 0x7fffffff)
        .toString(16)
        .padStart(8, "0"),
      video: false,
      audio: false,
      control: true,
      displayId: display,
      tunnelForward: true,
      clipboardAutosync: true,
      // Without video it would come first on the control socket, where the library takes it for messages.
      sendDeviceMeta: false,
      // Otherwise the server presses the power key when the screen is off.
      powerOn: false,
    },
    { spawner: abortableSpawner(adb, signal) },
  );
  const client = await AdbScrcpyClient.start(adb, path, options).catch((error: unknown) => {
    if (!(error instanceof AdbScrcpyExitedError)) throw error;
    throw new CodedError("unsupported", "The phone does not let the helper program (scrcpy) run.", {
      cause: error.output.join("\n"),
    });
  });
  const session = createSession(client, options, clock);
  if (!signal.aborted) return session;
  session.close();
  throw abortError(signal);
}

/** Puts the server's file onto the phone. */
export async function pushServer(
  connection: PhoneConnection,
  server: Uint8Array,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  await AdbScrcpyClient.pushServer(abortableAdb(connection, signal), streamOf(server), path);
  signal.throwIfAborted();
}

function createSession(
  client: AdbScrcpyClient<ControlOnlyOptions>,
  options: ControlOnlyOptions,
  clock: Clock,
): ScrcpySession {
  const { controller, clipboard } = client;
  if (!controller || !clipboard) throw new TypeError("A control session has a controller and a clipboard.");
  let isOpen = true;
  let refusesInput = false;
  let sequence = 0n;
  const answers: string[] = [];
  let wake = () => {};
  const over = () => {
    isOpen = false;
    wake();
  };
  const sent = (writing: Promise<void>) =>
    writing.catch((error: unknown) => {
      isOpen = false;
      throw lost(error);
    });
  drain(client.output, (line) => {
    if (refusal.test(line)) refusesInput = true;
  }).then(over, over);
  client.exited.then(over, over);
  drain(clipboard, (text) => {
    answers.push(text);
    wake();
  }).then(over, over);

  return {
    get isOpen() {
      return isOpen;
    },
    get refusesInput() {
      return refusesInput;
    },
    touch({ action, finger, at, screen }) {
      return sent(
        controller.injectTouch({
          action: touchActions[action],
          pointerId: BigInt(finger),
          pointerX: Math.round(at.x),
          pointerY: Math.round(at.y),
          videoWidth: screen.width,
          videoHeight: screen.height,
          pressure: action === "up" || action === "cancel" ? 0 : 1,
          actionButton: AndroidMotionEventButton.None,
          buttons: AndroidMotionEventButton.None,
        }),
      );
    },
    async pressKey(keyCode) {
      const press = { keyCode: keyCode as AndroidKeyCode, repeat: 0, metaState: AndroidKeyEventMeta.None };
      await sent(controller.injectKeyCode({ ...press, action: AndroidKeyEventAction.Down }));
      await sent(controller.injectKeyCode({ ...press, action: AndroidKeyEventAction.Up }));
    },
    async readClipboard(signal) {
      answers.length = 0;
      const answered = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const getClipboard = options.controlMessageTypes.indexOf(ScrcpyControlMessageType.GetClipboard);
      await controller.write(Uint8Array.of(getClipboard, 0));
      await Promise.race([answered, pause(clock, EMPTY_AFTER_MS, signal)]);
      if (!isOpen) throw lost();
      return answers.at(-1);
    },
    async setClipboard(content, paste) {
      sequence += 1n;
      await sent(controller.setClipboard({ content, paste, sequence }));
    },
    close() {
      isOpen = false;
      controller.close().catch(() => {});
      client.close().catch(() => {});
    },
  };
}

const lost = (cause?: unknown) => new CodedError("device_offline", "The helper program on the phone ended.", { cause });

async function drain<T>(stream: ReadableStream<T>, take: (value: T) => void): Promise<void> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    take(value);
  }
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

/**
 * The server's process; it ends when its socket is closed, which an abort does. Its output then ends too, instead of
 * failing: while it starts, the library reads it in a promise that nobody awaits.
 */
function abortableSpawner({ subprocess }: Adb, signal: AbortSignal): AdbNoneProtocolSpawner {
  return new AdbNoneProtocolSpawner(async (command) => {
    const process = await subprocess.noneProtocol.spawn(command, signal);
    process.exited.catch(() => {});
    return {
      stdin: process.stdin,
      output: endedByFailure(process.output),
      exited: process.exited,
      kill: () => process.kill(),
    };
  });
}

function endedByFailure(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done || value === undefined) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
