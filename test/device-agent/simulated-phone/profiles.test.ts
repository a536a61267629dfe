import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../../../device-agent/simulated-phone/command-line.ts";
import { startPhone } from "./support/running-phone.ts";

const small = { width: 540, height: 1200, density: 210 };
const pngSize = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

describe("who the phone is", () => {
  test("two phones have two Android ids, and a phone keeps its own", async () => {
    const { text } = await startPhone({ serial: "SIM0000000A" });
    const { text: other } = await startPhone({ serial: "SIM0000000B" });
    expect(await text("settings get secure android_id")).toBe("ecc53fb891c041fd\n");
    expect(await other("settings get secure android_id")).not.toBe("ecc53fb891c041fd\n");
    expect(await other("settings get secure android_id")).toMatch(/^[0-9a-f]{16}\n$/);
  });

  test("the boot id is new after a restart and cannot be written", async () => {
    const { phone, run, text } = await startPhone(small);
    const before = await text("cat /proc/sys/kernel/random/boot_id");
    expect(before).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}\n$/);
    expect(await text("cat /proc/sys/kernel/random/boot_id")).toBe(before);
    expect((await run("echo x > /proc/sys/kernel/random/boot_id")).stderr).toContain("Read-only file system");
    await phone.reboot();
    expect(phone.files.read("/proc/sys/kernel/random/boot_id").toString()).not.toBe(before);
  });

  test("/proc tells of a process that runs", async () => {
    const { run, text } = await startPhone(small);
    const fields = (await text("cat /proc/1422/stat")).trim().split(" ");
    expect([fields.length, fields[0], fields[1], fields[3]]).toEqual([52, "1422", "(system_server)", "540"]);
    expect((await run("cat /proc/99999/stat")).stderr).toContain("No such file or directory");
  });
});

describe("makes of phones", () => {
  test.each([
    ["pixel", "ro.product.model", "Pixel 8", "1080x2400"],
    ["xiaomi", "ro.product.marketname", "Redmi Note 13 Pro+ 5G", "1220x2712"],
    ["samsung", "ro.product.manufacturer", "samsung", "1440x3120"],
    ["vivo", "ro.vivo.market.name", "vivo X100", "1260x2800"],
    ["tv", "ro.build.characteristics", "tv,nosdcard", "1920x1080"],
    ["foldable", "ro.product.model", "Pixel Fold", "2208x1840"],
  ] as const)("%s has its own properties and size", async (profile, key, value, size) => {
    const { text } = await startPhone({ profile });
    expect(await text(`getprop ${key}; wm size`)).toBe(`${value}\nPhysical size: ${size}\n`);
  });

  test("an option overrules the profile, and quirks add up", async () => {
    const { text } = await startPhone({ ...small, profile: "samsung", model: "SM-X", quirks: { slowShellMs: 1 } });
    expect(await text("getprop ro.product.model; wm size")).toBe("SM-X\nPhysical size: 540x1200\n");
    expect((await text("dumpsys battery")).match(/level: ?\d+/g)?.length).toBeGreaterThan(40);
  });

  test("each maker's home screen has its own name", async () => {
    const { phone } = await startPhone({ ...small, profile: "xiaomi" });
    expect(phone.screen.foregroundPackage).toBe("com.miui.home");
    phone.open("app.farhand.notes");
    const { phone: other } = await startPhone({ ...small, profile: "samsung" });
    expect(other.screen.foregroundActivity).toBe("com.sec.android.app.launcher.activities.LauncherActivity");
  });

  test("a television lies by nature, has no bars and no soft keyboard, and starts apps by another category", async () => {
    const { phone, text, tap } = await startPhone({ profile: "tv", width: 960, height: 540, density: 160 });
    const ask = (category: string) =>
      text(`cmd package resolve-activity --brief -a android.intent.action.MAIN -c ${category} app.farhand.chat`);
    expect(await ask("android.intent.category.LAUNCHER")).toBe("No activity found\n");
    expect(await ask("android.intent.category.LEANBACK_LAUNCHER")).toContain("app.farhand.chat/.");
    expect(await text("uiautomator dump --windows /dev/tty")).not.toContain("navigation_bar_view");
    expect(await text("uiautomator dump /dev/tty")).toContain('rotation="0"');
    expect(pngSize(await phone.picture())).toEqual([960, 540]);
    await tap("Chat");
    expect(phone.screen.foregroundPackage).toBe("app.farhand.chat");
    await tap("message_input");
    expect(phone.screen.isKeyboardShown).toBe(false);
  });

  test("folding turns to the other panel: size, picture and the panel's id follow", async () => {
    const cover = { width: 400, height: 800, density: 160 };
    const { phone, text, adb } = await startPhone({
      profile: "foldable",
      width: 800,
      height: 700,
      density: 160,
      coverPanel: cover,
    });
    expect(await text("dumpsys display")).toContain("uniqueId='local:4619827259835644672'");
    phone.fold(true);
    expect(await text("wm size")).toBe("Physical size: 400x800\n");
    expect(await text("dumpsys display")).toContain("uniqueId='local:4630946219955703955'");
    const picture = async (id: string) =>
      pngSize(Buffer.from(await adb.subprocess.noneProtocol.spawnWait(`screencap -p -d ${id}`)));
    expect(await picture("4630946219955703955")).toEqual([400, 800]);
    expect(await picture("4619827259835644672")).toEqual([800, 700]);
    phone.fold(false);
    expect(phone.screen.width).toBe(800);
  });
});

describe("releases of Android", () => {
  test.each([
    ["android6", 23, ["input", "settings"], ["cmd", "gzip"]],
    ["android8", 27, ["cmd", "gzip"], []],
    ["android16", 36, ["cmd", "gzip"], []],
  ] as const)("%s has the programs of its time", async (profile, sdk, present, missing) => {
    const { text } = await startPhone({ ...small, profile });
    expect((await text("getprop ro.build.version.sdk")).trim()).toBe(String(sdk));
    const which = await text(`which ${[...present, ...missing].join(" ")}`);
    for (const name of present) expect(which).toContain(`/${name}`);
    for (const name of missing) expect(which).not.toContain(`/${name}`);
  });

  test.each([
    ["android8", "dumpsys window windows", /mCurrentFocus=Window\{\w+ u0 app.farhand.notes/, true],
    ["android8", "dumpsys window displays", /mCurrentFocus|mCurrentRotation/, false],
    ["android8", "dumpsys window policy", /^ {6}mCurrentRotation=1\r?$/m, true],
    ["android8", "dumpsys activity activities", /^ {4}mResumedActivity: ActivityRecord/m, true],
    ["android8", "dumpsys activity activities", /topResumedActivity|^ {2}ResumedActivity/m, false],
    ["android10", "dumpsys activity activities", /^ {4}mResumedActivity: [\s\S]*^ {2}ResumedActivity: /m, true],
    ["android10", "dumpsys window windows", /mCurrentFocus/, false],
    ["android13", "dumpsys activity activities", /^ {4}topResumedActivity=ActivityRecord/m, true],
    ["android13", "dumpsys window displays", /^ {4}mRotation=1 /m, true],
  ] as const)("%s: %s tells in its own way (%s)", async (profile, command, pattern, holds) => {
    const { phone, text } = await startPhone({ ...small, profile });
    phone.open("app.farhand.notes");
    phone.rotate(1);
    expect(pattern.test(await text(command))).toBe(holds);
  });

  test.each([
    ["android8", "pm list packages --show-versioncode", "Unknown option"],
    ["android8", "input -d 2 tap 1 1", "Unknown command"],
    ["android11", "input keycombination 113 29", "Unknown command"],
    ["android11", "cmd window user-rotation lock 1", "Unknown command"],
    ["android13", "cmd window set-user-rotation lock 1", "Unknown command"],
    ["android8", "pm uninstall com.example.none", "DELETE_FAILED_INTERNAL_ERROR"],
    ["android14", "pm uninstall com.example.none", "not installed for 0"],
  ] as const)("%s does not know %s", async (profile, command, answer) => {
    const { run } = await startPhone({ ...small, profile });
    const { stdout, stderr, status } = await run(command);
    expect([`${stdout}${stderr}`.includes(answer), status === 0]).toEqual([true, false]);
  });
});

describe("habits of some phones", () => {
  test("a tap puts the cursor under the finger", async () => {
    const { phone, run, tap, find } = await startPhone();
    phone.open("app.farhand.chat");
    await tap("message_input");
    await run("input text abcdefghij");
    const { bounds } = await find(({ attributes }) => attributes.text === "abcdefghij");
    const middle = (bounds.top + bounds.bottom) / 2;
    await run(`input tap ${bounds.left + 2} ${middle}; input text 1`);
    expect(phone.screen.focusedFieldText).toBe("1abcdefghij");
    await run(`input tap ${bounds.right - 2} ${middle}; input text 2`);
    expect(phone.screen.focusedFieldText).toBe("1abcdefghij2");
    await run(`input tap ${bounds.left + 140} ${middle}; input text 3`);
    expect(phone.screen.focusedFieldText).toMatch(/^1a[a-j]*3[a-j]+2$/);
  });

  test("a tap in the second line of a note stays there", async () => {
    const { phone, run, find, tap } = await startPhone();
    phone.open("app.farhand.notes");
    await tap("New note");
    await tap("body");
    await run("input text 'one'; input keyevent ENTER; input text 'two'; input keyevent ENTER; input text 'three'");
    const { bounds } = await find(({ attributes }) => attributes["resource-id"]?.endsWith("body") ?? false);
    const line = phone.screen.fieldTexts["app.farhand.notes:id/body"];
    expect(line).toBe("one\ntwo\nthree");
    await run(`input tap ${bounds.right - 4} ${bounds.top + 105}; input text X`);
    expect(phone.screen.focusedFieldText).toBe("one\ntwoX\nthree");
  });

  test("the screen goes off by itself, unless it is touched or told to stay on", async () => {
    const { phone, run } = await startPhone({ ...small, screenTimeoutMs: 800, keyguard: "swipe" });
    await run("input keyevent WAKEUP; sleep 0.5; input keyevent BACK; sleep 0.5");
    expect(phone.screen.wakefulness).toBe("Awake");
    await run("sleep 1");
    expect([phone.screen.wakefulness, phone.screen.isLocked]).toEqual(["Asleep", true]);
    await run("svc power stayon true; input keyevent WAKEUP; sleep 1");
    expect(phone.screen.wakefulness).toBe("Awake");
  });

  test("a slow lock screen goes later, and not at all when the phone was locked again", async () => {
    const { phone, run } = await startPhone({ ...small, keyguard: "swipe", quirks: { slowKeyguardMs: 150 } });
    phone.lock();
    await run("input keyevent WAKEUP; wm dismiss-keyguard");
    expect(phone.screen.isLocked).toBe(true);
    await run("sleep 0.3");
    expect(phone.screen.isLocked).toBe(false);
    phone.lock();
    await run("input keyevent WAKEUP; wm dismiss-keyguard");
    phone.lock();
    await run("sleep 0.3");
    expect(phone.screen.isLocked).toBe(true);
  });

  test("only one dump at a time: the second is told that the service is taken", async () => {
    const { run } = await startPhone(small);
    const said = await Promise.all([run("uiautomator dump /dev/tty"), run("uiautomator dump /sdcard/a.xml")]);
    expect(said.filter(({ status }) => status === 0)).toHaveLength(1);
    expect(said.map(({ stderr }) => stderr).join("")).toContain("already registered!");
  });

  test("another user in front is named everywhere, and a question about all users is refused", async () => {
    const { run, text } = await startPhone({ ...small, quirks: { secondUser: true } });
    expect(await text("am get-current-user")).toBe("10\n");
    expect(await text("dumpsys window displays")).toContain(" u10 com.google.android.apps.nexuslauncher/");
    expect((await run("pm list packages")).stderr).toContain("Shell does not have permission to access user 150");
    expect(await text("pm list packages --user 10")).toContain("package:app.farhand.notes\n");
  });

  test("an app may have two symbols on the home screen", async () => {
    const { text } = await startPhone({ ...small, quirks: { secondLauncher: true } });
    const query =
      "cmd package query-activities --components -a android.intent.action.MAIN -c android.intent.category.LAUNCHER app.farhand.notes";
    expect((await text(query)).trim().split("\n")).toHaveLength(2);
  });

  test("dd cuts pieces out of a file", async () => {
    const { phone, text, run } = await startPhone(small);
    phone.files.write("/sdcard/a.txt", Buffer.from("0123456789abcdef"));
    expect(await text("dd if=/sdcard/a.txt bs=4 skip=1 count=2 2>/dev/null")).toBe("456789ab".slice(0, 8));
    expect((await run("dd if=/sdcard/a.txt bs=4 skip=1 count=2")).stderr).toContain(
      "2+0 records in\n2+0 records out\n8 bytes",
    );
    expect((await run("dd if=/sdcard/none")).status).toBe(1);
  });

  test("what ran is known with its arguments as the shell cut them", async () => {
    const { phone, run } = await startPhone(small);
    await run("echo 'a b' \"$HOME\"; input keyevent 4");
    expect(phone.ranPrograms()).toContainEqual(["echo", "a b", "/"]);
    expect(phone.ranPrograms()).toContainEqual(["input", "keyevent", "4"]);
  });
});

describe("the command line", () => {
  test("takes a profile and quirks", () => {
    const words = [
      ...["--profile", "xiaomi", "--quirk", "injectDenied=exit 0", "--quirk", "uiNotIdle", "--quirk"],
      ...["slowShellMs=40", "--quirk", "staleDump", "--screen-timeout", "30000"],
    ];
    expect(parseCommandLine(words)?.phone).toEqual({
      profile: "xiaomi",
      quirks: { injectDenied: "exit 0", uiNotIdle: "always", slowShellMs: 40, staleDump: true },
      screenTimeoutMs: 30_000,
    });
  });

  test.each([
    ["--quirk", "nonsense", "--quirk knows multiDisplayWarning"],
    ["--quirk", "slowShellMs=fast", "slowShellMs takes a whole number of milliseconds"],
    ["--quirk", "injectDenied=maybe", 'injectDenied takes "exit 0" or "exit 255"'],
    ["--quirk", "staleDump=3", "staleDump takes no value"],
    ["--profile", "nokia", "--profile takes pixel"],
  ])("%s %s is one clear line", (flag, value, message) => {
    expect(() => parseCommandLine([flag, value])).toThrow(message);
  });
});
