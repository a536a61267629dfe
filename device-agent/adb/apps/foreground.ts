import type { ForegroundApp } from "../../../shared/device.ts";
import { defaultDisplayBlock, displayBlocks } from "../screen/display-block.ts";

/** The commands whose answers `parseForeground` takes, in this order. */
export const foregroundCommands = ["dumpsys activity activities", "dumpsys window windows", "dumpsys window displays"];

/**
 * The app in front from what the activity and window managers say, and a system surface over it. Sources in order of
 * trust; one that says null is passed over, since a starting activity leaves gaps. Android 4.4 to 16. Where several
 * displays show apps, each tells its own.
 */
export function parseForeground(answers: string[], display = 0): ForegroundApp {
  const blocks = displayBlocks(answers[2] ?? "");
  const apps = new Map([...blocks].map(([id, block]) => [id, focusedApp(block)] as const));
  const elsewhere = [...apps].flatMap(([id, app]) => (app && id !== display ? [app.packageName] : []));
  if (display === 0 && elsewhere.length === 0) return parseOnly(answers);
  const app = apps.get(display);
  const focus = focusedWindow(blocks.get(display) ?? "");
  return {
    packageName: app?.packageName ?? null,
    activity: app?.activity ?? null,
    overlay: overlayOf(focus, app, display === 0 ? answers.join("\n") : ""),
    ...(elsewhere.length > 0 && { elsewhere: [...new Set(elsewhere)] }),
  };
}

/** What a display's own part of a dump says, from Android 10 on. */
const focusedApp = (block: string) =>
  componentIn(focusedAppSource.exec(block)?.[1] ?? "") ?? componentIn(focusedWindow(block) ?? "");

function parseOnly([activities = "", windows = "", displays = ""]: string[]): ForegroundApp {
  const everything = `${activities}\n${windows}\n${displays}`;
  const focus = focusedWindow(defaultDisplayBlock(displays)) ?? focusedWindow(everything);
  const app = resumedActivity(everything) ?? componentIn(focus ?? "") ?? topWindow(windows);
  return {
    packageName: app?.packageName ?? null,
    activity: app?.activity ?? null,
    overlay: overlayOf(focus, app, everything),
  };
}

interface App {
  packageName: string;
  activity: string | null;
}

const focusedAppSource = /\bmFocusedApp=(?:ActivityRecord\{|AppWindowToken\{.*?ActivityRecord\{)([^}\n]*)/;

const sources = [
  /\btopResumedActivity=ActivityRecord\{([^}\n]*)/,
  /\bmResumedActivity: ActivityRecord\{([^}\n]*)/,
  /^\s*ResumedActivity: ?ActivityRecord\{([^}\n]*)/m,
  focusedAppSource,
];

function resumedActivity(text: string): App | undefined {
  for (const source of sources) {
    const app = componentIn(source.exec(text)?.[1] ?? "");
    if (app) return app;
  }
  return lastResumedBlock(text);
}

/** `dumpsys activity top`: a block for each task; the last one that is resumed lies on top. */
function lastResumedBlock(text: string): App | undefined {
  const blocks = text.split(/^(?=\s*ACTIVITY \S+\/)/m).filter((block) => /\bmResumed=true\b/.test(block));
  return componentIn(/ACTIVITY (\S+)/.exec(blocks.at(-1) ?? "")?.[1] ?? "");
}

const component = /(?:^|[\s{])([A-Za-z][\w]*(?:\.[\w]+)+)\/([\w.$]+)/;
const bareWindow = /^[0-9a-f]+ (?:u\d+ )?([A-Za-z]\w*(?:\.\w+)+)(?:\s|$)/;

function componentIn(text: string): App | undefined {
  const full = component.exec(text);
  if (full?.[1] !== undefined && full[2] !== undefined) {
    return { packageName: full[1], activity: full[2].startsWith(".") ? full[1] + full[2] : full[2] };
  }
  const bare = bareWindow.exec(text)?.[1];
  return bare === undefined ? undefined : { packageName: bare, activity: null };
}

/** The last window that had the focus and is not null: the first line may belong to another display. */
function focusedWindow(text: string): string | undefined {
  const found = [...text.matchAll(/\bmCurrentFocus=Window\{([^}\n]*)\}?/g)];
  return found.at(-1)?.[1];
}

function topWindow(windows: string): App | undefined {
  for (const match of windows.matchAll(/^\s*Window #\d+ Window\{([^}\n]*)\}/gm)) {
    const app = component.test(match[1] ?? "") ? componentIn(match[1] ?? "") : undefined;
    if (app) return app;
  }
  return undefined;
}

/** A system dialog about an app that hangs or has crashed, where the dump does not tell what has the focus. */
function shownError(text: string): string | undefined {
  const blocks = text.split(/^(?=\s*Window #\d+ Window\{)/m);
  const shown = blocks.find((block) => ERROR_WINDOW.test(block) && /\bmHasSurface=true\b/.test(block));
  return shown && ERROR_WINDOW.exec(shown)?.[1];
}

const ERROR_WINDOW = /^\s*Window #\d+ Window\{\w+ (?:u\d+ )?(Application (?:Not Responding|Error)[^}\n]*)/;

function overlayOf(focus: string | undefined, app: App | undefined, text: string): ForegroundApp["overlay"] {
  const window = focus ?? shownError(text) ?? "";
  if (/\/[\w.]*(Resolver|Chooser)\w*Activity\b/.test(window)) return "chooser";
  if (/Application (Not Responding|Error)|ANR/.test(window)) return "not_responding";
  if (app && /^com\.(google\.)?android\.(permissioncontroller|packageinstaller)$/.test(app.packageName))
    return "permission_dialog";
  if (/GrantPermissionsActivity/.test(window)) return "permission_dialog";
  const shade = /\b(NotificationShade|StatusBar|Keyguard)\b/.exec(window)?.[1];
  if (shade === undefined) return null;
  const keyguard = /\b(mIsShowing|isKeyguardShowing|mKeyguardShowing|KeyguardShowing|mShowingLockscreen)=true\b/.test(
    text,
  );
  return shade === "Keyguard" || keyguard ? "keyguard" : "notification_shade";
}
