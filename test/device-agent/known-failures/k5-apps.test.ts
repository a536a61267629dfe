import { afterEach, describe, expect, test } from "vitest";
import { Apps } from "../../../device-agent/adb/apps/apps.ts";
import { Rig } from "../adb/rig.ts";
import { scriptedRunner } from "../adb/scripted-runner.ts";
import { clock, codeOf, never } from "../adb/test-parts.ts";
import { runsOf } from "./touches.ts";

const rig = new Rig();
afterEach(() => rig.close());

test("an app is started by its own activity and seen in front, never by the monkey", async () => {
  const { device, sim } = await rig.device("direct", { quirks: { slowStartMs: 700 } });
  expect(await device.startApp("app.farhand.chat", never)).toMatchObject({ packageName: "app.farhand.chat" });
  expect(sim.screen.foregroundPackage).toBe("app.farhand.chat");
  expect(runsOf(sim, "monkey")).toEqual([]);
  expect(runsOf(sim, "am", "start")).toHaveLength(1);
});

test("of several symbols of one app the first is started, and the chooser never", async () => {
  const { device, sim } = await rig.device("direct", { quirks: { secondLauncher: true } });
  await device.startApp("app.farhand.notes", never);
  expect(runsOf(sim, "am", "start").map((argv) => argv[argv.indexOf("-n") + 1])).toEqual([
    "app.farhand.notes/app.farhand.notes.MainActivity",
  ]);
  const chooser = scriptedRunner((command) =>
    command.includes("resolve-activity") ? "priority=0\nandroid/com.android.internal.app.ResolverActivity\n" : "",
  );
  expect(await codeOf(new Apps(chooser, clock).start("com.example.two", never))).toBe("target_not_found");
  expect(chooser.asked.some((command) => command.startsWith("am start"))).toBe(false);
});

test("an app without a symbol and one that is not there are said to be none, whatever am's exit code was", async () => {
  const { device, sim } = await rig.device("direct");
  for (const name of ["com.google.android.permissioncontroller", "com.example.missing"])
    expect(await codeOf(device.startApp(name, never))).toBe("target_not_found");
  expect(runsOf(sim, "am", "start")).toEqual([]);
});

test("a package name that is none runs nothing on the phone", async () => {
  const { device, sim } = await rig.device("direct");
  await device.status(never);
  const before = sim.ranPrograms().length;
  for (const name of ["org.pkg.M;id>&2;a", "a.b$(id)", "a.b c.d", "../a.b", "-n", "a.b/.C", "a..b", "1a.b"]) {
    expect(await codeOf(device.startApp(name, never)), name).toBe("invalid_argument");
    expect(await codeOf(device.stopApp(name, never)), name).toBe("invalid_argument");
  }
  expect(sim.ranPrograms().slice(before)).toEqual([]);
});

describe("a phone with several users", () => {
  test("is asked about the one in front by number, always", async () => {
    const { device, sim } = await rig.device("direct", { quirks: { secondUser: true } });
    const names = (await device.listApps("all", never)).map(({ packageName }) => packageName);
    expect(names).toContain("app.farhand.notes");
    await device.startApp("app.farhand.notes", never);
    await device.stopApp("app.farhand.notes", never);
    const asked = sim.ranPrograms().filter(([program]) => ["pm", "cmd", "am"].includes(program ?? ""));
    const withoutUser = asked.filter((argv) => !argv.includes("--user") && !argv.includes("get-current-user"));
    expect(withoutUser).toEqual([]);
    expect(
      asked.filter((argv) => argv.includes("--user")).every((argv) => argv[argv.indexOf("--user") + 1] === "10"),
    ).toBe(true);
  });

  test("a refusal to look at a user is told as one, not as an empty list of apps", async () => {
    const refusing = scriptedRunner((command) =>
      command.startsWith("pm list")
        ? "java.lang.SecurityException: Shell does not have permission to access user 150\n\tat com.android.server.pm"
        : "0\n",
    );
    expect(await codeOf(new Apps(refusing, clock).list("all", never))).toBe("unsupported");
  });
});

const RELEASES = [
  ["6", "android6"],
  ["7", "android7"],
  ["8", "android8"],
  ["9", "android9"],
  ["10", "android10"],
  ["11", "android11"],
  ["12", "android12"],
  ["13", "android13"],
  ["14", "android14"],
  ["15", "android15"],
  ["16", "android16"],
] as const;

describe.each(RELEASES)("Android %s", (_, profile) => {
  test("app in front, size, rotation and lock are read as this release tells them", async () => {
    const { device, sim } = await rig.device("direct", { profile, quirks: { nullFocus: true, ...old(profile) } });
    sim.open("app.farhand.notes");
    sim.rotate(1);
    expect(await device.foreground(never)).toEqual({
      packageName: "app.farhand.notes",
      activity: "app.farhand.notes.MainActivity",
      overlay: null,
    });
    expect(await device.status(never)).toMatchObject({
      size: { width: 1200, height: 540 },
      rotation: 1,
      awake: true,
      locked: false,
    });
    await device.pressKey("notifications", never);
    if (profile !== "android6") expect((await device.foreground(never)).overlay).toBe("notification_shade");
    expect((await device.listApps("user", never)).length).toBeGreaterThan(3);
    sim.lock();
    expect(await device.status(never)).toMatchObject({ awake: false });
  });

  test("a lock screen without a secret is opened", async () => {
    const { device, sim } = await rig.device("direct", { profile, keyguard: "swipe", quirks: old(profile) });
    sim.lock();
    expect(await device.status(never)).toMatchObject({ awake: false, locked: true, secureLock: false });
    expect(await device.wake(never)).toMatchObject({ awake: true, locked: false });
  });
});

const old = (profile: string) => (profile === "android6" ? { oldAndroid: true } : {});

test.each(["xiaomi", "samsung", "vivo", "pixel"] as const)("home on a %s is its own home screen", async (profile) => {
  const { device, sim } = await rig.device("direct", { profile, width: 540, height: 1200, density: 210 });
  sim.open("app.farhand.notes");
  await device.pressKey("home", never);
  expect((await device.foreground(never)).packageName).toBe(sim.screen.foregroundPackage);
  expect((await device.readTree(never)).nodes.length).toBeGreaterThan(5);
});
