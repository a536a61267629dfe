import type { Quirks } from "./options.ts";

type Kind = "switch" | "milliseconds" | "number" | "count" | readonly string[];

/** How each quirk is written on the command line. */
const KINDS: Readonly<Record<keyof Quirks, Kind>> = {
  multiDisplayWarning: "switch",
  uiNotIdle: "count",
  nullRoot: "count",
  staleDump: "switch",
  injectDenied: ["exit 0", "exit 255"],
  slowShellMs: "milliseconds",
  oldAndroid: "switch",
  dropsCharacters: "number",
  miuiDumpNoise: "switch",
  noScrcpy: "switch",
  silentScrcpy: "count",
  secondDisplay: "switch",
  secureSettingsDenied: "switch",
  batteryLog: "switch",
  nullFocus: "switch",
  slowKeyguardMs: "milliseconds",
  cutCapture: "count",
  slowCaptureMs: "milliseconds",
  secondUser: "switch",
  secondLauncher: "switch",
  slowStartMs: "milliseconds",
  neverSaysStarted: "switch",
  installDenied: [
    "INSTALL_FAILED_USER_RESTRICTED: Install canceled by user",
    "INSTALL_FAILED_VERSION_DOWNGRADE",
    "INSTALL_FAILED_INSUFFICIENT_STORAGE",
  ],
};

export const QUIRK_NAMES = Object.keys(KINDS);

/** `name` or `name=value` as one quirk; a sentence when it is none. */
export function parseQuirk(text: string): Quirks | string {
  const [name = "", ...rest] = text.split("=");
  const value = rest.length > 0 ? rest.join("=") : undefined;
  if (!isQuirk(name)) return `knows ${QUIRK_NAMES.join(", ")}; not "${name}"`;
  const kind = KINDS[name];
  const parsed = parsedBy(kind, value);
  return parsed === undefined ? `${name} takes ${expected(kind)}; not "${value ?? ""}"` : { [name]: parsed };
}

function isQuirk(name: string): name is keyof Quirks {
  return Object.hasOwn(KINDS, name);
}

function parsedBy(kind: Kind, value: string | undefined): boolean | number | string | undefined {
  if (kind === "switch") return value === undefined || value === "true" ? true : undefined;
  if (kind === "count") return value === undefined || value === "always" ? "always" : whole(value);
  if (kind === "number" || kind === "milliseconds") return whole(value ?? "");
  return value === undefined ? kind[0] : kind.find((candidate) => candidate === value);
}

function whole(text: string): number | undefined {
  return /^\d{1,7}$/.test(text) ? Number(text) : undefined;
}

function expected(kind: Kind): string {
  if (kind === "switch") return "no value";
  if (kind === "count") return 'a number of times or "always"';
  if (kind === "number" || kind === "milliseconds")
    return `a whole number${kind === "number" ? "" : " of milliseconds"}`;
  return kind.map((word) => `"${word}"`).join(" or ");
}
