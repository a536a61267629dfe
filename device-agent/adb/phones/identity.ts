import { CodedError } from "../../../shared/errors.ts";
import { parseProperties } from "../facts/properties.ts";
import type { CommandRunner } from "../shell/command-runner.ts";

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

/** Asks a phone who it is. Throws CodedError, also when the answer makes no sense. */
export async function readIdentity(runner: CommandRunner, signal: AbortSignal): Promise<Identity> {
  const [properties = "", androidId = "", bootId = ""] = await runner.sections(
    ["getprop", "settings get secure android_id", "cat /proc/sys/kernel/random/boot_id"],
    { signal, timeoutMs: 5000, task: "say who it is" },
  );
  const known = parseProperties(properties);
  if (known.size === 0) throw new CodedError("device_offline", "The phone does not say who it is.");
  return describeIdentity(known, androidId, bootId);
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
