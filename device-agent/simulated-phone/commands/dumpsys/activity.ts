import { shortComponent } from "../../apps/app.ts";
import type { Phone } from "../../phone/phone.ts";
import type { Task } from "../../screen/task-stack.ts";
import { tokenOf } from "./tokens.ts";
import { activityRecord, focus } from "./window.ts";

/** `dumpsys activity [activities|top|…]`. */
export function dumpActivity(phone: Phone, args: readonly string[]): string {
  const section = args.find((argument) => !argument.startsWith("-")) ?? "all";
  if (["activities", "a", "all"].includes(section)) return activities(phone);
  if (section === "top") return [...phone.screen.tasks.tasks()].map((task) => top(phone, task)).join("\n");
  if (section === "recents" || section === "r") return recents(phone);
  if (section === "processes" || section === "p")
    return "ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)\n";
  if (section === "services" || section === "s")
    return "ACTIVITY MANAGER SERVICES (dumpsys activity services)\n  (nothing)\n";
  return `Unknown command: ${section}\nBad activity command, or no activities match: ${section}\nUse -h for help.\n`;
}

function recordOf(phone: Phone, task: Task): string {
  return activityRecord(phone, task.spec.packageName, task.app.activity(), task.id);
}

function taskLine({ user }: Phone, task: Task, isVisible: boolean): string {
  const kind = task.spec.isHome ? "home" : "standard";
  return `Task{${tokenOf(`task${task.id}`)} #${task.id} type=${kind} A=${task.spec.uid}:${task.spec.packageName} U=${user} visible=${isVisible} visibleRequested=${isVisible} mode=fullscreen translucent=${!isVisible} sz=1}`;
}

function activities(phone: Phone): string {
  const tasks = [...phone.screen.tasks.tasks()].reverse();
  const front = phone.screen.tasks.foreground();
  const isResumed = phone.screen.isAwake() && !phone.screen.keyguard.isShowing();
  const resumed = recordOf(phone, front);
  const { sdk } = phone.profile;
  const isNew = sdk >= 29;
  // From Android 12 on the tasks tell the resumed activity of the whole display, before that each stack its own.
  const stacks = sdk < 31 && isResumed ? `    mResumedActivity: ${resumed}\n` : "";
  const blocks = tasks.map((task) => taskBlock(phone, task, task === front && isResumed)).join("");
  const tail = !isResumed ? "" : isNew ? `${stacks}\n  ResumedActivity: ${resumed}\n` : stacks;
  const keyguard = `
  KeyguardController:
    mKeyguardShowing=${phone.screen.keyguard.isShowing()}
    mAodShowing=false
    mKeyguardGoingAway=false
`;
  return `ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\nDisplay #0 (activities from top to bottom):\n${blocks}${tail}${isNew ? focus(phone) : ""}${keyguard}`;
}

function taskBlock(phone: Phone, task: Task, isResumed: boolean): string {
  const record = recordOf(phone, task);
  const component = shortComponent(task.spec.packageName, task.app.activity());
  const { packageName, uid } = task.spec;
  const pid = phone.processes.byName(packageName)[0]?.pid ?? 4300;
  return `  * ${taskLine(phone, task, isResumed)}
    mLastPausedActivity: ${record}
    isSleeping=${!phone.screen.isAwake()}
${isResumed && phone.profile.sdk >= 31 ? `    topResumedActivity=${record}\n` : ""}    * Hist  #0: ${record}
      packageName=${packageName} processName=${packageName}
      launchedFromUid=2000 launchedFromPackage=com.android.shell launchedFromFeature=null userId=${phone.user}
      app=ProcessRecord{${tokenOf(`${packageName}p`)} ${pid}:${packageName}/u0a${Math.max(0, uid - 10_000)}}
      Intent { act=${task.intent.action ?? "android.intent.action.MAIN"} flg=0x10000000 cmp=${component} }
      rootOfTask=true task=${taskLine(phone, task, isResumed)}
      taskAffinity=${uid}:${packageName}
      mActivityComponent=${component}
      state=${isResumed ? "RESUMED" : "STOPPED"} finishing=false
      mVisibleRequested=${isResumed} mVisible=${isResumed} mClientVisible=${isResumed} reportedDrawn=${isResumed} reportedVisible=${isResumed}
`;
}

function top(phone: Phone, task: Task): string {
  const isResumed = task === phone.screen.tasks.foreground() && phone.screen.isAwake();
  const pid = phone.processes.byName(task.spec.packageName)[0]?.pid ?? 4300;
  return `TASK ${task.spec.uid}:${task.spec.packageName} id=${task.id} userId=0
  ACTIVITY ${shortComponent(task.spec.packageName, task.app.activity())} ${tokenOf(`${task.id}`)} pid=${pid}
    Local Activity ${tokenOf(`${task.id}l`)} State:
      mResumed=${isResumed} mStopped=${!isResumed} mFinished=false
      mIsInMultiWindowMode=false mIsInPictureInPictureMode=false
      mChangingConfigurations=false
`;
}

function recents(phone: Phone): string {
  const tasks = [...phone.screen.tasks.tasks()].reverse();
  const lines = tasks.map(
    (task, index) =>
      `  * Recent #${index}: ${taskLine(phone, task, index === 0)}\n    realActivity={${task.spec.packageName}/${task.app.activity()}}\n`,
  );
  return `ACTIVITY MANAGER RECENT TASKS (dumpsys activity recents)\n${lines.join("")}`;
}
