import { parseArgs } from "node:util";
import type { KeyguardKind, Latency, Quirks, SimulatedPhoneOptions } from "./options.ts";
import { PROFILE_NAMES } from "./profiles.ts";
import { parseQuirk, QUIRK_NAMES } from "./quirk-flags.ts";

export interface CommandLine {
  readonly phone: SimulatedPhoneOptions;
  readonly host: string;
  readonly port: number;
  readonly exitsWithParent: boolean;
}

export class UsageError extends Error {
  override name = "UsageError";
}

/** Words broken to the width of the text below. */
function inLines(words: readonly string[]): string {
  const lines = [""];
  for (const [index, word] of words.entries()) {
    const next = `${lines.at(-1)}${word}${index < words.length - 1 ? ", " : ""}`;
    if (next.length > 56) lines.push(`${word}, `);
    else lines[lines.length - 1] = next;
  }
  return lines.map((line) => line.trimEnd()).join(`\n${" ".repeat(24)}`);
}

export const USAGE = `Usage: simulated-phone [options]

A phone made of software that adb connects to over TCP.

  --host ADDRESS        address to listen on (127.0.0.1)
  --port NUMBER         port to listen on; 0 takes a free one (0)
  --serial TEXT         hardware serial (SIM and eight random hex digits)
  --model TEXT          model name (Farhand Sim)
  --manufacturer TEXT   manufacturer (Farhand)
  --width PIXELS        width of the screen (1080)
  --height PIXELS       height of the screen (2400)
  --density DPI         density of the screen (420)
  --android RELEASE     Android release (14)
  --sdk NUMBER          API level (34)
  --locale TAG          language (en-US)
  --latency KIND        small | real: how long commands take (small)
  --authorization KIND  open | prompt: whether new hosts must be allowed (open)
  --keyguard KIND       none | swipe | pin (none)
  --pin DIGITS          the PIN of the keyguard (1234)
  --helper-keyboard     com.android.adbkeyboard is installed, which types broadcasts
  --screen-timeout MS   the screen goes off after that long without input (never)
  --start MS            Android is still starting for that long when adbd answers (0)
  --profile NAME        ${PROFILE_NAMES.slice(0, 6).join(" | ")} |
                        android6 … android16: traits of a make or release
  --quirk NAME[=VALUE]  what some phones do and others do not; may be given again:
                        ${inLines(QUIRK_NAMES)}
  --exit-with-parent    end when standard input ends
  --help                this text
`;

const OPTIONS = {
  host: { type: "string" },
  port: { type: "string" },
  serial: { type: "string" },
  model: { type: "string" },
  manufacturer: { type: "string" },
  width: { type: "string" },
  height: { type: "string" },
  density: { type: "string" },
  android: { type: "string" },
  sdk: { type: "string" },
  locale: { type: "string" },
  latency: { type: "string" },
  authorization: { type: "string" },
  keyguard: { type: "string" },
  pin: { type: "string" },
  "helper-keyboard": { type: "boolean" },
  "screen-timeout": { type: "string" },
  start: { type: "string" },
  profile: { type: "string" },
  quirk: { type: "string", multiple: true },
  "exit-with-parent": { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** Undefined when help was asked for. Throws UsageError with one line that names the option. */
export function parseCommandLine(argv: readonly string[]): CommandLine | undefined {
  const values = parse(argv);
  if (values.help) return undefined;
  const latency = oneOf<Latency>("latency", values.latency, ["small", "real"]);
  const authorization = oneOf<"open" | "prompt">("authorization", values.authorization, ["open", "prompt"]);
  const keyguard = oneOf<KeyguardKind>("keyguard", values.keyguard, ["none", "swipe", "pin"]);
  if (values.pin !== undefined && !/^\d{4,16}$/.test(values.pin)) throw new UsageError("--pin takes 4 to 16 digits");
  if (values.serial !== undefined && !/^[\w.:-]{1,64}$/.test(values.serial))
    throw new UsageError("--serial takes letters, digits, dots, colons and dashes");
  const phone: Record<string, unknown> = {
    serial: values.serial,
    model: values.model,
    manufacturer: values.manufacturer,
    androidRelease: values.android,
    locale: values.locale,
    pin: values.pin,
    helperKeyboard: values["helper-keyboard"],
    width: whole("width", values.width, 240, 4096),
    height: whole("height", values.height, 240, 4096),
    density: whole("density", values.density, 72, 960),
    sdk: whole("sdk", values.sdk, 21, 99),
    latency,
    authorization,
    keyguard,
    screenTimeoutMs: whole("screen-timeout", values["screen-timeout"], 1, 86_400_000),
    startMs: whole("start", values.start, 0, 86_400_000),
    profile: oneOf("profile", values.profile, PROFILE_NAMES),
    quirks: quirksOf(values.quirk),
  };
  return {
    phone: Object.fromEntries(Object.entries(phone).filter(([, value]) => value !== undefined)),
    host: values.host ?? "127.0.0.1",
    port: whole("port", values.port, 0, 65_535) ?? 0,
    exitsWithParent: values["exit-with-parent"] ?? false,
  };
}

function quirksOf(texts: readonly string[] | undefined): Quirks | undefined {
  if (texts === undefined) return undefined;
  return Object.assign(
    {},
    ...texts.map((text) => {
      const quirk = parseQuirk(text);
      if (typeof quirk === "string") throw new UsageError(`--quirk ${quirk}`);
      return quirk;
    }),
  );
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
  }
}

function oneOf<Value extends string>(
  name: string,
  text: string | undefined,
  values: readonly Value[],
): Value | undefined {
  if (text === undefined) return undefined;
  const value = values.find((candidate) => candidate === text);
  if (value === undefined) throw new UsageError(`--${name} takes ${values.join(", ")}; not "${text}"`);
  return value;
}

function whole(name: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new UsageError(`--${name} takes a whole number from ${least} to ${most}; not "${text}"`);
  return value;
}
