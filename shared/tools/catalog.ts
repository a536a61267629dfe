import { listApps, openApp, stopApp } from "./apps.ts";
import type { DeviceTool, FleetTool } from "./define-tool.ts";
import { deviceInfo, listDevices } from "./devices.ts";
import { tapElement, tapText } from "./elements.ts";
import { pullFile, pushFile } from "./files.ts";
import { pressKey, setClipboard, typeText } from "./keyboard.ts";
import { acquireDevice, releaseDevice } from "./leases.ts";
import { openUrl } from "./links.ts";
import { setOrientation } from "./orientation.ts";
import { clearAppData, installApp, reboot, uninstallApp } from "./packages.ts";
import { sleep, wake } from "./power.ts";
import { readLogs, readNotifications } from "./reports.ts";
import { foregroundApp, readClipboard, readScreen, readText, readUiTree, takeScreenshot } from "./screen.ts";
import { readProcess, runShell, startProcess, stopProcess } from "./shell.ts";
import { runSteps } from "./steps.ts";
import { ask, cancelTask, getTask } from "./tasks.ts";
import { doubleTap, longPress, pinch, swipe, tap } from "./touch.ts";
import { waitFor } from "./wait.ts";

/** Every tool, in the order in which clients list them. */
export const catalog: readonly (DeviceTool | FleetTool)[] = [
  listDevices,
  deviceInfo,
  readScreen,
  takeScreenshot,
  readUiTree,
  readText,
  waitFor,
  foregroundApp,
  listApps,
  readClipboard,
  readNotifications,
  readLogs,
  tapText,
  tapElement,
  tap,
  doubleTap,
  longPress,
  swipe,
  pinch,
  pressKey,
  typeText,
  setClipboard,
  openApp,
  stopApp,
  openUrl,
  setOrientation,
  wake,
  sleep,
  runShell,
  startProcess,
  readProcess,
  stopProcess,
  pushFile,
  pullFile,
  installApp,
  uninstallApp,
  clearAppData,
  reboot,
  acquireDevice,
  releaseDevice,
  runSteps,
  ask,
  getTask,
  cancelTask,
];

export const deviceTools: readonly DeviceTool[] = catalog.filter((tool) => tool.kind === "device");
