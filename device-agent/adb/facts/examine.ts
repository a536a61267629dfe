import type { ScreenStatus } from "../../../shared/device.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { PhoneFinding } from "../../doctor/finding.ts";
import type { PointerAndKeys } from "../input/pointer-and-keys.ts";
import type { ScrcpyChannel } from "../scrcpy/scrcpy-channel.ts";
import { parsePhysicalDisplays } from "../screen/displays.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { factsCommands, parseFacts } from "./device-facts.ts";
import type { Limitation, Limitations } from "./limitations.ts";

export interface ExamineParts {
  runner: CommandRunner;
  keys: PointerAndKeys;
  channel: ScrcpyChannel;
  limitations: Limitations;
  readStatus(signal: AbortSignal): Promise<ScreenStatus>;
}

const settingsCommands = [
  "settings get system screen_off_timeout",
  "settings get global stay_on_while_plugged_in",
  "settings get global low_power",
  "dumpsys SurfaceFlinger --display-id",
];
/** KEYCODE_UNKNOWN (android.view.KeyEvent): a key that no app and no system gesture answers to. */
const NO_KEY = 0;
/** Between two steps of a client that thinks in between. */
const SHORT_TIMEOUT_MS = 60_000;
const LOW_BATTERY = 15;

/**
 * Looks at everything that keeps others from working with this phone, which is ready. It changes nothing there: one
 * key that means nothing is sent, and the helper program is started and ended.
 */
export async function examine(parts: ExamineParts, signal: AbortSignal): Promise<PhoneFinding[]> {
  const { runner, channel, limitations } = parts;
  const options = { signal, timeoutMs: 15_000, task: "describe itself" };
  const answers = await runner.sections([...factsCommands, ...settingsCommands], options);
  const facts = parseFacts(answers);
  const [timeout = "", stayOn = "", saver = "", panels = ""] = answers.slice(factsCommands.length);
  const status = await parts.readStatus(signal);
  const input = await probeInput(parts.keys, signal);
  await probeHelper(channel, signal);
  const found = await limitations.find(facts);
  return [
    { level: "ok", check: "phone", message: `Android ${facts.androidRelease || "of an unknown version"}, ready.` },
    ...input,
    ...found.map(limitationFinding),
    ...lockFindings(status),
    ...timeoutFindings(Number(timeout), Number(stayOn) > 0),
    ...powerFindings(saver.trim() === "1", facts),
    ...displayFindings(parsePhysicalDisplays(panels).length),
  ];
}

/** A phone that does not let it run is found by its limitations. */
async function probeHelper(channel: ScrcpyChannel, signal: AbortSignal): Promise<void> {
  if (channel.ready) return;
  await channel.open(signal).catch(() => {});
  channel.close();
}

async function probeInput(keys: PointerAndKeys, signal: AbortSignal): Promise<PhoneFinding[]> {
  try {
    await keys.pressCode(NO_KEY, signal);
    return [{ level: "ok", check: "input", message: "It takes touches and keys." }];
  } catch (thrown) {
    if (!(thrown instanceof CodedError)) throw thrown;
    // The limitations tell it, with the switch of this vendor.
    if (thrown.code === "input_permission_denied") return [];
    return [{ level: "warn", check: "input", message: thrown.message, fix: thrown.hint }];
  }
}

function limitationFinding({ tools, reason, fix, at }: Limitation): PhoneFinding {
  const isInput = tools.includes("tap");
  const check = at === "device agent" ? "device_agent" : isInput ? "input" : "helper";
  return { level: isInput ? "fail" : "warn", check, message: `${reason} Not usable: ${tools.join(", ")}.`, fix };
}

function lockFindings({ locked, secureLock }: ScreenStatus): PhoneFinding[] {
  if (!locked || !secureLock) return [];
  const fix = "Unlock it, or take the screen lock away while others work with it; a secret is never guessed.";
  return [{ level: "warn", check: "lock", message: "It is locked with a PIN, pattern or password.", fix }];
}

function timeoutFindings(timeoutMs: number, staysOn: boolean): PhoneFinding[] {
  if (!(timeoutMs > 0) || timeoutMs >= SHORT_TIMEOUT_MS || staysOn) return [];
  const message = `Its screen goes off after ${Math.round(timeoutMs / 1000)} s.`;
  const fix = 'Choose a longer "Screen timeout" in Settings, Display, or switch on "Stay awake" in Developer options.';
  return [{ level: "warn", check: "screen_timeout", message, fix }];
}

function powerFindings(
  isSaving: boolean,
  { batteryPercent, charging }: { batteryPercent: number | null; charging: boolean | null },
): PhoneFinding[] {
  const findings: PhoneFinding[] = [];
  if (isSaving) {
    const message = "Battery saver is on: apps are slowed down and may miss what they wait for.";
    findings.push({ level: "warn", check: "battery_saver", message, fix: 'Switch "Battery saver" off in Settings.' });
  }
  if (batteryPercent !== null && batteryPercent < LOW_BATTERY && charging === false) {
    findings.push({
      level: "warn",
      check: "battery",
      message: `Its battery has ${batteryPercent} %.`,
      fix: "Charge it.",
    });
  }
  return findings;
}

function displayFindings(panels: number): PhoneFinding[] {
  if (panels < 2) return [];
  const message = `It has ${panels} panels; pictures and touches are those of the main display unless another is named.`;
  const fix = "Leave a foldable phone as it is, open or closed, while others work with it.";
  return [{ level: "warn", check: "displays", message, fix }];
}
