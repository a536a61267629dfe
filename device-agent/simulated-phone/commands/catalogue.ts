import { appProcess } from "./app-process.ts";
import { dd } from "./dd.ts";
import { devicePrograms } from "./device-services.ts";
import { dumpsys } from "./dumpsys/dumpsys.ts";
import { filePrograms } from "./file-tools.ts";
import { logcat } from "./logcat.ts";
import { processPrograms } from "./process-tools.ts";
import type { ProgramTable } from "./program.ts";
import { propertyPrograms } from "./properties.ts";
import { screencap } from "./screencap.ts";
import { shellBuiltins } from "./shell-builtins.ts";
import { textPrograms } from "./text-tools.ts";
import { uiautomator } from "./uiautomator.ts";

/** Every program the phone's shell knows. */
const ALL: ProgramTable = {
  ...shellBuiltins,
  ...filePrograms,
  ...textPrograms,
  ...processPrograms,
  ...propertyPrograms,
  ...devicePrograms,
  app_process: appProcess,
  app_process64: appProcess,
  dd,
  dumpsys,
  logcat,
  screencap,
  uiautomator,
};

/** Old releases lack some of them. */
export function programsFor(sdk: number): ProgramTable {
  const missing = new Set(sdk < 24 ? ["gzip", "gunzip", "zcat", "base64", "cmd", "xargs", "timeout", "sha256sum"] : []);
  return Object.fromEntries(Object.entries(ALL).filter(([name]) => !missing.has(name)));
}
