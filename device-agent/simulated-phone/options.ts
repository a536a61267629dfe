import { setTimeout as delay } from "node:timers/promises";

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
  /** A second built-in panel, logical display 2. */
  readonly secondDisplay?: boolean;
  /** `settings put secure|global` is refused. */
  readonly secureSettingsDenied?: boolean;
}

export interface Clock {
  now(): number;
  /** Rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export type Log = (line: string) => void;

export interface SimulatedPhoneOptions {
  readonly serial?: string;
  readonly model?: string;
  readonly manufacturer?: string;
  readonly width?: number;
  readonly height?: number;
  readonly density?: number;
  readonly androidRelease?: string;
  readonly sdk?: number;
  readonly locale?: string;
  readonly latency?: Latency;
  readonly authorization?: Authorization;
  /** Public keys in the form of `adbkey.pub` that need no prompt. */
  readonly authorizedKeys?: readonly string[];
  readonly keyguard?: KeyguardKind;
  readonly pin?: string;
  readonly quirks?: Quirks;
  readonly clock?: Clock;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
  readonly log?: Log;
}

/** The options with every gap filled. */
export interface PhoneProfile extends Required<Omit<SimulatedPhoneOptions, "log" | "random" | "clock">> {
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
  const quirks = options.quirks ?? {};
  const random = options.random ?? Math.random;
  const android = quirks.oldAndroid ? OLD_ANDROID : CURRENT_ANDROID;
  return {
    serial: options.serial ?? randomSerial(random),
    model: options.model ?? "Farhand Sim",
    manufacturer: options.manufacturer ?? "Farhand",
    width: options.width ?? 1080,
    height: options.height ?? 2400,
    density: options.density ?? 420,
    androidRelease: options.androidRelease ?? android.androidRelease,
    sdk: options.sdk ?? android.sdk,
    locale: options.locale ?? "en-US",
    latency: options.latency ?? "small",
    authorization: options.authorization ?? "open",
    authorizedKeys: options.authorizedKeys ?? [],
    keyguard: options.keyguard ?? "none",
    pin: options.pin ?? "1234",
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
