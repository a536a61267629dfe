import { describe, expect, test } from "vitest";
import { named, startPhone } from "./support/running-phone.ts";

const pngSize = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

describe("rotation and size", () => {
  test.each([
    [1, "wm user-rotation lock 1"],
    [2, "settings put system accelerometer_rotation 0; settings put system user_rotation 2"],
    [3, "cmd window user-rotation lock 3"],
  ])("rotation %i lays everything out anew", async (rotation, command) => {
    const { phone, run, text, nodes } = await startPhone();
    phone.open("com.android.settings");
    await run(command);
    const isSideways = rotation % 2 === 1;
    expect(pngSize(await phone.picture())).toEqual(isSideways ? [2400, 1080] : [1080, 2400]);
    const [root] = await nodes();
    expect(root?.bounds).toEqual(
      isSideways ? { left: 0, top: 0, right: 2400, bottom: 1080 } : { left: 0, top: 0, right: 1080, bottom: 2400 },
    );
    expect(await text("uiautomator dump /dev/tty")).toContain(`<hierarchy rotation="${rotation}">`);
    expect(await text("dumpsys display")).toContain(`orientation=${rotation},`);
    expect(await text("dumpsys window displays")).toContain(`cur=${isSideways ? "2400x1080" : "1080x2400"}`);
  });

  test("turning the phone in the hand turns the screen only while auto-rotate is on", async () => {
    const { phone, run } = await startPhone();
    phone.rotate(3);
    expect(phone.screen.rotation).toBe(3);
    await run("wm user-rotation lock 0");
    expect(phone.screen.rotation).toBe(0);
    phone.rotate(1);
    expect(phone.screen.rotation).toBe(0);
    await run("wm user-rotation free");
    expect(phone.screen.rotation).toBe(1);
  });

  test("taps are in the space of the turned screen", async () => {
    const { phone, tap } = await startPhone();
    phone.rotate(1);
    await tap("Notes");
    expect(phone.screen.foregroundPackage).toBe("app.farhand.notes");
  });

  test("a size override is the space of pictures, tree and taps", async () => {
    const { phone, run, text, tap, nodes } = await startPhone();
    await run("wm size 720x1600; wm density 280");
    expect(await text("wm size; wm density")).toBe(
      "Physical size: 1080x2400\nOverride size: 720x1600\nPhysical density: 420\nOverride density: 280\n",
    );
    expect(pngSize(await phone.picture())).toEqual([720, 1600]);
    expect((await nodes())[0]?.attributes.bounds).toBe("[0,0][720,1600]");
    await tap("Maps");
    expect(phone.screen.foregroundPackage).toBe("app.farhand.maps");
    await run("wm size reset");
    expect(await text("wm size")).toBe("Physical size: 1080x2400\n");
    expect((await run("wm size 10x10")).status).toBe(255);
  });
});

describe("the soft keyboard", () => {
  test("opens with a field, moves the content up, types by touch, and Back closes it first", async () => {
    const { phone, run, tap, find, text } = await startPhone();
    phone.open("app.farhand.chat");
    const before = (await find(named("message_input"))).bounds;
    await tap("message_input");
    expect(phone.screen.isKeyboardShown).toBe(true);
    const after = (await find(named("message_input"))).bounds;
    expect(after.bottom).toBeLessThan(before.bottom - 500);
    const windows = await text("uiautomator dump --windows /dev/tty");
    const key = /<node [^>]*content-desc="h"[^>]*bounds="\[(\d+),(\d+)\]\[(\d+),(\d+)\]"/.exec(windows) ?? [];
    const [, left, top, right, bottom] = key.map(Number);
    await run(`input tap ${((left ?? 0) + (right ?? 0)) / 2} ${((top ?? 0) + (bottom ?? 0)) / 2}`);
    expect(phone.screen.focusedFieldText).toBe("h");
    expect(await text("dumpsys input_method")).toContain("mInputShown=true mIsInputViewShown=true");
    await run("input keyevent 4");
    expect([phone.screen.isKeyboardShown, phone.screen.foregroundPackage]).toEqual([false, "app.farhand.chat"]);
    await run("input keyevent 4");
    expect(phone.screen.foregroundPackage).toBe("com.google.android.apps.nexuslauncher");
  });

  test("a field that the keyboard would cover is scrolled into sight", async () => {
    const { phone, run, tap, find } = await startPhone();
    phone.rotate(1);
    phone.open("app.farhand.bank");
    const list = (await find(({ attributes }) => attributes.scrollable === "true")).bounds;
    await run(`input swipe 500 ${list.bottom - 50} 500 ${list.top + 250} 200`);
    await tap("password");
    expect(phone.screen.isKeyboardShown).toBe(true);
    expect((await find(named("password"))).attributes.focused).toBe("true");
  });

  test("text without a focused field is lost", async () => {
    const { phone, run, tap } = await startPhone();
    phone.open("app.farhand.chat");
    await run("input text lost");
    await tap("message_input");
    expect(phone.screen.focusedFieldText).toBe("");
  });
});

describe("keys in a field", () => {
  test.each([
    ["input text abc; input keyevent 67", "ab"],
    ["input text abc; input keyevent 21 21 112", "ac"],
    ["input text abc; input keyevent MOVE_HOME; input text x", "xabc"],
    ["input text abc; input keycombination 113 29; input keyevent 67", ""],
    ["input text abc; input keycombination 113 29; input keyevent KEYCODE_CUT; input keyevent 279 279", "abcabc"],
    ["input keycombination 59 KEYCODE_A; input keyevent 30 8", "Ab1"],
    ["input text 'a%sb%%sc'", "a b% c"],
    [`input text "it's \\$5 & more"`, "it's $5 & more"],
  ])("%s gives %j", async (command, result) => {
    const { phone, run, tap } = await startPhone();
    phone.open("app.farhand.chat");
    await tap("message_input");
    await run(command);
    expect(phone.screen.focusedFieldText).toBe(result);
  });
});

describe("other ways to touch", () => {
  test("Tab and the arrows move the focus, and Enter presses what has it", async () => {
    const { phone, run, find } = await startPhone();
    const focused = async () => (await find(({ attributes }) => attributes.focused === "true")).attributes.text;
    await run("input keyevent TAB");
    expect(await focused()).toBe("Chat");
    await run("input keyevent DPAD_RIGHT DPAD_DOWN");
    expect(await focused()).toBe("Chrome");
    await run("input keyevent DPAD_CENTER");
    expect(phone.screen.foregroundPackage).toBe("com.android.chrome");
  });

  test("single motion events make a tap", async () => {
    const { phone, run, find } = await startPhone();
    const { bounds } = await find(named("Maps"));
    await run(`input motionevent DOWN ${bounds.left + 50} ${bounds.top + 50}`);
    expect(phone.screen.foregroundPackage).not.toBe("app.farhand.maps");
    await run(`input motionevent UP ${bounds.left + 50} ${bounds.top + 50}`);
    expect(phone.screen.foregroundPackage).toBe("app.farhand.maps");
  });

  test("a finger that stays down is a long press after half a second", async () => {
    const { phone, run, find } = await startPhone();
    phone.open("app.farhand.notes");
    const { bounds } = await find(named("Ideas"));
    await run(`input motionevent DOWN ${bounds.left + 50} ${bounds.top + 20}`);
    await expect.poll(() => phone.screen.texts).toContain("Copy");
  });
});

describe("power and keyguard", () => {
  test("223 sleeps, 224 wakes, 26 turns over; asleep the picture is black and touches do nothing", async () => {
    const { phone, run, text } = await startPhone();
    await run("input keyevent 223");
    expect(await text("dumpsys power | grep -m1 mWakefulness=")).toBe("  mWakefulness=Asleep\n");
    await run("input tap 135 1572");
    expect(phone.screen.foregroundPackage).toBe("com.google.android.apps.nexuslauncher");
    await run("input keyevent 224 224");
    expect(phone.screen.wakefulness).toBe("Awake");
    await run("input keyevent KEYCODE_POWER");
    expect(phone.screen.wakefulness).toBe("Asleep");
  });

  test("a swipe keyguard is dismissed by wm and by a swipe up", async () => {
    const { phone, run, text } = await startPhone({ keyguard: "swipe" });
    const lockAndWake = () => run("input keyevent 223 224");
    await lockAndWake();
    expect(await text("dumpsys window policy")).toMatch(/mIsShowing=true/);
    expect(await text("dumpsys window | grep mCurrentFocus")).toMatch(/ u0 NotificationShade}\n/);
    expect(await text("uiautomator dump /dev/tty")).toContain("Swipe up to open");
    await run("wm dismiss-keyguard");
    expect(phone.screen.isLocked).toBe(false);
    await lockAndWake();
    await run("input swipe 540 2000 540 800 200");
    expect(phone.screen.isLocked).toBe(false);
  });

  test("a PIN is asked for, a wrong one is refused, the right one opens", async () => {
    const { phone, run, text, tap } = await startPhone({ keyguard: "pin", pin: "2580" });
    await run("input keyevent 223 224; wm dismiss-keyguard");
    expect(phone.screen.isLocked).toBe(true);
    expect(await text("dumpsys window policy")).toContain("secure=true");
    await run("input text 1111; input keyevent 66");
    expect(phone.screen.texts).toContain("Wrong PIN. Try again.");
    for (const digit of "2580") await tap(digit);
    await tap("Enter");
    expect(phone.screen.isLocked).toBe(false);
  });

  test("the activity is not resumed behind the keyguard", async () => {
    const { run, text } = await startPhone({ keyguard: "swipe" });
    const resumed = "dumpsys activity activities | grep -c topResumedActivity=";
    expect(await text(resumed)).toBe("1\n");
    await run("input keyevent 223 224");
    expect(await text(resumed)).toBe("0\n");
  });
});

describe("clipboard, shade and toasts", () => {
  test("the shell may not read the clipboard from Android 10 on", async () => {
    const { phone, run } = await startPhone();
    phone.setClipboard("private");
    expect((await run("cmd clipboard get")).stdout).not.toContain("private");
  });

  test("notifications come down with the shade and open their app", async () => {
    const { phone, run, text, tap } = await startPhone();
    phone.notify({ title: "周末聚会", text: "Are you coming? 🍜" });
    expect(await text("dumpsys notification --noredact")).toContain("android.text=String (Are you coming? 🍜)");
    await run("input swipe 540 10 540 900 200");
    expect(await text("uiautomator dump /dev/tty")).toContain('package="com.android.systemui"');
    await tap("周末聚会");
    expect(phone.screen.foregroundPackage).toBe("app.farhand.chat");
    await run("cmd statusbar expand-settings");
    await tap("Auto-rotate");
    expect(await text("settings get system accelerometer_rotation")).toBe("0\n");
    await run("input keyevent 4");
    expect(phone.screen.foregroundPackage).toBe("app.farhand.chat");
  });
});

describe("pictures", () => {
  test("the same screen gives the same bytes, a changed one others", async () => {
    const { phone, run } = await startPhone({ clock: fixedClock() });
    const first = await phone.picture();
    expect(await phone.picture()).toBe(first);
    await run("input tap 540 1000");
    phone.open("app.farhand.notes");
    expect((await phone.picture()).equals(first)).toBe(false);
  });

  test("raw pixels have the header of the release and agree with the PNG", async () => {
    const { phone, adb } = await startPhone({ width: 360, height: 640, density: 160 });
    const raw = Buffer.from(await adb.subprocess.noneProtocol.spawnWait("screencap"));
    expect([raw.readUInt32LE(0), raw.readUInt32LE(4), raw.readUInt32LE(8), raw.readUInt32LE(12)]).toEqual([
      360, 640, 1, 1,
    ]);
    const { PNG } = await import("pngjs");
    expect(PNG.sync.read(await phone.picture()).data.equals(raw.subarray(16))).toBe(true);
  });
});

function fixedClock() {
  return { now: () => Date.UTC(2026, 2, 4, 9, 41), sleep: () => Promise.resolve() };
}
