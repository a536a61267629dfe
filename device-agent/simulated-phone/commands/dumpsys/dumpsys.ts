import type { Phone } from "../../phone/phone.ts";
import type { Program } from "../program.ts";
import { dumpActivity } from "./activity.ts";
import { dumpConnectivity } from "./connectivity.ts";
import {
  dumpBattery,
  dumpDisplay,
  dumpInputMethod,
  dumpNotification,
  dumpPackage,
  dumpPower,
  dumpSurfaceFlinger,
} from "./system-services.ts";
import { dumpWindow } from "./window.ts";

/** What each service prints about itself. */
const SERVICES: Record<string, (phone: Phone, args: readonly string[]) => string> = {
  activity: dumpActivity,
  battery: batteryCommand,
  connectivity: dumpConnectivity,
  display: dumpDisplay,
  input_method: dumpInputMethod,
  notification: dumpNotification,
  package: dumpPackage,
  power: dumpPower,
  SurfaceFlinger: dumpSurfaceFlinger,
  window: dumpWindow,
};

export const SERVICE_NAMES: readonly string[] = Object.keys(SERVICES);

export const dumpsys: Program = async ({ args, phone, print, printError }) => {
  const own = args[0] === "-t" || args[0] === "-T" ? args.slice(2) : args;
  const [service, ...rest] = own;
  if (service === "-l") {
    await print(`Currently running services:\n${SERVICE_NAMES.map((name) => `  ${name}\n`).join("")}`);
    return 0;
  }
  if (service === undefined) {
    for (const [name, dump] of Object.entries(SERVICES))
      await print(
        `-------------------------------------------------------------------------------\nDUMP OF SERVICE ${name}:\n${dump(phone, [])}\n`,
      );
    return 0;
  }
  const dump = Object.hasOwn(SERVICES, service) ? SERVICES[service] : undefined;
  if (!dump) {
    await printError(`Can't find service: ${service}\n`);
    return 0;
  }
  await print(dump(phone, rest));
  return 0;
};

/** `dumpsys battery set level 20`, `unplug`, `reset`. */
function batteryCommand(phone: Phone, args: readonly string[]): string {
  const { battery } = phone;
  const [verb, key, value] = args.filter((argument) => !argument.startsWith("-"));
  if (verb === undefined) return dumpBattery(phone);
  if (verb === "set" && key === "level" && value !== undefined) battery.level = Number(value);
  else if (verb === "set" && key === "temp" && value !== undefined) battery.temperature = Number(value);
  else if (verb === "unplug") battery.isUsbPowered = false;
  else if (verb === "reset") Object.assign(battery, { level: 87, temperature: 274, isUsbPowered: true });
  else return `Unknown set option: ${key}\n`;
  phone.screen.changed();
  return "";
}
