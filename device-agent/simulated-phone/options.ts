import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { HomeScreen } from "./apps/launcher.ts";
import { PROFILES, type ProfileName } from "./profiles.ts";

/** How long commands take: a few milliseconds, or what a mid-range phone needs. */
export type Latency = "small" | "real";
export type KeyguardKind = "none" | "swipe" | "pin";
/** `prompt`: a public key that is not known yet waits until the person holding the phone allows it. */
export type Authorization = "open" | "prompt";

/** What some phones do and others do not. */
export interface Quirks {
  /** `screencap` without `-d` prints the "Multiple displays were found" warning in front of the picture. */
  readonly multiDisplayWarning?: boolean;
  /** The screen never settles: so many dumps (or all) end with "could not get idle state". */
  readonly uiNotIdle?: number | "always";
  /** The accessibility bridge has no root: so many dumps (or all) fail, an older dump file stays. */
  readonly nullRoot?: number | "always";
  /** An old `/sdcard/window_dump.xml` lies on the storage. */
  readonly staleDump?: boolean;
  /** The vendor refuses injected input until "USB debugging (Security settings)" is on. */
  readonly injectDenied?: "exit 0" | "exit 255";
  /** Every shell command starts that much later. */
  readonly slowShellMs?: number;
  /** Android 6: no shell protocol, CRLF from the pty, checksums and 256 KB packets. */
  readonly oldAndroid?: boolean;
  /** Every n-th character of `input text` is lost. */
  readonly dropsCharacters?: number;
  /** MIUI prints a Java stack trace before the tree. */
  readonly miuiDumpNoise?: boolean;
  /** The vendor kills `app_process` started from the shell. */
  readonly noScrcpy?: boolean;
  /** `app_process` ends without a word so many times (or always), as when its connection is lost. */
  readonly silentScrcpy?: number | "always";
  /** A second built-in panel, logical display 2, with a home screen of its own. */
  readonly secondDisplay?: boolean;
  /** `settings put secure|global` is refused. */
  readonly secureSettingsDenied?: boolean;
  /** Samsung appends a long event log with the same keys to `dumpsys battery`. */
  readonly batteryLog?: boolean;
  /** Dumps name a display without focus in front of the one that has it. */
  readonly nullFocus?: boolean;
  /** The lock screen needs that long to go away. */
  readonly slowKeyguardMs?: number;
  /** So many pictures (or all) end in the middle. */
  readonly cutCapture?: number | "always";
  /** `screencap` takes that much longer. */
  readonly slowCaptureMs?: number;
  /** User 10 is in front, and the shell may not look into user 0's work profile 150. */
  readonly secondUser?: boolean;
  /** Notes has two symbols on the home screen. */
  readonly secondLauncher?: boolean;
  /** Every install ends with this failure of the package manager. */
  readonly installDenied?: string;
  /** After a start the app needs that long to come to the front. */
  readonly slowStartMs?: number;
  /** No property tells that Android has started. */
  readonly neverSaysStarted?: boolean;
}

/** Size of a built-in panel in its natural orientation. */
export interface Panel {
  readonly width: number;
  readonly height: number;
  readonly density: number;
}

/** What differs between makes and releases. */
export interface PhoneTraits {
  readonly model?: string;
  readonly manufacturer?: string;
  readonly width?: number;
  readonly height?: number;
  readonly density?: number;
  readonly androidRelease?: string;
  readonly sdk?: number;
  /** The panel outside of a foldable; `width` and `height` are those of the inner one. */
  readonly coverPanel?: Panel;
  readonly launcher?: HomeScreen;
  /** No touch, no soft keyboard, no bars; apps are started by LEANBACK_LAUNCHER. */
  readonly isTelevision?: boolean;
  /** System properties besides the usual ones. */
  readonly properties?: Readonly<Record<string, string>>;
  readonly quirks?: Quirks;
}

export interface Clock {
  now(): number;
  /** Rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export type Log = (line: string) => void;

export interface SimulatedPhoneOptions extends PhoneTraits {
  /** Traits of a make or a release; the other options overrule them. */
  readonly profile?: ProfileName;
  readonly serial?: string;
  /** Settings.Secure.ANDROID_ID; made from the serial when it is not given. */
  readonly androidId?: string;
  readonly locale?: string;
  readonly latency?: Latency;
  readonly authorization?: Authorization;
  /** Public keys in the form of `adbkey.pub` that need no prompt. */
  readonly authorizedKeys?: readonly string[];
  readonly keyguard?: KeyguardKind;
  /** The input method com.android.adbkeyboard is installed and not enabled. */
  readonly helperKeyboard?: boolean;
  readonly pin?: string;
  /** The screen goes off by itself after that long without input; never when it is not given. */
  readonly screenTimeoutMs?: number;
  /** How long Android is still starting when adbd answers already; Infinity: until `finishStart`. */
  readonly startMs?: number;
  readonly clock?: Clock;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
  readonly log?: Log;
}

/** The options with every gap filled. */
export interface PhoneProfile
  extends Required<
    Omit<SimulatedPhoneOptions, "profile" | "coverPanel" | "screenTimeoutMs" | "log" | "random" | "clock">
  > {
  readonly coverPanel: Panel | undefined;
  readonly screenTimeoutMs: number | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => (ms <= 0 ? Promise.resolve() : delay(ms, undefined, { signal })),
};

const OLD_ANDROID = { androidRelease: "6.0.1", sdk: 23 };
const CURRENT_ANDROID = { androidRelease: "14", sdk: 34 };

export function resolveProfile(options: SimulatedPhoneOptions): PhoneProfile {
  const traits: PhoneTraits = options.profile ? PROFILES[options.profile] : {};
  const quirks = { ...traits.quirks, ...options.quirks };
  const random = options.random ?? Math.random;
  const android = quirks.oldAndroid ? OLD_ANDROID : CURRENT_ANDROID;
  const serial = options.serial ?? randomSerial(random);
  return {
    serial,
    androidId: options.androidId ?? createHash("sha256").update(serial).digest("hex").slice(0, 16),
    model: options.model ?? traits.model ?? "Farhand Sim",
    manufacturer: options.manufacturer ?? traits.manufacturer ?? "Farhand",
    width: options.width ?? traits.width ?? 1080,
    height: options.height ?? traits.height ?? 2400,
    density: options.density ?? traits.density ?? 420,
    androidRelease: options.androidRelease ?? traits.androidRelease ?? android.androidRelease,
    sdk: options.sdk ?? traits.sdk ?? android.sdk,
    locale: options.locale ?? "en-US",
    latency: options.latency ?? "small",
    authorization: options.authorization ?? "open",
    authorizedKeys: options.authorizedKeys ?? [],
    keyguard: options.keyguard ?? "none",
    helperKeyboard: options.helperKeyboard ?? false,
    pin: options.pin ?? "1234",
    coverPanel: options.coverPanel ?? traits.coverPanel,
    launcher: options.launcher ?? traits.launcher ?? "pixel",
    isTelevision: options.isTelevision ?? traits.isTelevision ?? false,
    properties: { ...traits.properties, ...options.properties },
    screenTimeoutMs: options.screenTimeoutMs,
    startMs: options.startMs ?? 0,
    quirks,
    clock: options.clock ?? systemClock,
    random,
    log: options.log ?? (() => {}),
  };
}

function randomSerial(random: () => number): string {
  const digits = Array.from({ length: 8 }, () => Math.floor(random() * 16).toString(16));
  return `SIM${digits.join("").toUpperCase()}`;
}
