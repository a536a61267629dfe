import { type AppSpec, shortComponent } from "../apps/app.ts";
import { createExactReader } from "../phone/exact-reader.ts";
import { FileError } from "../phone/file-tree.ts";
import type { Phone } from "../phone/phone.ts";
import { packageNameOf } from "./apk.ts";
import { installSessionActions } from "./install-sessions.ts";
import { parseIntent } from "./intents.ts";
import { type Program, type ProgramContext, parseFlags } from "./program.ts";

type Action = (context: ProgramContext, args: readonly string[]) => Promise<number>;

const apkPath = (app: AppSpec) =>
  app.isSystem
    ? `/system/app/${app.label.replace(/ /g, "")}/${app.label.replace(/ /g, "")}.apk`
    : `/data/app/~~k3Jq==/${app.packageName}-1/base.apk`;

const WORK_PROFILE = "150";

/** `--user N`, or undefined after the refusal of a foreign user. */
async function takeUser(context: ProgramContext, args: readonly string[]): Promise<readonly string[] | undefined> {
  const at = args.indexOf("--user");
  // Without a user the question is about all of them, the work profile too.
  if (at < 0 && context.phone.user === 0) return args;
  const user = at < 0 ? WORK_PROFILE : (args[at + 1] ?? "");
  if ([String(context.phone.user), "0", "current", "all", "cur"].includes(user))
    return [...args.slice(0, at), ...args.slice(at + 2)];
  await context.printError(
    `\nException occurred while executing '${context.args[0]}':\njava.lang.SecurityException: Shell does not have permission to access user ${user}\n\tat com.android.server.am.ActivityManagerService.handleIncomingUser(ActivityManagerService.java:14211)\n`,
  );
  return undefined;
}

const listPackages: Action = async (context, args) => {
  const { flags, operands } = parseFlags(args);
  const [filter = ""] = operands;
  if (flags.has("show-versioncode") && context.phone.profile.sdk < 28) {
    await context.printError("Error: Unknown option: --show-versioncode\n");
    return 255;
  }
  for (const app of context.phone.screen.tasks.installed()) {
    if (flags.has("3") && app.isSystem) continue;
    if (flags.has("s") && !app.isSystem) continue;
    if (flags.has("d") || !app.packageName.includes(filter)) continue;
    const path = flags.has("f") ? `${apkPath(app)}=` : "";
    const version = flags.has("show-versioncode") ? ` versionCode:${app.versionCode}` : "";
    const uid = flags.has("U") ? ` uid:${app.uid}` : "";
    const installer = flags.has("i") ? "  installer=null" : "";
    await context.print(`package:${path}${app.packageName}${version}${installer}${uid}\n`);
  }
  return 0;
};

const list: Action = async (context, args) => {
  const own = await takeUser(context, args);
  if (!own) return 255;
  const [what = "", ...rest] = own;
  if (what === "packages" || what === "package") return listPackages(context, rest);
  if (what === "users") await context.print("Users:\n\tUserInfo{0:Owner:c13} running\n");
  else if (what === "features")
    await context.print("feature:android.hardware.touchscreen\nfeature:android.hardware.wifi\n");
  else if (what === "permissions" || what === "instrumentation") return 0;
  else {
    await context.printError(`Error: unknown list type '${what}'\n`);
    return 255;
  }
  return 0;
};

const PRIORITY = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true";

const resolveActivity: Action = async (context, args) => {
  const own = await takeUser(context, args);
  if (!own) return 255;
  const { intent, options } = parseIntent(own);
  const target = context.phone.screen.tasks.resolve(asLaunch(intent));
  if (!target) await context.print("No activity found\n");
  else if (options.has("--brief"))
    await context.print(`${PRIORITY}\n${shortComponent(target.spec.packageName, target.activity)}\n`);
  else
    await context.print(
      `${PRIORITY}\nActivityInfo:\n  name=${target.activity}\n  packageName=${target.spec.packageName}\n  enabled=true exported=true directBootAware=false\n`,
    );
  return 0;
};

/** A package alone means its launcher activity. */
function asLaunch(intent: ReturnType<typeof parseIntent>["intent"]) {
  if (intent.action || intent.component || intent.categories) return intent;
  return { ...intent, action: "android.intent.action.MAIN", categories: ["android.intent.category.LAUNCHER"] };
}

const queryActivities: Action = async (context, args) => {
  const own = await takeUser(context, args);
  if (!own) return 255;
  const { intent, options } = parseIntent(own);
  const found = context.phone.screen.tasks.query(intent);
  if (found.length === 0) await context.print("No activities found\n");
  else if (options.has("--components"))
    for (const { spec, activity } of found) await context.print(`${shortComponent(spec.packageName, activity)}\n`);
  else {
    await context.print(`${found.length} activities found:\n`);
    for (const [index, { spec, activity }] of found.entries()) {
      const told = options.has("--brief")
        ? `    ${shortComponent(spec.packageName, activity)}\n`
        : activityInfo(spec, activity);
      await context.print(`  Activity #${index}:\n    ${PRIORITY}\n${told}`);
    }
  }
  return 0;
};

/** ResolveInfo.dump: the activity, which has no label of its own here, and its app. */
function activityInfo(spec: AppSpec, activity: string): string {
  const label = spec.isLabelWritten
    ? `labelRes=0x0 nonLocalizedLabel=${spec.label}`
    : `labelRes=0x7f1402c9 nonLocalizedLabel=null`;
  return `    ActivityInfo:
      name=${activity}
      packageName=${spec.packageName}
      labelRes=0x0 nonLocalizedLabel=null icon=0x7f090311 banner=0x0
      enabled=true exported=true directBootAware=false
      ApplicationInfo:
        packageName=${spec.packageName}
        ${label} icon=0x7f090311 banner=0x0
        processName=${spec.packageName}
        uid=${spec.uid} flags=0x30e8be44 privateFlags=0xc400000 theme=0x7f160e72
`;
}

const path: Action = async (context, args) => {
  const own = await takeUser(context, args);
  if (own?.[0] === "android") {
    await context.print("package:/system/framework/framework-res.apk\n");
    return 0;
  }
  const app = context.phone.screen.tasks.find(own?.[0] ?? "");
  if (!app) return 1;
  await context.print(`package:${apkPath(app)}\n`);
  return 0;
};

const uninstall: Action = async (context, args) => {
  const own = await takeUser(context, args);
  const [name = ""] = parseFlags(own ?? []).operands;
  const { tasks } = context.phone.screen;
  if (!tasks.find(name))
    await context.print(
      context.phone.profile.sdk < 29 ? "Failure [DELETE_FAILED_INTERNAL_ERROR]\n" : "Failure [not installed for 0]\n",
    );
  else if (!tasks.uninstall(name)) await context.print("Failure [DELETE_FAILED_INTERNAL_ERROR]\n");
  else {
    context.phone.screen.storageOf(name).clear();
    await context.print("Success\n");
    return 0;
  }
  return 1;
};

const clear: Action = async (context, args) => {
  const own = await takeUser(context, args);
  const [name = ""] = own ?? [];
  if (!context.phone.screen.tasks.find(name)) {
    await context.print("Failed\n");
    return 1;
  }
  context.phone.screen.tasks.stop(name);
  context.phone.processes.removeApp(name);
  context.phone.screen.storageOf(name).clear();
  context.phone.screen.permissionsOf(name).clear();
  await context.print("Success\n");
  return 0;
};

/** From a file, or `-S bytes` from standard input, which the host leaves open. */
const install: Action = async (context, args) => {
  const { flags, operands } = parseFlags(args, "iSp");
  const [file] = operands;
  let apk: Buffer;
  try {
    apk =
      file === undefined || file === "-"
        ? ((await createExactReader(context.io.stdin).take(Number(flags.get("S") ?? 0))) ?? Buffer.alloc(0))
        : context.phone.files.read(context.phone.files.resolve(file, context.shell.cwd));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    await context.printError(
      `Error: Unable to open file: ${file}\nConsider using a file under /data/local/tmp/\nError: Can't open file: ${file} (${error.message})\n`,
    );
    return 255;
  }
  const name = packageNameOf(apk);
  if (name === undefined) {
    await context.print(`Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse ${file ?? "stream"}]\n`);
    return 1;
  }
  addApp(context.phone, name);
  await context.print("Success\n");
  return 0;
};

function addApp({ screen: { tasks } }: Phone, packageName: string): void {
  const versionCode = (tasks.find(packageName)?.versionCode ?? 0) + 1;
  tasks.install({ ...installedApp(packageName, tasks.installed().length), versionCode });
}

function installedApp(packageName: string, index: number): AppSpec {
  const label = packageName.split(".").at(-1) ?? packageName;
  const mainActivity = `${packageName}.MainActivity`;
  return {
    packageName,
    label,
    versionName: "1.0",
    versionCode: 1,
    uid: 10_300 + index,
    isSystem: false,
    isInLauncher: true,
    mainActivity,
    icon: { name: "apps", color: "#5a7d7c" },
    open: () => ({
      activity: () => mainActivity,
      content: () => ({
        className: "android.widget.TextView",
        id: "title",
        text: label,
        textStyle: { size: 22, align: "center" },
        width: "fill",
        height: "fill",
      }),
    }),
  };
}

const grant =
  (isGranted: boolean): Action =>
  async (context, args) => {
    const own = await takeUser(context, args);
    const [name = "", permission = ""] = own ?? [];
    if (!context.phone.screen.tasks.find(name)) {
      await context.printError(
        `\nException occurred while executing '${isGranted ? "grant" : "revoke"}':\njava.lang.IllegalArgumentException: Unknown package: ${name}\n`,
      );
      return 255;
    }
    const permissions = context.phone.screen.permissionsOf(name);
    if (isGranted) permissions.add(permission);
    else permissions.delete(permission);
    return 0;
  };

const SUBCOMMANDS: Record<string, Action> = {
  list,
  path,
  clear,
  install,
  ...installSessionActions(addApp),
  uninstall,
  grant: grant(true),
  revoke: grant(false),
  "resolve-activity": resolveActivity,
  "query-activities": queryActivities,
  "get-install-location": async ({ print }) => {
    await print("0[auto]\n");
    return 0;
  },
};

/** `pm`, which is also `cmd package`. */
export const pm: Program = async (context) => {
  const [subcommand = "", ...args] = context.args;
  const action = Object.hasOwn(SUBCOMMANDS, subcommand) ? SUBCOMMANDS[subcommand] : undefined;
  if (action) return action(context, args);
  await context.printError(
    subcommand === ""
      ? "Package manager (package) commands:\n  help\n    Print this help text.\n"
      : `Unknown command: ${subcommand}\n`,
  );
  return 255;
};
