import { APPS } from "../apps/catalogue.ts";
import { createRenderer, type Renderer } from "../draw/renderer.ts";
import { createTextMeasurer } from "../draw/text-measurer.ts";
import type { PhoneProfile } from "../options.ts";
import { createDisplay } from "../screen/display.ts";
import { createScreen, type Screen } from "../screen/screen.ts";
import { type Clipboard, createClipboard } from "./clipboard.ts";
import { createFileTree, type FileTree } from "./file-tree.ts";
import { createInjector, type Injector } from "./injector.ts";
import { createLocalSockets, type LocalSockets } from "./local-sockets.ts";
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
  readonly pendingFaults: { notIdle: number; nullRoot: number };
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

const faultCount = (quirk: number | "always" | undefined) =>
  quirk === "always" ? Number.POSITIVE_INFINITY : (quirk ?? 0);

export function createPhone(profile: PhoneProfile, onReboot: (reason: string) => void): Phone {
  const now = () => profile.clock.now();
  const files = createFileTree(now);
  const log = createSystemLog(now);
  const processes = createProcessTable(now);
  const clipboard = createClipboard();
  const battery: Battery = { level: 87, temperature: 274, isUsbPowered: true };
  const settings = createSettingsStore(() => screen.changed());
  const inputMethods: InputMethods = {
    available: [LATIN_IME, VOICE_IME],
    enabled: new Set([LATIN_IME]),
    current: LATIN_IME,
  };
  const display = createDisplay({ width: profile.width, height: profile.height, density: profile.density }, settings);
  const measurer = createTextMeasurer(() => display.scale());
  const screen: Screen = createScreen({
    profile,
    settings,
    clipboard,
    display,
    measurer,
    log,
    processes,
    apps: APPS,
    batteryPercent: () => battery.level,
  });
  if (profile.quirks.staleDump) files.write("/sdcard/window_dump.xml", Buffer.from(STALE_DUMP));

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
    pendingFaults: { notIdle: faultCount(profile.quirks.uiNotIdle), nullRoot: faultCount(profile.quirks.nullRoot) },
    bootedAt: now(),
    reboot: onReboot,
    restart() {
      processes.endShellProcesses();
      screen.restart();
      display.heldRotation = 0;
      log.clear();
      log.add("I", "SystemServer", "Entered the Android system server!");
    },
  };
}
