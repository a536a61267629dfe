import { describe, expect, test } from "vitest";
import { startFailure } from "../../../device-agent/adb/apps/apps.ts";
import { parsePackageList } from "../../../device-agent/adb/apps/installed-apps.ts";
import { checkPackageName, parseComponent } from "../../../device-agent/adb/apps/package-name.ts";
import { parseBattery } from "../../../device-agent/adb/facts/battery.ts";
import { parseDensity, parseFacts } from "../../../device-agent/adb/facts/device-facts.ts";
import { parseNetwork } from "../../../device-agent/adb/facts/network.ts";
import { parseProperties } from "../../../device-agent/adb/facts/properties.ts";
import { capture, hasCaptures } from "./captures.ts";

test("property values may be empty, hold brackets and line breaks, and lines may end as in DOS", () => {
  const text = "[a.b]: [1]\r\n[empty]: []\r\n[odd]: [x]: [y]]\n[two]: [first\nsecond]\n[last]: [z]\n";
  expect(Object.fromEntries(parseProperties(text))).toEqual({
    "a.b": "1",
    empty: "",
    odd: "x]: [y]",
    two: "first\nsecond",
    last: "z",
  });
});

test("the first language of the owner is the locale", () => {
  const facts = parseFacts([
    "[ro.build.version.sdk]: [34]\n[persist.sys.locale]: [en-GB]",
    "Physical size: 10x20",
    "Physical density: 420",
    "",
    "fr-CH,en-US\n",
  ]);
  expect(facts).toMatchObject({ sdk: 34, locale: "fr-CH", density: 420, overrideSize: null, batteryPercent: null });
  expect(parseFacts(["[persist.sys.locale]: [en-GB]", "", "", "", "null\n"]).locale).toBe("en-GB");
});

test("battery level is in parts of its scale, and the first block counts", () => {
  expect(parseBattery("  status: 3\n  level: 40\n  scale: 50\n  level: 72, temperature: 345\n  level: 9\n")).toEqual({
    percent: 80,
    charging: false,
  });
});

test("packages are listed with and without versions", () => {
  expect(
    parsePackageList("package:com.android.chrome versionCode:636771932\r\npackage:com.a.b\nError: x\n", false),
  ).toEqual([
    { packageName: "com.android.chrome", versionCode: 636771932, version: null, label: null, system: false },
    { packageName: "com.a.b", versionCode: null, version: null, label: null, system: false },
  ]);
});

test("what is no package name never reaches the phone", () => {
  for (const bad of [
    "",
    "com",
    "com.",
    ".com.a",
    "com.a;reboot",
    "com.a b",
    "com.1a",
    "-n",
    "com.a/.B",
    "com.ä.b",
    `com.${"a".repeat(300)}`,
  ]) {
    expect(() => checkPackageName(bad), bad).toThrow(/package name/);
  }
  expect(() => checkPackageName("com.example_1.App2")).not.toThrow();
});

test("the resolver is no app to start", () => {
  expect(parseComponent("android/com.android.internal.app.ResolverActivity")).toBeUndefined();
  expect(parseComponent("com.example/.ui.Main")).toEqual({
    packageName: "com.example",
    activity: "com.example.ui.Main",
  });
  expect(parseComponent("com.example/.Main;reboot")).toBeUndefined();
  expect(parseComponent("No activity found")).toBeUndefined();
});

test("an app that is not there is found out from the words of am", () => {
  const missing = "Starting: Intent { cmp=a.b/.C }\nError type 3\nError: Activity class {a.b/a.b.C} does not exist.\n";
  expect(startFailure(missing)?.code).toBe("target_not_found");
  expect(
    startFailure(
      "Starting: Intent { cmp=a.b/.C }\nWarning: Activity not started, its current task has been brought to the front\n",
    ),
  ).toBeUndefined();
  expect(startFailure("java.lang.SecurityException: Permission Denial: starting Intent")?.code).toBe("unsupported");
});

test("the kind of the network in use is told, and never its name", () => {
  const agent = (id: number, rest: string) => `  NetworkAgentInfo{network{${id}}  handle{43290242}  ${rest}}\n`;
  const wifi = agent(
    100,
    'ni{WIFI CONNECTED extra: "Home 5G"} nc{[ Transports: WIFI Capabilities: INTERNET SSID: "Home 5G"]}',
  );
  const mobile = agent(101, "ni{MOBILE[LTE] CONNECTED extra: web} nc{[ Transports: CELLULAR Capabilities: MMS]}");
  const vpn = agent(102, "ni{VPN CONNECTED extra: } nc{[ Transports: WIFI|VPN Capabilities: INTERNET]}");
  const bare = agent(103, "ni{VPN CONNECTED extra: } nc{[ Transports: VPN Capabilities: INTERNET]}");
  const of = (active: string) => parseNetwork(`Active default network: ${active}\n${wifi}${mobile}${vpn}${bare}`);
  expect([of("100"), of("101"), of("102"), of("103"), of("none")]).toEqual(["wifi", "cellular", "wifi", "vpn", "none"]);
  const old =
    "Active default network: 100\n  NetworkAgentInfo{ ni{[type: MOBILE[LTE], state: CONNECTED/CONNECTED, extra: web]}  network{100}  lp{}}\n";
  expect(parseNetwork(old)).toBe("cellular");
  expect(parseNetwork("Can't find service: connectivity\n")).toBeNull();
  expect(of("999")).toBeNull();
});

describe.runIf(hasCaptures)("outputs of real phones", () => {
  test("facts of two phones", () => {
    const oneplus = parseFacts([capture("misc/getprop-oneplus-n10-android11.txt"), "", "", "", ""]);
    expect(oneplus).toMatchObject({ manufacturer: "OnePlus", androidRelease: "11", sdk: 30 });
    const xiaomi = parseFacts([capture("misc/getprop-xiaomi-android15.txt"), "", "", "", ""]);
    expect(xiaomi).toMatchObject({ manufacturer: "Xiaomi", androidRelease: "15", sdk: 35 });
    expect(xiaomi.model).not.toBe("");
  });

  test("batteries", () => {
    expect(parseBattery(capture("misc/battery-samsung-s24.txt"))).toEqual({ percent: 75, charging: true });
    expect(parseBattery(capture("misc/battery-scale50.txt"))).toEqual({ percent: 80, charging: true });
    expect(parseBattery(capture("misc/battery-pixel-full.txt"))).toEqual({ percent: 100, charging: true });
  });

  test("densities, packages and starts", () => {
    expect(parseDensity(capture("misc/wm-density-override.txt"))).toBe(360);
    expect(parseDensity(capture("misc/wm-density-samsung-s24.txt"))).toBe(600);
    expect(parsePackageList(capture("misc/pm-list-showversioncode.txt"), true)).toHaveLength(3);
    expect(parsePackageList(capture("misc/pm-list-plain.txt"), true).map((app) => app.versionCode)).toEqual([
      null,
      null,
      null,
    ]);
    expect(startFailure(capture("misc/am-start-missing.txt"))?.code).toBe("target_not_found");
    const components = (name: string) =>
      capture(name)
        .split("\n")
        .flatMap((line) => parseComponent(line) ?? []);
    expect(components("misc/resolve-activity-samsung.txt")).toEqual([
      {
        packageName: "com.sec.android.app.launcher",
        activity: "com.sec.android.app.launcher.activities.LauncherActivity",
      },
    ]);
    expect(components("misc/resolve-activity-none.txt")).toEqual([]);
    expect(components("misc/query-activities-instagram.txt")).toHaveLength(2);
  });
});
