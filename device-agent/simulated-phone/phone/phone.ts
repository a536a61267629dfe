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
import { createLocalSockets, type LocalSockets } from "./local-sockets.ts";
import { processFile } from "./process-file.ts";
import { createProcessTable, type ProcessTable } from "./process-table.ts";
import { createProperties } from "./properties.ts";
import { createSettingsStore, type SettingsStore } from "./settings-store.ts";
import { createSystemLog, type SystemLog } from "./system-log.ts";

/** The battery as the service reports it. */
export interface Battery {
  level: number;
  /** Tenths of a degree Celsius. */
  temperature: number;
  isUsbPowered: boolean;
}

/** The keyboards installed, and which of them is in use. */
export interface InputMethods {
  readonly available: readonly string[];
  readonly enabled: Set<string>;
  current: string;
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
  /** Asks the owner of the process to restart the phone. */
  reboot(reason: string): void;
  /** Processes end, apps stop, the lock screen comes up. */
  restart(): void;
}

const LATIN_IME = "com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME";
const VOICE_IME =
  "com.google.android.tts/com.google.android.apps.speech.tts.googletts.settings.asr.voiceime.VoiceInputMethodService";
const STALE_DUMP = `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0"><node index="0" text="Yesterday" resource-id="" class="android.widget.TextView" package="com.android.deskclock" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][1080,200]" /></hierarchy>`;

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
  const files = createFileTree(now, (path) => processFile(path, processes, bootedAt));
  const clipboard = createClipboard();
  const battery: Battery = { level: 87, temperature: 274, isUsbPowered: true };
  const settings = createSettingsStore(profile.androidId, () => screen.changed());
  const inputMethods: InputMethods = {
    available: [LATIN_IME, VOICE_IME],
    enabled: new Set([LATIN_IME]),
    current: LATIN_IME,
  };
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
  const boot = () => files.publish(BOOT_ID_FILE, Buffer.from(`${newBootId(profile)}\n`));
  boot();
  if (profile.quirks.staleDump) files.write("/sdcard/window_dump.xml", Buffer.from(STALE_DUMP));

  if (profile.screenTimeoutMs !== undefined) {
    settings.put("system", "screen_off_timeout", String(profile.screenTimeoutMs));
    screen.wake();
  }
  settings.put("secure", "default_input_method", LATIN_IME);
  settings.put("secure", "enabled_input_methods", LATIN_IME);
  log.add("I", "SystemServer", "Entered the Android system server!");
  screen.tasks.goHome();

  return {
    profile,
    properties: createProperties(profile),
    settings,
    files,
    log,
    processes,
    sockets: createLocalSockets(),
    clipboard,
    screen,
    renderer: createRenderer(screen, measurer),
    injector: createInjector(screen, profile),
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
      display.heldRotation = 0;
      log.clear();
      log.add("I", "SystemServer", "Entered the Android system server!");
    },
  };
}
