import { CodedError } from "../../../shared/errors.ts";
import { parseProperties } from "../facts/properties.ts";
import type { CommandRunner } from "../shell/command-runner.ts";
import { hasStarted } from "./start-of-android.ts";

/** What a phone says of itself when it is first spoken to. */
export interface Identity {
  /** ro.serialno, or "" where it is missing. */
  hardwareSerial: string;
  /** Settings.Secure.ANDROID_ID: differs between two phones with one serial. "" where it cannot be read. */
  androidId: string;
  /** The kernel's boot id, new at each start. "" where it cannot be read. */
  bootId: string;
  name: string;
  model: string;
  androidRelease: string;
}

export interface Introduction {
  identity: Identity;
  /** False while Android is starting: then not all of the identity may be known yet. */
  hasStarted: boolean;
}

/**
 * Asks a phone who it is. The settings are left alone while Android is starting, unless it `isUp` whatever its
 * properties say: old releases hang there. Throws CodedError, also when the answer makes no sense.
 */
export async function readIdentity(runner: CommandRunner, signal: AbortSignal, isUp = false): Promise<Introduction> {
  const options = { signal, timeoutMs: 5000, task: "say who it is" };
  const [properties = "", bootId = ""] = await runner.sections(
    ["getprop", "cat /proc/sys/kernel/random/boot_id"],
    options,
  );
  const known = parseProperties(properties);
  if (known.size === 0) throw new CodedError("device_offline", "The phone does not say who it is.");
  const started = isUp || hasStarted(known);
  const [androidId = ""] = started ? await runner.sections(["settings get secure android_id"], options) : [];
  return { identity: describeIdentity(known, androidId, bootId), hasStarted: started };
}

export function describeIdentity(properties: ReadonlyMap<string, string>, androidId: string, bootId: string): Identity {
  const get = (...keys: string[]) => keys.map((key) => properties.get(key)?.trim()).find((value) => value) ?? "";
  const model = get("ro.product.model", "ro.product.vendor.model", "ro.product.device");
  return {
    hardwareSerial: get("ro.serialno", "ro.boot.serialno"),
    androidId: isAndroidId(androidId.trim()) ? androidId.trim() : "",
    bootId: /^[0-9a-f-]{36}$/i.exec(bootId.trim())?.[0] ?? "",
    name:
      get("ro.product.marketname", "ro.config.marketing_name", "ro.vendor.product.display") || model || "Android phone",
    model,
    androidRelease: get("ro.build.version.release"),
  };
}

/** One value is shared by many old phones and says nothing. */
const isAndroidId = (text: string) => /^[0-9a-f]{8,16}$/i.test(text) && text !== "9774d56d682e549c";
