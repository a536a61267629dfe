import { shortComponent } from "../apps/app.ts";
import { intentText, parseIntent } from "./intents.ts";
import { typeBroadcast } from "./keyboard-broadcast.ts";
import { exceptionText, type Program, type ProgramContext } from "./program.ts";

type Action = (context: ProgramContext, args: readonly string[]) => Promise<number>;

const short = (name: { packageName: string; activity: string }) => shortComponent(name.packageName, name.activity);

const start: Action = async (context, args) => {
  const { intent, options, problem } = parseIntent(args);
  const { print, printError, phone } = context;
  if (problem !== undefined) {
    await printError(
      exceptionText("start", `java.lang.IllegalArgumentException: ${problem}`, [
        "android.content.Intent.parseCommandArgs(Intent.java:8166)",
        "com.android.server.am.ActivityManagerShellCommand.makeIntent(ActivityManagerShellCommand.java:428)",
      ]),
    );
    return 255;
  }
  const { tasks } = phone.screen;
  if (options.has("-S")) tasks.stop(intent.component?.packageName ?? intent.packageName ?? "");
  await print(`Starting: ${intentText(intent, short)}\n`);
  const launch =
    intent.packageName !== undefined && !intent.action && !intent.component
      ? { ...intent, action: "android.intent.action.MAIN", categories: ["android.intent.category.LAUNCHER"] }
      : intent;
  const target = tasks.resolve(launch);
  if (!target) {
    await printError(missing(intent.component));
    if (!intent.component)
      await printError(
        `Error: Activity not started, unable to resolve ${intentText({ ...intent }, short).replace(" }", " flg=0x10000000 }")}\n`,
      );
    return phone.profile.sdk >= 24 ? 1 : 0;
  }
  const front = tasks.foreground();
  const isOnTop =
    front.spec === target.spec && front.app.activity() === target.activity && !intent.data && !intent.action;
  const { slowStartMs } = phone.profile.quirks;
  if (slowStartMs) {
    void phone.profile.clock.sleep(slowStartMs).then(() => phone.screen.start(launch, "com.android.shell"));
    return 0;
  }
  const started = phone.screen.start(launch, "com.android.shell");
  if (isOnTop)
    await printError(
      "Warning: Activity not started, intent has been delivered to currently running top-most instance.\n",
    );
  else if (started?.isBroughtToFront)
    await printError("Warning: Activity not started, its current task has been brought to the front\n");
  if (options.has("-W")) {
    const name = short({ packageName: target.spec.packageName, activity: target.activity });
    await print(
      `Status: ok\nLaunchState: ${started?.isBroughtToFront ? "HOT" : "COLD"}\nActivity: ${name}\nTotalTime: 142\nWaitTime: 149\nComplete\n`,
    );
  }
  return 0;
};

function missing(component: { packageName: string; activity: string } | undefined): string {
  return component
    ? `Error type 3\nError: Activity class {${component.packageName}/${component.activity}} does not exist.\n`
    : "";
}

const forceStop: Action = async ({ phone, printError }, args) => {
  const name = args.filter((argument, index) => !argument.startsWith("-") && args[index - 1] !== "--user")[0];
  if (name === undefined) {
    await printError('Error: Argument expected after "force-stop"\n');
    return 255;
  }
  phone.screen.tasks.stop(name);
  phone.processes.removeApp(name);
  phone.log.add("I", "ActivityManager", `Force stopping ${name} appid=10210 user=0: from pid 4242`);
  return 0;
};

const broadcast: Action = async ({ print, phone }, args) => {
  const { intent } = parseIntent(args);
  typeBroadcast(phone, intent);
  await print(
    `Broadcasting: ${intentText({ ...intent }, short).replace(" }", " flg=0x400000 }")}\nBroadcast completed: result=0\n`,
  );
  return 0;
};

const SUBCOMMANDS: Record<string, Action> = {
  start,
  "start-activity": start,
  "force-stop": forceStop,
  kill: forceStop,
  broadcast,
  "get-current-user": async ({ print, phone }) => {
    await print(`${phone.user}\n`);
    return 0;
  },
  "kill-all": async () => 0,
  "get-config": async ({ print, phone }) => {
    await print(`config: en-rUS-ldltr-sw411dp-${phone.screen.display.density()}dpi\nabi: arm64-v8a\n`);
    return 0;
  },
  instrument: async ({ print }, args) => {
    await print(
      `INSTRUMENTATION_STATUS: id=ActivityManagerService\nINSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: ComponentInfo{${args.at(-1)}}\nINSTRUMENTATION_STATUS_CODE: -1\nandroid.util.AndroidException: INSTRUMENTATION_FAILED: ${args.at(-1)}\n`,
    );
    return 1;
  },
  startservice: async ({ print }, args) => {
    await print(
      `Starting service: ${intentText(parseIntent(args).intent, short)}\nError: Not found; no service started.\n`,
    );
    return 255;
  },
};

/** `am`, which is also `cmd activity`. */
export const am: Program = async (context) => {
  const [subcommand = "", ...args] = context.args;
  const action = Object.hasOwn(SUBCOMMANDS, subcommand) ? SUBCOMMANDS[subcommand] : undefined;
  if (action) return action(context, args);
  await context.printError(
    subcommand === ""
      ? "Activity manager (activity) commands:\n  help\n      Print this help text.\n"
      : `Unknown command: ${subcommand}\n`,
  );
  return 255;
};
