import { launchOf } from "../apps/app.ts";
import { am } from "./am.ts";
import { SERVICE_NAMES } from "./dumpsys/dumpsys.ts";
import { input } from "./input.ts";
import { pm } from "./pm.ts";
import type { Program, ProgramContext, ProgramTable } from "./program.ts";
import { settingsCommand } from "./settings.ts";
import { wm } from "./wm.ts";

const ime: Program = async (context) => {
  const { inputMethods } = context.phone;
  const [verb = "", ...args] = context.args;
  if (verb === "list") {
    const all = args.includes("-a") ? inputMethods.available : inputMethods.enabled();
    for (const id of all)
      await context.print(
        args.includes("-s") ? `${id}\n` : `${id}:\n  mId=${id} mSettingsActivityName=null mIsVrOnly=false\n`,
      );
    return 0;
  }
  const id = args.at(-1) ?? "";
  if (verb === "reset") inputMethods.select(inputMethods.available[0] ?? "");
  else if (!["enable", "disable", "set"].includes(verb)) return unknown(context, verb);
  else if (!inputMethods.available.includes(id)) {
    await context.printError(
      `Unknown input method ${id} cannot be ${verb === "set" ? "selected" : `${verb}d`} for user #0\n`,
    );
    return 255;
  } else if (verb === "enable") {
    await context.print(
      `Input method ${id}: ${inputMethods.enabled().includes(id) ? "already enabled" : "now enabled"} for user #0\n`,
    );
    inputMethods.enable(id);
  } else if (verb === "disable") {
    inputMethods.disable(id);
    await context.print(`Input method ${id}: now disabled for user #0\n`);
  } else if (!inputMethods.enabled().includes(id)) {
    await context.printError(`Unknown input method ${id} cannot be selected for user #0\n`);
    return 255;
  } else {
    inputMethods.select(id);
    await context.print(`Input method ${id} selected for user #0\n`);
  }
  return 0;
};

async function unknown(context: ProgramContext, verb: string): Promise<number> {
  await context.printError(`Unknown command: ${verb}\n`);
  return 255;
}

const svc: Program = async ({ args, phone, print, printError }) => {
  const [service = "", verb = "", mode = ""] = args;
  const switches: Record<string, string> = { wifi: "wifi_on", data: "mobile_data", bluetooth: "bluetooth_on" };
  const key = switches[service];
  if (key && (verb === "enable" || verb === "disable"))
    phone.settings.put("global", key, verb === "enable" ? "1" : "0");
  else if (service === "power" && verb === "stayon")
    phone.settings.put("global", "stay_on_while_plugged_in", mode === "false" ? "0" : "7");
  else if (service === "power" && verb === "reboot") phone.reboot(mode);
  else if (service === "power" && verb === "shutdown") phone.reboot("shutdown");
  else {
    await (service === "help" || service === "" ? print : printError)(
      "Available commands:\n    help     Show information about the subcommands\n    power    Control the power manager\n    data     Control mobile data connectivity\n    wifi     Control the Wi-Fi manager\n",
    );
    return service === "help" ? 0 : 1;
  }
  return 0;
};

const clipboardService: Program = async ({ args, phone, print, printError }) => {
  // The shell is neither the focused app nor the keyboard: from Android 10 on it sees nothing.
  if (phone.profile.sdk < 29 && args[0] === "get") await print(`${phone.clipboard.text() ?? ""}\n`);
  else await printError("No shell command implementation.\n");
  return phone.profile.sdk < 29 ? 0 : 255;
};

const statusbar: Program = async ({ args, phone, printError }) => {
  const { shade } = phone.screen;
  if (args[0] === "expand-notifications") shade.expand("notifications");
  else if (args[0] === "expand-settings") shade.expand("settings");
  else if (args[0] === "collapse") shade.collapse();
  else {
    await printError(`Unknown command: ${args[0] ?? ""}\n`);
    return 255;
  }
  return 0;
};

const notification: Program = async ({ args, phone, print }) => {
  if (args[0] !== "post") {
    for (const entry of phone.screen.shade.notifications()) await print(`0|${entry.packageName}|1|null|10210\n`);
    return 0;
  }
  const titleAt = args.findIndex((argument) => argument === "-t" || argument === "--title");
  const title = titleAt > 0 ? (args[titleAt + 1] ?? "") : "Shell";
  phone.screen.shade.post({
    packageName: "com.android.shell",
    appLabel: "Shell",
    title,
    text: args.at(-1) ?? "",
    postedAt: phone.profile.clock.now(),
    icon: { name: "info", color: "#63676f" },
  });
  await print("posting:\n  Notification(channel=shell_cmd)\n");
  return 0;
};

const noShellCommand: Program = async ({ printError }) => {
  await printError("No shell command implementation.\n");
  return 255;
};

/** Services that answer to `cmd NAME`. */
const CMD_SERVICES: Record<string, Program> = {
  activity: am,
  package: pm,
  window: wm,
  settings: settingsCommand,
  input,
  input_method: ime,
  clipboard: clipboardService,
  statusbar,
  notification,
  power: noShellCommand,
};

const cmd: Program = async (context) => {
  const [service = "", ...args] = context.args.filter((argument, index) => !(index === 0 && argument === "-w"));
  if (service === "-l") {
    await context.print(
      `Currently running services:\n${[...new Set([...Object.keys(CMD_SERVICES), ...SERVICE_NAMES])]
        .sort()
        .map((name) => `  ${name}\n`)
        .join("")}`,
    );
    return 0;
  }
  const program = Object.hasOwn(CMD_SERVICES, service) ? CMD_SERVICES[service] : undefined;
  if (program) return program({ ...context, args });
  await context.printError(
    service === ""
      ? "cmd: No service specified; use -l to list all running services. Use -w to start and wait for a service.\n"
      : `cmd: Can't find service: ${service}\n`,
  );
  return 20;
};

const monkey: Program = async ({ args, phone, print, printError }) => {
  const packages = args.flatMap((argument, index) => (argument === "-p" ? [args[index + 1] ?? ""] : []));
  const events = Number(args.at(-1));
  await print(`  bash arg: ${args.join("\n  bash arg: ")}\n`);
  const app = packages[0] === undefined ? undefined : phone.screen.tasks.find(packages[0]);
  if (packages[0] !== undefined && !app?.isInLauncher) {
    await print("** No activities found to run, monkey aborted.\n");
    return 252;
  }
  await printError(`args: [${args.join(", ")}]\n`);
  if (app) phone.screen.start(launchOf(app.packageName), "com.android.shell");
  await print(
    `Events injected: ${Number.isFinite(events) ? events : 0}\n## Network stats: elapsed time=14ms (0ms mobile, 0ms wifi, 14ms not connected)\n`,
  );
  return 0;
};

const content: Program = async ({ args, phone, print, printError }) => {
  const uri = args[args.indexOf("--uri") + 1] ?? "";
  const namespace = /^content:\/\/settings\/(system|secure|global)$/.exec(uri)?.[1];
  if (args[0] === "query" && namespace !== undefined) {
    const rows = phone.settings.list(namespace as "system" | "secure" | "global");
    await print(
      rows.map(([name, value], index) => `Row: ${index} _id=${index + 1}, name=${name}, value=${value}\n`).join(""),
    );
    return 0;
  }
  const authority = /^content:\/\/([^/]+)/.exec(uri)?.[1] ?? "null";
  await printError(
    `Error while accessing provider:${authority}\njava.lang.IllegalStateException: Could not find provider: ${authority}\n\tat com.android.commands.content.Content$Command.execute(Content.java:517)\n`,
  );
  return 1;
};

const reboot: Program = ({ args, phone }) => {
  phone.reboot(args[0] ?? "");
  return 0;
};

const remount: Program = async ({ print }) => {
  await print('Not running as root. Try "adb root" first.\n');
  return 255;
};

export const devicePrograms: ProgramTable = {
  am,
  pm,
  wm,
  cmd,
  ime,
  svc,
  monkey,
  content,
  reboot,
  remount,
  input,
  settings: settingsCommand,
};
