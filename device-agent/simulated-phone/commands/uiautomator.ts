import { type Phone, SECOND_DISPLAY } from "../phone/phone.ts";
import { hierarchyXml, windowsXml } from "../screen/hierarchy-xml.ts";
import type { Screen } from "../screen/screen.ts";
import { messageOf, type Program, type ProgramContext } from "./program.ts";

const USAGE = `Usage: uiautomator <subcommand> [options]

Available subcommands:

help: displays help message

runtest: executes UI automation tests
    runtest <class spec> [options]

dump: creates an XML dump of current UI hierarchy
    dump [--verbose][file]
      [--compressed]: dumps compressed layout information.
      [file]: the location where the dumped XML should be stored, default is
      /sdcard/window_dump.xml

events: prints out accessibility events until terminated
`;
const DEFAULT_FILE = "/sdcard/window_dump.xml";
const NOT_IDLE_MS = 10_000;

const MIUI_NOISE = `java.io.FileNotFoundException: /data/system/theme_config/theme_compatibility.xml: open failed: ENOENT (No such file or directory)
\tat libcore.io.IoBridge.open(IoBridge.java:574)
\tat java.io.FileInputStream.<init>(FileInputStream.java:160)
\tat java.io.FileInputStream.<init>(FileInputStream.java:115)
\tat java.io.FileReader.<init>(FileReader.java:60)
\tat miui.content.res.ThemeCompatibilityLoader.getVersion(ThemeCompatibilityLoader.java:108)
\tat miui.content.res.ThemeCompatibilityLoader.getConfigDocumentTree(ThemeCompatibilityLoader.java:126)
\tat android.content.res.Resources.getSystem(Resources.java:235)
\tat com.android.commands.uiautomator.DumpCommand.run(DumpCommand.java:109)
\tat com.android.commands.uiautomator.Launcher.main(Launcher.java:83)
Caused by: android.system.ErrnoException: open failed: ENOENT (No such file or directory)
\tat libcore.io.Linux.open(Native Method)
\tat libcore.io.IoBridge.open(IoBridge.java:560)
\t... 8 more
`;

const BUSY = `java.lang.IllegalStateException: UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@2b1bd0fe already registered!
\tat android.os.Parcel.readException(Parcel.java:1629)
\tat android.app.UiAutomation.connect(UiAutomation.java:197)
\tat com.android.uiautomator.core.UiAutomationShellWrapper.connect(UiAutomationShellWrapper.java:40)
\tat com.android.commands.uiautomator.DumpCommand.run(DumpCommand.java:80)
`;

/** `uiautomator dump`. Failures are told on stdout with exit status 0, as on phones. */
export const uiautomator: Program = async (context) => {
  const { phone } = context;
  if (context.args[0] !== "dump") return dumpScreen(context);
  if (phone.isDumping) {
    await context.printError(BUSY);
    return 1;
  }
  phone.isDumping = true;
  try {
    await phone.profile.clock.sleep(phone.profile.latency === "real" ? 200 : 5, context.signal);
    return await dumpScreen(context);
  } finally {
    phone.isDumping = false;
  }
};

async function dumpScreen(context: ProgramContext): Promise<number> {
  const [subcommand = "", ...args] = context.args;
  if (subcommand !== "dump") {
    await context.print(USAGE);
    return subcommand === "help" ? 0 : 1;
  }
  const options = args.filter((argument) => argument.startsWith("--"));
  const file = args.find((argument) => !argument.startsWith("--")) ?? DEFAULT_FILE;
  const { phone } = context;
  if (phone.profile.quirks.miuiDumpNoise) await context.print(MIUI_NOISE);
  if (await isAnimating(context)) return report(context, "ERROR: could not get idle state.\n");
  if (phone.pendingFaults.nullRoot > 0) {
    phone.pendingFaults.nullRoot--;
    return report(context, "ERROR: null root node returned by UiTestAutomationBridge.\n");
  }
  const xml = dump(phone, options.includes("--windows") && phone.profile.sdk >= 31, options.includes("--compressed"));
  if (xml === undefined) return report(context, "ERROR: null root node returned by UiTestAutomationBridge.\n");
  if (file === "/dev/tty" || file === "/dev/stdout") {
    await context.print(`${xml}UI hierchary dumped to: ${file}\n`);
    return 0;
  }
  return store(context, file, xml);
}

async function isAnimating({ phone, signal }: ProgramContext): Promise<boolean> {
  if (phone.pendingFaults.notIdle <= 0) return false;
  phone.pendingFaults.notIdle--;
  const { clock, latency } = phone.profile;
  await clock.sleep(latency === "real" ? NOT_IDLE_MS : 20, signal);
  return true;
}

async function report(context: ProgramContext, text: string): Promise<number> {
  await context.print(text);
  return 0;
}

async function store(context: ProgramContext, file: string, xml: string): Promise<number> {
  const { files } = context.phone;
  try {
    files.write(files.resolve(file, context.shell.cwd), Buffer.from(xml));
  } catch (error) {
    await context.printError(
      `java.io.FileNotFoundException: ${file}: open failed: ${messageOf(error)}\n\tat libcore.io.IoBridge.open(IoBridge.java:574)\n`,
    );
    return 1;
  }
  await context.print(`UI hierchary dumped to: ${file}\n`);
  return 0;
}

/** Without the option, only the active window is told, on whichever display it is, with the main one's rotation. */
function dump(phone: Phone, hasAllWindows: boolean, isCompressed: boolean): string | undefined {
  const { screen, profile, second, focus } = phone;
  const hasHint = profile.sdk >= 26;
  const optionsOf = (shown: Screen) => {
    return { rotation: shown.display.rotation(), focusKey: shown.focusKey(), isCompressed, hasHint };
  };
  if (hasAllWindows) {
    const shown = [{ id: 0, screen }, ...(second ? [{ id: SECOND_DISPLAY, screen: second.screen }] : [])];
    return windowsXml(
      shown.map(({ id, screen: own }) => ({
        id,
        windows: own.windows().filter(({ window }) => window.kind !== "toast"),
        focused: own.focusedWindow(),
        isActive: id === focus.display,
        options: optionsOf(own),
      })),
    );
  }
  const active = (focus.display === SECOND_DISPLAY && second?.screen) || screen;
  const focused = active.focusedWindow();
  return focused && hierarchyXml(focused, { ...optionsOf(active), rotation: screen.display.rotation() });
}
