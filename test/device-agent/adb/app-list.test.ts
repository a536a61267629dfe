import { afterEach, describe, expect, test } from "vitest";
import { AppDetails, parseVersions } from "../../../device-agent/adb/apps/app-details.ts";
import { Apps } from "../../../device-agent/adb/apps/apps.ts";
import { parseWrittenLabels } from "../../../device-agent/adb/apps/written-labels.ts";
import { parseAppLabels } from "../../../device-agent/adb/scrcpy/app-labels.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { Rig } from "./rig.ts";
import { scriptedRunner } from "./scripted-runner.ts";
import { codeOf, hurried, never } from "./test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

test("names are read from the server's list, long ones and strange ones too", () => {
  const list = `[server] INFO: Device: [Maker] maker Phone (Android 14)
[server] INFO: Processing Android apps... (this may take some time)
[server] INFO: List of apps:
 * Camera                         com.android.camera2
 * Google Play Store              com.android.vending
 - An app whose name is longer than the column
                                  org.example.long_name
 - 微信                             com.tencent.mm
`;
  expect([...parseAppLabels(list)]).toEqual([
    ["com.android.camera2", "Camera"],
    ["com.android.vending", "Google Play Store"],
    ["org.example.long_name", "An app whose name is longer than the column"],
    ["com.tencent.mm", "微信"],
  ]);
  expect(parseAppLabels("Aborted \n").size).toBe(0);
});

test("only names that are written out count, and an activity's resource goes before its app's name", () => {
  const of = (packageName: string, ...labels: string[]) =>
    labels
      .map(
        (label, depth) =>
          `${"  ".repeat(depth)}      packageName=${packageName}\n${"  ".repeat(depth)}      ${label} icon=0x7f0c0001 banner=0x0\n`,
      )
      .join("");
  const resource = "labelRes=0x7f140350 nonLocalizedLabel=null";
  const none = "labelRes=0x0 nonLocalizedLabel=null";
  const text = [
    of("com.a", "labelRes=0x0 nonLocalizedLabel=My Cool App", resource),
    of("com.b", none, "labelRes=0x0 nonLocalizedLabel=a = icon=b"),
    of("com.c", resource, "labelRes=0x0 nonLocalizedLabel=Not shown"),
    of("com.d", resource, resource),
  ].join("");
  expect([...parseWrittenLabels(text)]).toEqual([
    ["com.a", "My Cool App"],
    ["com.b", "a = icon=b"],
  ]);
  expect(parseWrittenLabels("No activities found\n").size).toBe(0);
});

test("the version of an updated system app counts, not of the one it hides", () => {
  const dump =
    "  Package [com.a] (1f):\n    versionName=2.0\n  Package [com.b] (2f):\n    versionName=null\n  Package [com.c] (3f):\r\n    versionName=4.12 beta\r\n  Package [com.a] (4f):\n    versionName=1.0\n";
  expect([...parseVersions(dump)]).toEqual([
    ["com.a", "2.0"],
    ["com.c", "4.12 beta"],
  ]);
});

describe("details of apps", () => {
  const app = { packageName: "com.a", versionCode: 1, version: null, label: null, system: false };
  const dump = "  Package [com.a] (1f):\n    versionName=2.0\n";

  test("that take longer than three seconds are null, and there for the next list", async () => {
    let name = (_: Map<string, string>) => {};
    const named = new Promise<Map<string, string>>((resolve) => {
      name = resolve;
    });
    const runner = scriptedRunner(() => dump);
    const details = new AppDetails({ runner, clock: hurried(50), readLabels: () => named });
    expect(await details.add([app], never)).toEqual([{ ...app, version: "2.0", label: null }]);
    name(new Map([["com.a", "Alpha"]]));
    expect(await details.add([app], never)).toEqual([{ ...app, version: "2.0", label: "Alpha" }]);
  });

  test("are read once while no app changes", async () => {
    const runner = scriptedRunner(() => dump);
    const details = new AppDetails({ runner, clock: hurried(50), readLabels: async () => new Map() });
    await details.add([app], never);
    await details.add([app], never);
    expect(runner.asked).toHaveLength(1);
    await details.add([{ ...app, versionCode: 2 }], never);
    expect(runner.asked).toHaveLength(2);
  });

  test("stay as they were told of this version, and are asked for anew with another", async () => {
    const runner = scriptedRunner(() => dump);
    let reads = 0;
    const readLabels = async () => new Map([["com.a", `Alpha ${++reads}`]]);
    const details = new AppDetails({ runner, clock: hurried(50), readLabels });
    const named = async (versionCode: number) => (await details.add([{ ...app, versionCode }], never))[0]?.label;
    expect([await named(1), await named(1), await named(2)]).toEqual(["Alpha 1", "Alpha 1", "Alpha 2"]);
  });

  test("that could not be read are asked for again after a while, not each time", async () => {
    const time = createManualClock();
    let reads = 0;
    const readLabels = async () => {
      if (++reads === 1) throw new Error("no scrcpy now");
      return new Map([["com.a", "Alpha"]]);
    };
    const readWrittenLabels = async () => new Map([["com.b", "Written"]]);
    const runner = scriptedRunner(() => dump);
    const details = new AppDetails({ runner, clock: time, readLabels, readWrittenLabels });
    const two = [app, { ...app, packageName: "com.b" }];
    const named = async () => (await details.add(two, never)).map(({ label }) => label);
    expect(await named()).toEqual([null, "Written"]);
    expect(await named()).toEqual([null, "Written"]);
    expect(reads).toBe(1);
    await time.advance(5 * 60_000);
    expect(await named()).toEqual(["Alpha", "Written"]);
    expect(reads).toBe(2);
  });

  test("are null where the phone cannot tell them", async () => {
    const runner = scriptedRunner(() => Promise.reject(new Error("no")));
    const details = new AppDetails({
      runner,
      clock: hurried(50),
      readLabels: () => Promise.reject(new Error("no scrcpy")),
    });
    expect(await details.add([app], never)).toEqual([app]);
  });
});

describe("a simulated phone", () => {
  test("tells the version and the name of its apps", async () => {
    const { device, sim } = await rig.device("direct");
    const maps = async () =>
      (await device.listApps("user", never)).find((one) => one.packageName === "app.farhand.maps");
    expect(await maps()).toMatchObject({ version: "11.3", label: "Maps", system: false });
    expect(sim.files.exists("/data/local/tmp/farhand-scrcpy-list.jar")).toBe(false);
  });

  test("that does not run the helper tells versions, and the names that it has in writing", async () => {
    const { device } = await rig.device("direct", { quirks: { noScrcpy: true } });
    const apps = await device.listApps("user", never);
    const named = apps.filter(({ label }) => label !== null).map(({ packageName, label }) => [packageName, label]);
    expect(named).toEqual([["app.farhand.bank", "Harbor Bank"]]);
    expect(apps.find((one) => one.packageName === "app.farhand.maps")).toMatchObject({ version: "11.3", label: null });
  });

  test("opens the first of several symbols and names the rest", async () => {
    const { device } = await rig.device("direct", { quirks: { secondLauncher: true } });
    expect(await device.startApp("app.farhand.notes", never)).toMatchObject({
      activity: "app.farhand.notes.MainActivity",
      otherLaunchers: ["app.farhand.notes.ListsActivity"],
    });
    expect(await device.startApp("app.farhand.chat", never)).not.toHaveProperty("otherLaunchers");
  });
});

test("an app for televisions is opened by the symbol that it has there", async () => {
  const front = "    topResumedActivity=ActivityRecord{1f u0 com.tv/.TvMain t1}\n";
  const phone = scriptedRunner((command) => {
    if (command.startsWith("cmd package"))
      return command.includes("LEANBACK") ? "priority=0\ncom.tv/.TvMain\n" : "No activity found\n";
    return command.startsWith("dumpsys activity") ? front : "";
  });
  const apps = new Apps(phone, hurried(20));
  expect(await apps.start("com.tv", never)).toMatchObject({ packageName: "com.tv" });
  expect(phone.asked.filter((command) => command.startsWith("am start"))).toEqual([
    "am start --user 0 -n com.tv/com.tv.TvMain -a android.intent.action.MAIN -c android.intent.category.LEANBACK_LAUNCHER",
  ]);
});

test("an app that has neither is not there", async () => {
  const phone = scriptedRunner((command) => (command.startsWith("cmd package") ? "No activity found\n" : ""));
  expect(await codeOf(new Apps(phone, hurried(20)).start("com.none", never))).toBe("target_not_found");
  expect(phone.asked.some((command) => command.startsWith("am start"))).toBe(false);
});
