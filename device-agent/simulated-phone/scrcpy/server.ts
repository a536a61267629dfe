import type { ProgramContext } from "../commands/program.ts";
import type { DuplexStream } from "../phone/duplex-stream.ts";
import { Key } from "../screen/key-codes.ts";
import { runController } from "./controller.ts";
import { parseServerOptions, type ServerOptions, ServerOptionsError } from "./options.ts";

const DEVICE_NAME_BYTES = 64;
const CONNECT_WAIT_MS = 20_000;

/** `com.genymobile.scrcpy.Server` of the given version, from `app_process` to its end. Gives the exit status. */
export async function runScrcpyServer(
  context: ProgramContext,
  args: readonly string[],
  jar: string,
  version: string,
): Promise<number> {
  const { phone } = context;
  const print = (level: string, text: string) => context.print(`[server] ${level}: ${text}\n`).catch(() => {});
  const printError = (text: string) => context.printError(`[server] ERROR: ${text}\n`).catch(() => {});
  let options: ServerOptions;
  try {
    options = parseServerOptions(args, version);
  } catch (error) {
    if (!(error instanceof ServerOptionsError)) throw error;
    const frames = [
      "com.genymobile.scrcpy.Options.parse(Options.java:322)",
      "com.genymobile.scrcpy.Server.internalMain(Server.java:213)",
      "com.genymobile.scrcpy.Server.main(Server.java:198)",
    ];
    await printError(
      `${error.message}\njava.lang.IllegalArgumentException: ${error.message}\n${frames.map((frame) => `\tat ${frame}`).join("\n")}`,
    );
    return 1;
  }
  const { manufacturer, model, androidRelease } = phone.profile;
  await print("INFO", `Device: [${manufacturer}] ${manufacturer.toLowerCase()} ${model} (Android ${androidRelease})`);
  // The clean-up process deletes the file as soon as it runs: each session needs a new push.
  if (options.cleanup && phone.files.stat(jar)) phone.files.remove(jar, false);
  if (options.listsApps) {
    await print("INFO", "Processing Android apps... (this may take some time)");
    await print("INFO", listOfApps(context));
  }
  if (options.lists) return 0;
  if (options.video || options.audio) {
    await printError(
      options.video
        ? "Could not create default video encoder for h264"
        : "Could not create default audio encoder for opus",
    );
    return 1;
  }
  return serve(context, options, printError);
}

async function serve(
  context: ProgramContext,
  options: ServerOptions,
  printError: (text: string) => Promise<void>,
): Promise<number> {
  const { phone, signal } = context;
  const control = options.control ? await openControlSocket(context, options) : undefined;
  if (!control) {
    await printError(
      options.control ? `Could not open socket ${options.socketName}` : "No video, no audio, no control: nothing to do",
    );
    return 1;
  }
  const hangUp = () => control.destroy();
  signal.addEventListener("abort", hangUp, { once: true });
  try {
    if (options.sendDummyByte && options.tunnelForward) await control.write(Buffer.from([0]));
    if (options.sendDeviceMeta) await control.write(deviceName(phone.profile.model));
    if (options.powerOn && !phone.screen.isAwake()) phone.injector.key("scrcpy", 0, { code: Key.POWER });
    await runController(
      phone,
      options,
      control,
      (text) => void context.printError(`[server] WARN: ${text}\n`).catch(() => {}),
    );
  } catch (error) {
    if (!(error instanceof Error && error.name === "StreamClosedError"))
      await printError(`Controller error\n${error instanceof Error ? error.message : String(error)}`);
  } finally {
    signal.removeEventListener("abort", hangUp);
    control.destroy();
    if (options.cleanup) {
      phone.screen.setPanelLit(true);
      if (options.powerOffOnClose && phone.screen.isAwake()) phone.injector.key("scrcpy", 0, { code: Key.POWER });
    }
  }
  return 0;
}

/** Waits for the client, or connects through the reverse tunnel. */
async function openControlSocket(
  { phone, signal }: ProgramContext,
  options: ServerOptions,
): Promise<DuplexStream | undefined> {
  if (!options.tunnelForward) return phone.sockets.connect(options.socketName);
  const waited = new AbortController();
  const limit = phone.profile.clock.sleep(CONNECT_WAIT_MS, AbortSignal.any([signal, waited.signal])).catch(() => {});
  let stopListening: (() => void) | undefined;
  const connection = new Promise<DuplexStream | undefined>((resolve) => {
    stopListening = phone.sockets.listen(options.socketName, resolve);
    if (!stopListening) resolve(undefined);
    limit.then(() => resolve(undefined));
  });
  const socket = await connection;
  stopListening?.();
  waited.abort();
  return socket;
}

const NAME_COLUMN = 30;

/** LogUtils.buildAppListMessage: the apps that can be opened, those of the system first. */
function listOfApps({ phone }: ProgramContext): string {
  const apps = phone.screen.tasks.installed().filter((app) => app.isInLauncher);
  const sorted = [...apps].sort(
    (a, b) => Number(b.isSystem) - Number(a.isSystem) || a.label.localeCompare(b.label, "en"),
  );
  const lines = sorted.map(({ isSystem, label, packageName }) => {
    const place = label.length < NAME_COLUMN ? label.padEnd(NAME_COLUMN) : `${label}\n   ${" ".repeat(NAME_COLUMN)}`;
    return `\n ${isSystem ? "*" : "-"} ${place} ${packageName}`;
  });
  return `List of apps:${lines.join("")}`;
}

function deviceName(model: string): Buffer {
  const bytes = Buffer.alloc(DEVICE_NAME_BYTES);
  Buffer.from(model).copy(bytes, 0, 0, DEVICE_NAME_BYTES - 1);
  return bytes;
}
