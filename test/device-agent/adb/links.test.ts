import { afterEach, describe, expect, test } from "vitest";
import { parseForeground } from "../../../device-agent/adb/apps/foreground.ts";
import { openUrl } from "../../../device-agent/adb/apps/open-url.ts";
import { ScreenOrientation, turnsOf } from "../../../device-agent/adb/screen/orientation.ts";
import type { ForegroundApp, ScreenStatus } from "../../../shared/device.ts";
import { Rig } from "./rig.ts";
import { scriptedRunner } from "./scripted-runner.ts";
import { codeOf, hurried, never } from "./test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

const front = (packageName: string | null, overlay: ForegroundApp["overlay"] = null): ForegroundApp => ({
  packageName,
  activity: null,
  overlay,
});

function opening(told: string, ...fronts: ForegroundApp[]) {
  const runner = scriptedRunner(() => told);
  const last = fronts.at(-1) ?? front(null);
  const apps = { foreground: async () => fronts.shift() ?? last, user: async () => "10" };
  return { runner, open: (url: string) => openUrl({ runner, clock: hurried(20), apps }, url, never) };
}

test("an address goes to the phone's shell as one word", async () => {
  const { runner, open } = opening("Starting: Intent { act=x }", front("a.b"), front("com.browser"));
  expect(await open("https://example.org/?a=1&b=$(id)'x")).toEqual(front("com.browser"));
  expect(runner.asked).toEqual([
    "am start --user 10 -a android.intent.action.VIEW -d 'https://example.org/?a=1&b=$(id)'\\''x'",
  ]);
});

test("a number is dialled and never called", async () => {
  const { runner, open } = opening("", front("a.b"), front("com.dialer"));
  await open("tel:+431");
  expect(runner.asked).toEqual(["am start --user 10 -a android.intent.action.DIAL -d tel:+431"]);
});

test("an app that was in front already is told after a moment", async () => {
  const { open } = opening("", front("com.browser"), front("com.browser"));
  expect(await open("https://example.org/")).toEqual(front("com.browser"));
});

test("the chooser is told as one", async () => {
  const { open } = opening("", front("a.b"), front("a.b", "chooser"));
  expect((await open("geo:1,2")).overlay).toBe("chooser");
  const windows = (name: string) => `  mCurrentFocus=Window{1f2 u0 ${name}}\n`;
  for (const name of [
    "android/com.android.internal.app.ResolverActivity",
    "com.android.intentresolver/com.android.intentresolver.ChooserActivity",
    "com.huawei.android.internal.app/com.huawei.android.internal.app.HwResolverActivity",
  ]) {
    expect(parseForeground(["", "", windows(name)]).overlay, name).toBe("chooser");
  }
  expect(parseForeground(["", "", windows("com.example/com.example.Main")]).overlay).toBeNull();
});

test("an address for which no app is there is not found", async () => {
  const told =
    "Starting: Intent { act=android.intent.action.VIEW dat=market://x }\nError: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW dat=market://x flg=0x10000000 }\n";
  const thrown = await opening(told, front("a.b"))
    .open("market://x")
    .catch((error: unknown) => error);
  expect(thrown).toMatchObject({
    code: "target_not_found",
    message: "No app on the phone opens this kind of address.",
  });
});

test("a simulated phone shows a web page and a map", async () => {
  const { device, sim } = await rig.device("direct");
  expect(await device.openUrl("https://example.org/a?b=1&c='2'", never)).toMatchObject({
    packageName: "com.android.chrome",
  });
  expect((await device.readTree(never)).nodes.map(({ text }) => text).join(" ")).toContain("example.org");
  await device.openUrl("geo:48.2,16.4", never);
  expect(sim.screen.foregroundPackage).toBe("app.farhand.maps");
  expect(await codeOf(device.openUrl("market://details?id=a.b", never))).toBe("target_not_found");
});

describe("the screen", () => {
  test("is turned each way and let go", async () => {
    const { device, sim } = await rig.device("direct");
    for (const [orientation, rotation, width] of [
      ["landscape", 1, 1200],
      ["reverse_portrait", 2, 540],
      ["reverse_landscape", 3, 1200],
      ["portrait", 0, 540],
    ] as const) {
      expect(await device.setOrientation(orientation, never)).toMatchObject({ orientation, rotation, size: { width } });
      expect(sim.screen.rotation).toBe(rotation);
    }
    expect(await device.setOrientation("auto", never)).toMatchObject({ orientation: "portrait" });
  });

  test("of a phone that minds its settings is turned by them alone", async () => {
    const { phone, turn } = turning({ settings: true });
    expect(await turn("landscape")).toMatchObject({ orientation: "landscape", rotation: 1 });
    expect(phone.asked.filter((command) => !command.startsWith("dumpsys"))).toEqual([
      "settings put system accelerometer_rotation 0",
      "settings put system user_rotation 1",
    ]);
  });

  test("of a phone that does not mind its settings is turned by the window manager", async () => {
    const { phone, turn } = turning({ settings: false });
    expect(await turn("landscape")).toMatchObject({ orientation: "landscape", rotation: 1 });
    expect(phone.asked).toContain("cmd window user-rotation lock 1");
  });

  test("of a phone that refuses both is said not to turn", async () => {
    const denied = "java.lang.SecurityException: com.android.shell was not granted WRITE_SECURE_SETTINGS";
    expect(await codeOf(turning({ settings: denied, window: denied }).turn("landscape"))).toBe("unsupported");
  });

  test("kept upright by an app stays, and that is told", async () => {
    const { turn } = turning({ settings: false, window: "" });
    expect(await turn("landscape")).toMatchObject({ orientation: "portrait", rotation: 0 });
  });

  test("of a television or tablet has its wide side as natural", () => {
    const wide = { size: { width: 1920, height: 1080 }, rotation: 0 as const };
    expect(turnsOf(wide, "")).toEqual({ landscape: 0, reverse_landscape: 2, portrait: 3, reverse_portrait: 1 });
    expect(turnsOf({ size: { width: 1080, height: 1920 }, rotation: 1 }, "").landscape).toBe(0);
    const told =
      "  mLandscapeRotation=ROTATION_0 mSeascapeRotation=ROTATION_180\n  mPortraitRotation=ROTATION_90 mUpsideDownRotation=ROTATION_270\n";
    expect(turnsOf(wide, told)).toEqual({ landscape: 0, reverse_landscape: 2, portrait: 1, reverse_portrait: 3 });
  });
});

/** An upright phone that turns by its settings, by its window manager, or not; a text is what it answers instead. */
function turning(way: { settings: boolean | string; window?: string }) {
  let rotation: ScreenStatus["rotation"] = 0;
  const phone = scriptedRunner((command) => {
    const [, to] = /user_rotation (\d)|user-rotation lock (\d)/.exec(command)?.filter(Boolean) ?? [];
    if (command.startsWith("settings")) {
      if (typeof way.settings === "string") return way.settings;
      if (way.settings && to) rotation = Number(to) as ScreenStatus["rotation"];
    }
    if (command.startsWith("cmd window")) {
      if (way.window !== undefined) return way.window;
      if (to) rotation = Number(to) as ScreenStatus["rotation"];
    }
    return "";
  });
  const readStatus = async (): Promise<ScreenStatus> => ({
    size: rotation % 2 === 0 ? { width: 1080, height: 2400 } : { width: 2400, height: 1080 },
    rotation,
    awake: true,
    locked: false,
    secureLock: false,
    keyboard: [],
  });
  const orientation = new ScreenOrientation({ runner: phone, clock: hurried(20), readStatus });
  return { phone, turn: (wanted: "landscape" | "auto") => orientation.set(wanted, never) };
}
