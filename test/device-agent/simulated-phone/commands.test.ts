import { describe, expect, test } from "vitest";
import { parseTree, startPhone } from "./support/running-phone.ts";

describe("programs answer as on a phone", () => {
  test.each([
    ["getprop ro.build.version.sdk", "34\n"],
    ["getprop no.such.property", "\n"],
    ["getprop | grep ro.product.model", "[ro.product.model]: [Farhand Sim]\n"],
    [
      "pm list packages -3 | sort",
      "package:app.farhand.bank\npackage:app.farhand.chat\npackage:app.farhand.maps\npackage:app.farhand.notes\npackage:app.farhand.reader\n",
    ],
    ["cmd package list packages --user 0 --show-versioncode notes", "package:app.farhand.notes versionCode:241\n"],
    ["pm list packages -U reader", "package:app.farhand.reader uid:10213\n"],
    ["pm path app.farhand.notes", "package:/data/app/~~k3Jq==/app.farhand.notes-1/base.apk\n"],
    ["pm list users", "Users:\n\tUserInfo{0:Owner:c13} running\n"],
    [
      "cmd package resolve-activity --brief -a android.intent.action.MAIN -c android.intent.category.LAUNCHER app.farhand.notes",
      "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\napp.farhand.notes/.MainActivity\n",
    ],
    ["cmd package resolve-activity --brief com.no.app", "No activity found\n"],
    [
      "cmd package query-activities --components -a android.intent.action.MAIN -c android.intent.category.LAUNCHER | head -n 2",
      "app.farhand.chat/.ConversationActivity\napp.farhand.notes/.MainActivity\n",
    ],
    ["am get-current-user", "0\n"],
    [
      "am start -n app.farhand.maps/.MapActivity -W | head -n 2",
      "Starting: Intent { cmp=app.farhand.maps/.MapActivity }\nStatus: ok\n",
    ],
    ["settings get system no_such_key", "null\n"],
    ["settings put global x 'a b'; settings get global x; settings delete global x", "a b\nDeleted 1 rows\n"],
    ["ime list -s", "com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME\n"],
    ["id -u; whoami", "2000\nshell\n"],
    ["wm density", "Physical density: 420\n"],
    ["dumpsys battery | grep level", "  level: 87\n"],
    [
      "dumpsys SurfaceFlinger --display-id",
      'Display 4619827259835644672 (HWC display 0): port=0 pnpId=GGL displayName="Built-in Screen"\n',
    ],
    ["uiautomator dump", "UI hierchary dumped to: /sdcard/window_dump.xml\n"],
    [
      "monkey -p app.farhand.maps -c android.intent.category.LAUNCHER 1 2>/dev/null | tail -n 2 | head -n 1",
      "Events injected: 1\n",
    ],
    ["echo gzip | gzip | gunzip", "gzip\n"],
    ["screencap -p /sdcard/s.png && stat -c %s /sdcard/s.png | grep -c '^[0-9]*$'", "1\n"],
    ["df /sdcard | wc -l", "4\n"],
  ])("%s", async (command, output) => {
    const { text } = await startPhone();
    expect(await text(command)).toBe(output);
  });

  test.each([
    ["am start -n com.a.b/.Main", 1, "Error type 3\nError: Activity class {com.a.b/com.a.b.Main} does not exist.\n"],
    ["dumpsys nothing", 0, "Can't find service: nothing\n"],
    ["cmd nothing", 20, "cmd: Can't find service: nothing\n"],
    ["cmd clipboard get", 255, "No shell command implementation.\n"],
    ["ime set com.no/.Ime", 255, "Unknown input method com.no/.Ime cannot be selected for user #0\n"],
    ["settings get nowhere x", 255, "Invalid namespace 'nowhere'\n"],
    ["input keyevent NO_SUCH_KEY", 255, "Error: Unknown keycode: NO_SUCH_KEY\n"],
    ["ls /data/data", 1, "ls: /data/data: Permission denied\n"],
    ["rm /sdcard/none", 1, "rm: /sdcard/none: No such file or directory\n"],
    ["touch /system/x", 1, "touch: '/system/x': Read-only file system\n"],
  ])("%s fails with %i", async (command, status, errors) => {
    const { run } = await startPhone();
    expect(await run(command)).toMatchObject({ status, stderr: errors });
  });

  test.each([
    ["input text 你好", "NullPointerException: Attempt to get length of null array"],
    ["input tap here there", 'NumberFormatException: For input string: "here"'],
    ["pm list packages --user 150", "SecurityException: Shell does not have permission to access user 150"],
    ["content query --uri content://sms", "Could not find provider: sms"],
  ])("%s prints the exception", async (command, exception) => {
    const { run } = await startPhone();
    const { stderr, status } = await run(command);
    expect(stderr).toContain(exception);
    expect(status).not.toBe(0);
  });

  test("the foreground app is told by every dump", async () => {
    const { text } = await startPhone();
    await text("am start -n app.farhand.notes/.MainActivity");
    expect(await text("dumpsys window | grep -E 'mCurrentFocus|mFocusedApp'")).toMatch(
      /^ {2}mCurrentFocus=Window\{[0-9a-f]+ u0 app\.farhand\.notes\/app\.farhand\.notes\.MainActivity\}\n {2}mFocusedApp=ActivityRecord\{[0-9a-f]+ u0 app\.farhand\.notes\/\.MainActivity t\d+\}\n$/,
    );
    expect(await text("dumpsys activity activities")).toMatch(
      /topResumedActivity=ActivityRecord\{[0-9a-f]+ u0 app\.farhand\.notes\/\.MainActivity t\d+\}/,
    );
    expect(await text("dumpsys activity top | tail -n 8")).toContain("ACTIVITY app.farhand.notes/.MainActivity");
  });

  test("a compressed dump has fewer nodes and every name", async () => {
    const { phone, text } = await startPhone();
    phone.open("com.android.settings");
    const full = parseTree(await text("uiautomator dump /dev/tty"));
    const compressed = parseTree(await text("uiautomator dump --compressed /dev/tty"));
    const names = (nodes: typeof full) => nodes.map(({ attributes }) => attributes.text).filter(Boolean);
    expect(compressed.length).toBeLessThan(full.length);
    expect(names(compressed)).toEqual(names(full));
  });

  test("all windows are dumped on request", async () => {
    const { text } = await startPhone();
    const xml = await text("uiautomator dump --windows /dev/tty");
    expect([...xml.matchAll(/<window [^>]*title="([^"]*)"/g)].map(([, title]) => title)).toEqual([
      "NavigationBar0",
      "StatusBar",
      "com.google.android.apps.nexuslauncher/com.google.android.apps.nexuslauncher.NexusLauncherActivity",
    ]);
  });

  test("logcat tells what was started, and follows until it is ended", async () => {
    const { adb, text } = await startPhone();
    const follower = await adb.subprocess.noneProtocol.spawn("logcat -v brief ActivityTaskManager:I *:S");
    follower.exited.catch(() => {});
    await text("am start -n app.farhand.notes/.MainActivity");
    expect(await text("logcat -d -t 1 -v raw")).toBe(
      "Displayed app.farhand.notes/app.farhand.notes.MainActivity for user 0: +142ms\n",
    );
    let seen = "";
    for await (const chunk of follower.output) {
      seen += Buffer.from(chunk).toString();
      if (seen.includes("Displayed app.farhand.notes")) break;
    }
    expect(seen).toMatch(/I\/ActivityTaskManager\( *\d+\): START u0/);
  });

  test("inputs are told in the order in which they arrived", async () => {
    const { phone, run } = await startPhone();
    await run("input tap 1 2; input keyevent HOME; input swipe 1 2 3 4 50; input -d 0 text hi");
    expect(phone.screen.receivedInputs.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
      "tap 1 2",
      "key KEYCODE_HOME",
      "swipe 1 2 3 4 50",
      "text hi",
    ]);
  });
});

describe("latency of a real phone", () => {
  test("a tap acts before the command ends, after some 150 of 226 ms", async () => {
    const { phone, run } = await startPhone({ latency: "real" });
    const start = Date.now();
    await run("input tap 5 5");
    const end = Date.now();
    const acted = phone.screen.receivedInputs[0]?.at ?? 0;
    expect(end - start).toBeGreaterThanOrEqual(220);
    expect(end - acted).toBeGreaterThanOrEqual(70);
    expect(acted - start).toBeGreaterThanOrEqual(140);
  });
});

describe("quirks of vendors", () => {
  test("several panels: the warning comes before the picture, and -d silences it", async () => {
    const { adb } = await startPhone({ quirks: { secondDisplay: true } });
    const capture = async (command: string) =>
      Buffer.from(await adb.subprocess.noneProtocol.spawnWait(command)).toString("latin1");
    expect(await capture("screencap -p")).toMatch(
      /^\[Warning\] Multiple displays were found, but no display id was specified![\s\S]*valid display IDs\.\n\x89PNG/,
    );
    expect(await capture("screencap -p -d 4630946219955703955")).toMatch(/^\x89PNG/);
    expect(await capture("screencap -p -d 5")).toBe("Display Id '5' is not valid.\n");
  });

  test("a moving screen cannot be dumped, then it can", async () => {
    const { text } = await startPhone({ quirks: { uiNotIdle: 1, staleDump: true } });
    expect(await text("uiautomator dump; head -c 300 /sdcard/window_dump.xml | grep -c Yesterday")).toBe(
      "ERROR: could not get idle state.\n1\n",
    );
    expect(await text("uiautomator dump /dev/tty")).toContain("<hierarchy");
  });

  test("no root node, and yesterday's dump is still there", async () => {
    const { text } = await startPhone({ quirks: { nullRoot: "always", staleDump: true } });
    expect(await text("uiautomator dump /sdcard/window_dump.xml")).toBe(
      "ERROR: null root node returned by UiTestAutomationBridge.\n",
    );
    expect(await text("cat /sdcard/window_dump.xml")).toContain("Yesterday");
  });

  test.each([
    ["exit 0", 0],
    ["exit 255", 255],
  ] as const)("input is refused with %s", async (injectDenied, status) => {
    const { run, phone } = await startPhone({ quirks: { injectDenied } });
    const result = await run("input tap 5 5");
    expect(result.status).toBe(status);
    expect(result.stderr).toContain(
      "java.lang.SecurityException: Injecting input events requires the caller (or the source of the instrumentation, if any) to have the INJECT_EVENTS permission.",
    );
    expect(phone.screen.receivedInputs).toEqual([]);
  });

  test("MIUI prints a stack trace before the tree", async () => {
    const { text } = await startPhone({ quirks: { miuiDumpNoise: true } });
    expect(await text("uiautomator dump /dev/tty")).toMatch(
      /^java\.io\.FileNotFoundException[\s\S]*<\?xml[\s\S]*<\/hierarchy>UI hierchary dumped to: \/dev\/tty\n$/,
    );
  });

  test("a slow field loses every seventh character", async () => {
    const { phone, run, tap } = await startPhone({ quirks: { dropsCharacters: 7 } });
    phone.open("app.farhand.chat");
    await tap("message_input");
    await run("input text abcdefghijklmnop");
    expect(phone.screen.focusedFieldText).toBe("abcdefhijklmop");
  });

  test("secure settings cannot be changed on some ROMs", async () => {
    const { run } = await startPhone({ quirks: { secureSettingsDenied: true } });
    expect((await run("settings put global stay_on_while_plugged_in 7")).stderr).toContain("WRITE_SECURE_SETTINGS");
    expect((await run("settings put system user_rotation 1")).status).toBe(0);
  });
});
