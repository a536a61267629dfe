import type { InstalledApp } from "../../../shared/device.ts";

/** `pm list packages`, with or without `--show-versioncode` and other additions to the line. */
export function parsePackageList(text: string, system: boolean): InstalledApp[] {
  return [...text.matchAll(/^package:(?:\S*=)?([A-Za-z][\w.]*)(?:[ \t]+(.*?))?\r?$/gm)].map((match) => {
    const code = /\bversionCode:(\d+)/.exec(match[2] ?? "")?.[1];
    const versionCode = code === undefined ? null : Number(code);
    return { packageName: match[1] ?? "", versionCode, version: null, label: null, system };
  });
}
