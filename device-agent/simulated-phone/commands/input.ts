import { FOCUSED_DISPLAY } from "../phone/injector.ts";
import { Key, keyCodeOf, META_CTRL, META_SHIFT } from "../screen/key-codes.ts";
import { exceptionText, type Program, type ProgramContext } from "./program.ts";

const SOURCES = new Set([
  "keyboard",
  "dpad",
  "gamepad",
  "touchscreen",
  "mouse",
  "stylus",
  "trackball",
  "touchnavigation",
  "touchpad",
  "joystick",
  "rotaryencoder",
]);
const usage = (
  knowsDisplays: boolean,
) => `Usage: input [<source>]${knowsDisplays ? " [-d DISPLAY_ID]" : ""} <command> [<arg>...]

The sources are: 
      touchnavigation
      touchscreen
      joystick
      stylus
      touchpad
      gamepad
      dpad
      mouse
      keyboard
      trackball
      rotaryencoder

${knowsDisplays ? "-d: specify the display ID.\n      (Default: -1 for key event, 0 for motion event if not specified.)\n" : ""}The commands and default sources are:
      text <string> (Default: touchscreen)
      keyevent [--longpress|--doubletap] <key code number or name> ... (Default: keyboard)
      tap <x> <y> (Default: touchscreen)
      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      press (Default: trackball)
      roll <dx> <dy> (Default: trackball)
      motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> (Default: touchscreen)
      keycombination [-t duration(ms)] <key code 1> <key code 2> ... (Default: keyboard)
`;
const DEFAULT_SWIPE_MS = 300;

interface Request {
  readonly displayId: number;
  readonly subcommand: string;
  readonly args: readonly string[];
}

/** `input`, as AOSP's InputShellCommand parses it. */
/** Subcommands that old releases lack (frameworks/base InputShellCommand and Input.java). */
const SINCE_SDK: Record<string, number> = { draganddrop: 26, motionevent: 29, keycombination: 31 };

export const input: Program = async (context) => {
  const knowsDisplays = context.phone.profile.sdk >= 29;
  const request = parse(context.args, knowsDisplays);
  const isKnown = context.phone.profile.sdk >= (SINCE_SDK[request.subcommand] ?? 0);
  const action =
    isKnown && Object.hasOwn(SUBCOMMANDS, request.subcommand) ? SUBCOMMANDS[request.subcommand] : undefined;
  if (!action) {
    if (request.subcommand !== "") await context.printError(`Error: Unknown command: ${request.subcommand}\n`);
    await context.printError(usage(knowsDisplays));
    return 255;
  }
  if (context.phone.profile.quirks.injectDenied) return refuse(context, request.subcommand);
  return action(context, request);
};

/** The display can be named from Android 10 on. */
function parse(args: readonly string[], knowsDisplays: boolean): Request {
  const rest = [...args];
  let displayId: number | undefined;
  if (SOURCES.has(rest[0] ?? "")) rest.shift();
  if (rest[0] === "-d" && knowsDisplays) displayId = Number(rest.splice(0, 2)[1] ?? 0);
  if (SOURCES.has(rest[0] ?? "")) rest.shift();
  const [subcommand = "", ...own] = rest;
  const isOfKeys = ["text", "keyevent", "keycombination"].includes(subcommand);
  const isNowhere = displayId === undefined || (displayId === -1 && !isOfKeys);
  return { displayId: isNowhere ? (isOfKeys ? FOCUSED_DISPLAY : 0) : (displayId ?? 0), subcommand, args: own };
}

async function refuse(context: ProgramContext, subcommand: string): Promise<number> {
  const { quirks, sdk } = context.phone.profile;
  const message =
    sdk >= 31
      ? "java.lang.SecurityException: Injecting input events requires the caller (or the source of the instrumentation, if any) to have the INJECT_EVENTS permission."
      : "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission";
  await context.printError(
    exceptionText(subcommand, message, [
      "com.android.server.input.InputManagerService.injectInputEventToTarget(InputManagerService.java:948)",
      "com.android.server.input.InputShellCommand.injectMotionEvent(InputShellCommand.java:405)",
      "android.os.BasicShellCommandHandler.exec(BasicShellCommandHandler.java:97)",
    ]),
  );
  return quirks.injectDenied === "exit 0" ? 0 : 255;
}

type Action = (context: ProgramContext, request: Request) => Promise<number>;

/** The numbers at the head of the arguments, or undefined after the message of a failed parse. */
async function numbers(context: ProgramContext, request: Request, count: number): Promise<number[] | undefined> {
  const values: number[] = [];
  for (const text of request.args.slice(0, count)) {
    if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) {
      await context.printError(
        exceptionText(request.subcommand, `java.lang.NumberFormatException: For input string: "${text}"`, [
          "jdk.internal.math.FloatingDecimal.readJavaFormatString(FloatingDecimal.java:2054)",
          "java.lang.Float.parseFloat(Float.java:476)",
        ]),
      );
      return undefined;
    }
    values.push(Number(text));
  }
  if (values.length === count) return values;
  await context.printError(
    exceptionText(
      request.subcommand,
      'java.lang.IllegalArgumentException: Argument expected after "' +
        (request.args.at(-1) ?? request.subcommand) +
        '"',
      ["android.os.BasicShellCommandHandler.getNextArgRequired(BasicShellCommandHandler.java:289)"],
    ),
  );
  return undefined;
}

const tap: Action = async (context, request) => {
  const [x, y] = (await numbers(context, request, 2)) ?? [];
  if (x === undefined || y === undefined) return 255;
  context.phone.injector.tap("shell", request.displayId, x, y);
  return 0;
};

const swipe =
  (kind: "swipe" | "drag"): Action =>
  async (context, request) => {
    const [x1, y1, x2, y2] = (await numbers(context, request, 4)) ?? [];
    if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return 255;
    const durationMs = Number(request.args[4] ?? DEFAULT_SWIPE_MS);
    const path = {
      from: { x: x1, y: y1 },
      to: { x: x2, y: y2 },
      durationMs: durationMs > 0 ? durationMs : DEFAULT_SWIPE_MS,
    };
    await context.phone.injector.swipe(
      { source: "shell", displayId: request.displayId, kind, ...path },
      context.signal,
    );
    return 0;
  };

const motionEvent: Action = async (context, request) => {
  const actions = { DOWN: "down", UP: "up", MOVE: "move", CANCEL: "cancel" } as const;
  const [name = "", ...rest] = request.args;
  const action = actions[name.toUpperCase() as keyof typeof actions];
  const [x, y] = (await numbers(context, { ...request, args: rest }, 2)) ?? [];
  if (action === undefined || x === undefined || y === undefined) return 255;
  context.phone.injector.motion("shell", request.displayId, { action, pointerId: 0, x, y });
  return 0;
};

/** Characters that the virtual keyboard's character map has keys for. */
const TYPEABLE = /^[\x20-\x7e\n\t]*$/;

const text: Action = async (context, request) => {
  const raw = request.args[0] ?? "";
  // `%s` stands for a space, because old shells cut arguments at spaces.
  const typed = raw.replaceAll("%s", " ");
  if (!TYPEABLE.test(typed)) {
    await context.printError(
      exceptionText("text", "java.lang.NullPointerException: Attempt to get length of null array", [
        "com.android.server.input.InputShellCommand.sendText(InputShellCommand.java:345)",
        "com.android.server.input.InputShellCommand.runText(InputShellCommand.java:319)",
      ]),
    );
    return 255;
  }
  const { dropsCharacters = 0 } = context.phone.profile.quirks;
  const arriving = [...typed]
    .filter((_, index) => dropsCharacters === 0 || (index + 1) % dropsCharacters !== 0)
    .join("");
  context.phone.injector.text("shell", request.displayId, arriving);
  return 0;
};

const keyEvent: Action = async (context, request) => {
  const isLongPress = request.args.includes("--longpress");
  for (const name of request.args.filter((argument) => !argument.startsWith("--"))) {
    // KEYCODE_UNKNOWN is a key like any other here (KeyEvent.keyCodeFromString).
    const code = name === "0" ? 0 : keyCodeOf(name);
    if (code === undefined) {
      await context.printError(`Error: Unknown keycode: ${name}\n`);
      return 255;
    }
    context.phone.injector.key("shell", request.displayId, { code, isLongPress });
  }
  return 0;
};

const META_KEYS: Record<number, number> = {
  [Key.SHIFT_LEFT]: META_SHIFT,
  [Key.SHIFT_RIGHT]: META_SHIFT,
  [Key.CTRL_LEFT]: META_CTRL,
  [Key.CTRL_RIGHT]: META_CTRL,
};

const keyCombination: Action = async (context, request) => {
  const names = request.args[0] === "-t" ? request.args.slice(2) : request.args;
  const codes = names.map((name) => keyCodeOf(name));
  if (codes.length < 2 || codes.includes(undefined)) {
    await context.printError(
      exceptionText("keycombination", "java.lang.IllegalArgumentException: Unknown keycode", [
        "com.android.server.input.InputShellCommand.runKeyCombination(InputShellCommand.java:541)",
      ]),
    );
    return 255;
  }
  let metaState = 0;
  for (const code of codes) {
    if (code === undefined) continue;
    metaState |= META_KEYS[code] ?? 0;
    if (META_KEYS[code] === undefined) context.phone.injector.key("shell", request.displayId, { code, metaState });
  }
  return 0;
};

const SUBCOMMANDS: Record<string, Action> = {
  tap,
  text,
  swipe: swipe("swipe"),
  draganddrop: swipe("drag"),
  keyevent: keyEvent,
  motionevent: motionEvent,
  keycombination: keyCombination,
  press: async () => 0,
  roll: async () => 0,
};
