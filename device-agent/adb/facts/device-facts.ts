import type { DeviceFacts } from "../../../shared/device.ts";
import { parseWmSize } from "../screen/screen-status.ts";
import { parseBattery } from "./battery.ts";
import { networkCommand, parseNetwork } from "./network.ts";
import { parseProperties } from "./properties.ts";

/** The commands whose answers `parseFacts` takes, in this order. */
export const factsCommands = [
  "getprop",
  "wm size",
  "wm density",
  "dumpsys battery",
  "settings get system system_locales",
  networkCommand,
];

export function parseFacts([
  getprop = "",
  size = "",
  density = "",
  battery = "",
  locales = "",
  network = "",
]: string[]): Omit<DeviceFacts, "limitations"> {
  const properties = parseProperties(getprop);
  const get = (...keys: string[]) => keys.map((key) => properties.get(key)?.trim()).find((value) => value) ?? "";
  const sizes = parseWmSize(size);
  const { percent, charging } = parseBattery(battery);
  return {
    manufacturer: get("ro.product.manufacturer", "ro.product.vendor.manufacturer"),
    model: get("ro.product.marketname", "ro.config.marketing_name", "ro.product.model", "ro.product.vendor.model"),
    androidRelease: get("ro.build.version.release"),
    sdk: Number(get("ro.build.version.sdk")) || 0,
    physicalSize: sizes?.physical ?? { width: 0, height: 0 },
    overrideSize: sizes?.override ?? null,
    density: parseDensity(density) || Number(get("ro.sf.lcd_density")) || 0,
    batteryPercent: percent,
    charging,
    abi: get("ro.product.cpu.abi") || null,
    network: parseNetwork(network),
    locale: parseLocale(locales) ?? (get("persist.sys.locale", "ro.product.locale") || null),
  };
}

/** The override wins. 0 when the phone does not tell. */
export function parseDensity(text: string): number {
  const match = /^Override density: (\d+)/m.exec(text) ?? /^Physical density: (\d+)/m.exec(text);
  return match ? Number(match[1]) : 0;
}

/** The first of the languages that the owner has ordered. */
function parseLocale(text: string): string | undefined {
  if (text.trim() === "null") return undefined;
  return /^([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)(?:,|\s*$)/.exec(text.trim())?.[1];
}
