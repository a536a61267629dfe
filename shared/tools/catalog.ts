import { listApps, openApp, stopApp } from "./apps.ts";
import type { DeviceTool, FleetTool } from "./define-tool.ts";
import { deviceInfo, listDevices } from "./devices.ts";
import { tapElement, tapText } from "./elements.ts";
import { pressKey, setClipboard, typeText } from "./keyboard.ts";
import { sleep, wake } from "./power.ts";
import { foregroundApp, readClipboard, readScreen, readUiTree, takeScreenshot } from "./screen.ts";
import { longPress, swipe, tap } from "./touch.ts";
import { waitFor } from "./wait.ts";

/** Every tool, in the order in which clients list them. */
export const catalog: readonly (DeviceTool | FleetTool)[] = [
  listDevices,
  deviceInfo,
  readScreen,
  takeScreenshot,
  readUiTree,
  waitFor,
  foregroundApp,
  listApps,
  readClipboard,
  tapText,
  tapElement,
  tap,
  longPress,
  swipe,
  pressKey,
  typeText,
  setClipboard,
  openApp,
  stopApp,
  wake,
  sleep,
];

export const deviceTools: readonly DeviceTool[] = catalog.filter((tool) => tool.kind === "device");
