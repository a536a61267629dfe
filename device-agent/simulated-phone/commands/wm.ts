import { asRotation } from "../screen/display.ts";
import type { Program, ProgramContext } from "./program.ts";

type Action = (context: ProgramContext, args: readonly string[]) => Promise<number>;

const size: Action = async ({ phone, print, printError }, args) => {
  const { display } = phone.screen;
  const [value] = args;
  if (value === undefined) {
    await print(`Physical size: ${display.physical.width}x${display.physical.height}\n`);
    if (display.sizeOverride)
      await print(`Override size: ${display.sizeOverride.width}x${display.sizeOverride.height}\n`);
    return 0;
  }
  const [, width, height] = /^(\d+)x(\d+)$/.exec(value) ?? [];
  if (value === "reset") display.sizeOverride = undefined;
  else if (
    width !== undefined &&
    height !== undefined &&
    Number(width) >= 200 &&
    Number(height) >= 200 &&
    Number(width) * Number(height) <= 40_000_000
  )
    display.sizeOverride = { width: Number(width), height: Number(height) };
  else {
    await printError(`Error: bad size ${value}\n`);
    return 255;
  }
  phone.screen.changed();
  return 0;
};

const density: Action = async ({ phone, print, printError }, args) => {
  const { display } = phone.screen;
  const [value] = args;
  if (value === undefined) {
    await print(`Physical density: ${display.physical.density}\n`);
    if (display.densityOverride !== undefined) await print(`Override density: ${display.densityOverride}\n`);
    return 0;
  }
  if (value === "reset") display.densityOverride = undefined;
  else if (/^\d+$/.test(value) && Number(value) >= 72) display.densityOverride = Number(value);
  else {
    await printError(/^\d+$/.test(value) ? "Error: density must be >= 72\n" : `Error: bad number ${value}\n`);
    return 255;
  }
  phone.screen.changed();
  return 0;
};

const dismissKeyguard: Action = async ({ phone }) => {
  phone.screen.keyguard.requestDismiss();
  return 0;
};

const userRotation: Action = async ({ phone, print, printError }, args) => {
  const { settings } = phone;
  const [mode, rotation] = args[0] === "-d" ? args.slice(2) : args;
  if (mode === undefined) {
    await print(
      settings.isOn("system", "accelerometer_rotation")
        ? "free\n"
        : `lock ${settings.get("system", "user_rotation") ?? 0}\n`,
    );
  } else if (mode === "free") settings.put("system", "accelerometer_rotation", "1");
  else if (mode === "lock") {
    if (rotation !== undefined && !/^[0-3]$/.test(rotation)) {
      await printError(`Error: argument needs to be either -1, 0, 1, 2, 3 but got ${rotation}\n`);
      return 255;
    }
    settings.put("system", "user_rotation", String(asRotation(Number(rotation ?? phone.screen.display.rotation()))));
    settings.put("system", "accelerometer_rotation", "0");
  } else {
    await printError(`Error: argument needs to be either lock or free but got ${mode}\n`);
    return 255;
  }
  return 0;
};

const SUBCOMMANDS: Record<string, Action> = {
  size,
  density,
  "dismiss-keyguard": dismissKeyguard,
  "user-rotation": userRotation,
  "set-user-rotation": userRotation,
};

/** Subcommands that old releases lack (frameworks/base Wm.java and WindowManagerShellCommand). */
const SINCE_SDK: Record<string, number> = { "dismiss-keyguard": 24, "user-rotation": 33, "set-user-rotation": 28 };
const UNTIL_SDK: Record<string, number> = { "set-user-rotation": 32 };

/** `wm`, which is also `cmd window`. */
export const wm: Program = async (context) => {
  const [subcommand = "", ...args] = context.args;
  const { sdk } = context.phone.profile;
  const isKnown = sdk >= (SINCE_SDK[subcommand] ?? 0) && sdk <= (UNTIL_SDK[subcommand] ?? sdk);
  const action = isKnown && Object.hasOwn(SUBCOMMANDS, subcommand) ? SUBCOMMANDS[subcommand] : undefined;
  if (action) return action(context, args);
  await context.printError(
    subcommand === "" ? "Window manager (window) commands:\n  help\n" : `Unknown command: ${subcommand}\n`,
  );
  return 255;
};
