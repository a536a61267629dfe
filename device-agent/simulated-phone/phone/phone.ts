import { createHash } from "node:crypto";
import { appsOf } from "../apps/catalogue.ts";
import { createRenderer, type Renderer } from "../draw/renderer.ts";
import { createTextMeasurer } from "../draw/text-measurer.ts";
import type { PhoneProfile } from "../options.ts";
import { createDisplay } from "../screen/display.ts";
import { createScreen, type Screen } from "../screen/screen.ts";
import { type Clipboard, createClipboard } from "./clipboard.ts";
import { createFileTree, type FileTree } from "./file-tree.ts";
import { createInjector, type Injector } from "./injector.ts";
import { createInputMethods, type InputMethods } from "./input-methods.ts";
import { createLocalSockets, type LocalSockets } from "./local-sockets.ts";
import { processFile } from "./process-file.ts";
import { createProcessTable, type ProcessTable } from "./process-table.ts";
import { createProperties } from "./properties.ts";
import { createSettingsStore, type SettingsStore } from "./settings-store.ts";
import { createStartOfAndroid, type StartOfAndroid } from "./start-of-android.ts";
import { createSystemLog, type SystemLog } from "./system-log.ts";

/** The battery as the service reports it. */
export interface Battery {
  level: number;
  /** Tenths of a degree Celsius. */
  temperature: number;
  isUsbPowered: boolean;
}

/** An install under way: the APKs that were written so far, by name. */
export interface InstallSession {
  readonly parts: Map<string, Buffer>;
  isOpen: boolean;
}

/** All of the phone behind adbd. Programs of the shell and services work on it. */
export interface Phone {
  readonly profile: PhoneProfile;
  readonly properties: Map<string, string>;
  readonly settings: SettingsStore;
  readonly files: FileTree;
  readonly log: SystemLog;
  readonly processes: ProcessTable;
  readonly sockets: LocalSockets;
  readonly clipboard: Clipboard;
  readonly screen: Screen;
  readonly renderer: Renderer;
  readonly injector: Injector;
  /** The second panel, logical display 2. */
  readonly second: { readonly screen: Screen; readonly renderer: Renderer } | undefined;
  /** The display that was touched last: keys without a display of their own go there. */
  readonly focus: { display: number };
  readonly battery: Battery;
  readonly inputMethods: InputMethods;
  /** Dumps that still fail by a quirk. */
  readonly pendingFaults: { notIdle: number; nullRoot: number; cutCapture: number; silentScrcpy: number };
  /** The user in front. */
  readonly user: number;
  /** Programs with their arguments, oldest first. */
  readonly ranPrograms: (readonly string[])[];
  /** Of the package manager, by their numbers; the closed ones stay. */
  readonly installSessions: Map<number, InstallSession>;
  /** A dump holds the accessibility service; there is only one. */
  isDumping: boolean;
  readonly bootedAt: number;
  readonly start: StartOfAndroid;
  /** Asks the owner of the process to restart the phone. */
  reboot(reason: string): void;
  /** Processes end, apps stop, the lock screen comes up. */
  restart(): void;
}

const STALE_DUMP = `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0"><node index="0" text="Yesterday" resource-id="" class="android.widget.TextView" package="com.android.deskclock" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][1080,200]" /></hierarchy>`;

/** Its logical number; 1 went to a display that is gone, as on phones. */
export const SECOND_DISPLAY = 2;
const SECOND_PANEL = { width: 720, height: 748, density: 240 };

const BOOT_ID_FILE = "/proc/sys/kernel/random/boot_id";

/** A version 4 UUID, as the kernel makes at each start. */
function newBootId({ serial, random }: PhoneProfile): string {
  const digits = createHash("sha256").update(`${serial} ${random()} ${random()}`).digest("hex");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

const faultCount = (quirk: number | "always" | undefined) =>
  quirk === "always" ? Number.POSITIVE_INFINITY : (quirk ?? 0);

export function createPhone(profile: PhoneProfile, onReboot: (reason: string) => void): Phone {
  const now = () => profile.clock.now();
  const bootedAt = now();
  const log = createSystemLog(now);
  const processes = createProcessTable(now);
  const files = createFileTree(now, (path) => processFile(path, processes, bootedAt, now()));
  const clipboard = createClipboard();
  const battery: Battery = { level: 87, temperature: 274, isUsbPowered: true };
  const settings = createSettingsStore(profile.androidId, () => screen.changed());
  const display = createDisplay(
    [
      { width: profile.width, height: profile.height, density: profile.density },
      ...(profile.coverPanel ? [profile.coverPanel] : []),
    ],
    settings,
    !profile.isTelevision,
  );
  const measurer = createTextMeasurer(() => display.scale());
  const screen: Screen = createScreen({
    profile,
    settings,
    clipboard,
    display,
    measurer,
    log,
    processes,
    apps: appsOf(profile.launcher, profile.quirks.secondLauncher),
    batteryPercent: () => battery.level,
  });
  const second = profile.quirks.secondDisplay ? createSecond() : undefined;
  const focus = { display: 0 };
  const screenOf = (id: number) => (id === 0 ? screen : id === SECOND_DISPLAY ? second?.screen : undefined);
  function createSecond() {
    const panel = createDisplay([SECOND_PANEL], { isOn: () => true, get: () => undefined }, false);
    const ownMeasurer = createTextMeasurer(() => panel.scale());
    const own = createScreen({
      profile: { ...profile, keyguard: "none", screenTimeoutMs: undefined },
      settings,
      clipboard,
      display: panel,
      measurer: ownMeasurer,
      log,
      processes,
      apps: appsOf(profile.launcher),
      batteryPercent: () => battery.level,
    });
    own.tasks.goHome();
    return { screen: own, renderer: createRenderer(own, ownMeasurer) };
  }
  const boot = () => files.publish(BOOT_ID_FILE, Buffer.from(`${newBootId(profile)}\n`));
  boot();
  if (profile.quirks.staleDump) files.write("/sdcard/window_dump.xml", Buffer.from(STALE_DUMP));

  if (profile.screenTimeoutMs !== undefined) {
    settings.put("system", "screen_off_timeout", String(profile.screenTimeoutMs));
    screen.wake();
  }
  const inputMethods = createInputMethods(profile, settings);
  log.add("I", "SystemServer", "Entered the Android system server!");
  screen.tasks.goHome();
  const properties = createProperties(profile);
  const start = createStartOfAndroid(profile, properties);
  start.begin(profile.startMs);

  return {
    profile,
    properties,
    start,
    settings,
    files,
    log,
    processes,
    sockets: createLocalSockets(),
    clipboard,
    screen,
    renderer: createRenderer(screen, measurer),
    second,
    focus,
    injector: createInjector(screenOf, focus, profile),
    battery,
    inputMethods,
    pendingFaults: {
      notIdle: faultCount(profile.quirks.uiNotIdle),
      nullRoot: faultCount(profile.quirks.nullRoot),
      cutCapture: faultCount(profile.quirks.cutCapture),
      silentScrcpy: faultCount(profile.quirks.silentScrcpy),
    },
    user: profile.quirks.secondUser ? 10 : 0,
    ranPrograms: [],
    installSessions: new Map(),
    isDumping: false,
    bootedAt,
    reboot: onReboot,
    restart() {
      processes.endShellProcesses();
      boot();
      screen.restart();
      second?.screen.restart();
      focus.display = 0;
      display.heldRotation = 0;
      log.clear();
      log.add("I", "SystemServer", "Entered the Android system server!");
    },
  };
}
