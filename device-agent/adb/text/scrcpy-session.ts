import { type Adb, AdbNoneProtocolSpawner } from "@yume-chan/adb";
import { AdbScrcpyClient, AdbScrcpyExitedError, AdbScrcpyOptions3_3_1 } from "@yume-chan/adb-scrcpy";
import { ScrcpyControlMessageType } from "@yume-chan/scrcpy";
import { ReadableStream } from "@yume-chan/stream-extra";
import { type Clock, pause } from "../../../shared/clock.ts";
import { CodedError } from "../../../shared/errors.ts";
import { abortError } from "../errors.ts";
import type { PhoneConnection } from "../phones/connection.ts";
import { abortableAdb } from "./abortable-adb.ts";

/** A scrcpy server on the phone that does nothing but take control messages. */
export interface ScrcpySession {
  readonly isOpen: boolean;
  /** An empty clipboard gives no answer, so silence for a while is "". */
  readClipboard(signal: AbortSignal): Promise<string>;
  /** Resolves when the phone has acknowledged it; with `paste` the paste key was pressed by then. */
  setClipboard(text: string, paste: boolean, signal: AbortSignal): Promise<void>;
  close(): void;
}

const SERVER_PATH = "/data/local/tmp/farhand-scrcpy.jar";
const EMPTY_AFTER_MS = 800;

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
}

/** Pushes the server and starts it. Throws `clipboard_unavailable` when the phone does not let it run. */
export async function openScrcpySession(parts: ScrcpySessionParts): Promise<ScrcpySession> {
  const { connection, server, clock, random, signal } = parts;
  const adb = abortableAdb(connection, signal);
  await AdbScrcpyClient.pushServer(adb, streamOf(server), SERVER_PATH);
  signal.throwIfAborted();
  const options = new ControlOnlyOptions(
    {
      scid: Math.floor(random() * 0x7fffffff)
        .toString(16)
        .padStart(8, "0"),
      video: false,
      audio: false,
      control: true,
      tunnelForward: true,
      clipboardAutosync: true,
      // Without video it would come first on the control socket, where the library takes it for messages.
      sendDeviceMeta: false,
      // Otherwise the server presses the power key when the screen is off.
      powerOn: false,
    },
    { spawner: abortableSpawner(adb, signal) },
  );
  const client = await AdbScrcpyClient.start(adb, SERVER_PATH, options).catch((error: unknown) => {
    if (!(error instanceof AdbScrcpyExitedError)) throw error;
    throw new CodedError("clipboard_unavailable", "The phone does not let the clipboard helper (scrcpy) run.", {
      cause: error.output.join("\n"),
    });
  });
  const session = createSession(client, options, clock);
  if (!signal.aborted) return session;
  session.close();
  throw abortError(signal);
}

function createSession(
  client: AdbScrcpyClient<ControlOnlyOptions>,
  options: ControlOnlyOptions,
  clock: Clock,
): ScrcpySession {
  const { controller, clipboard } = client;
  if (!controller || !clipboard) throw new TypeError("A control session has a controller and a clipboard.");
  let isOpen = true;
  let sequence = 0n;
  const answers: string[] = [];
  let wake = () => {};
  const over = () => {
    isOpen = false;
    wake();
  };
  drain(client.output, () => {}).then(over, over);
  client.exited.then(over, over);
  drain(clipboard, (text) => {
    answers.push(text);
    wake();
  }).then(over, over);

  return {
    get isOpen() {
      return isOpen;
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
      return answers.at(-1) ?? "";
    },
    async setClipboard(content, paste) {
      sequence += 1n;
      await controller.setClipboard({ content, paste, sequence }).catch((error: unknown) => {
        isOpen = false;
        throw lost(error);
      });
    },
    close() {
      isOpen = false;
      controller.close().catch(() => {});
      client.close().catch(() => {});
    },
  };
}

const lost = (cause?: unknown) =>
  new CodedError("device_offline", "The clipboard helper on the phone ended.", { cause });

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

/** The server's process; it ends when its socket is closed, which an abort does. */
function abortableSpawner({ subprocess }: Adb, signal: AbortSignal): AdbNoneProtocolSpawner {
  return new AdbNoneProtocolSpawner(async (command) => {
    const process = await subprocess.noneProtocol.spawn(command, signal);
    process.exited.catch(() => {});
    return process;
  });
}
