import { describe, expect, test } from "vitest";
import { parseForeground } from "../../../device-agent/adb/apps/foreground.ts";
import { capture, hasCaptures } from "./captures.ts";

test("sources that say null are passed over", () => {
  const windows =
    "  mCurrentFocus=null\n  mFocusedApp=null\n  mCurrentFocus=Window{e61 u10 com.example.mail/com.example.mail.Inbox}\n";
  expect(parseForeground(["", windows, ""])).toEqual({
    packageName: "com.example.mail",
    activity: "com.example.mail.Inbox",
    overlay: null,
  });
});

describe("several displays", () => {
  // As an emulator with a game on a display of its own prints it: only the display on top keeps its focused window.
  const block = (id: number, focus: string, app: string) =>
    `  Display: mDisplayId=${id} (organized)\n    mCurrentFocus=${focus}\n    mFocusedApp=${app}\n`;
  const launcher = "ActivityRecord{202723142 u0 app.lawnchair/.LawnchairLauncher t2}";
  const game = "ActivityRecord{14144584 u0 com.game/com.titan.GameApp t9}";
  const gameWindow = "Window{964a007 u0 com.game/com.titan.GameApp}";
  const mirror = block(3, "null", "null");
  const activities = "    topResumedActivity=ActivityRecord{14144584 u0 com.game/com.titan.GameApp t9}\n";

  test("tell each its own app, whichever has the focus", () => {
    const displays = mirror + block(0, "null", launcher) + block(2, gameWindow, game);
    expect(parseForeground([activities, "", displays])).toEqual({
      packageName: "app.lawnchair",
      activity: "app.lawnchair.LawnchairLauncher",
      overlay: null,
      elsewhere: ["com.game"],
    });
    expect(parseForeground([activities, "", displays], 2)).toEqual({
      packageName: "com.game",
      activity: "com.titan.GameApp",
      overlay: null,
      elsewhere: ["app.lawnchair"],
    });
  });

  test("are one for a phone whose others show nothing of their own", () => {
    const displays = mirror + block(0, gameWindow, game);
    expect(parseForeground([activities, "", displays])).toEqual({
      packageName: "com.game",
      activity: "com.titan.GameApp",
      overlay: null,
    });
  });

  test("leave the main one's app unknown rather than take another's", () => {
    const displays = block(0, "null", "null") + block(2, gameWindow, game);
    expect(parseForeground([activities, "", displays])).toMatchObject({ packageName: null, elsewhere: ["com.game"] });
  });
});

test("an open notification shade is named, and the app below stays known", () => {
  const activities = "  topResumedActivity=ActivityRecord{16812046 u0 com.example/.Main t4}\n";
  const windows = "  mCurrentFocus=Window{7a6 u0 NotificationShade}\n";
  expect(parseForeground([activities, windows, ""])).toEqual({
    packageName: "com.example",
    activity: "com.example.Main",
    overlay: "notification_shade",
  });
});

test("the shade with the keyguard on it is the keyguard", () => {
  const windows = "  mCurrentFocus=Window{7a6 u0 NotificationShade}\n  isKeyguardShowing=true\n";
  expect(parseForeground(["", windows, ""]).overlay).toBe("keyguard");
});

test("a question for a permission is named", () => {
  const activities =
    "topResumedActivity=ActivityRecord{1 u0 com.google.android.permissioncontroller/com.android.permissioncontroller.permission.ui.GrantPermissionsActivity t9}";
  expect(parseForeground([activities, "", ""]).overlay).toBe("permission_dialog");
});

test("a dialog about an app that hangs is named", () => {
  const windows = "mCurrentFocus=Window{7a6 u0 Application Not Responding: com.example}";
  expect(parseForeground(["", windows, ""]).overlay).toBe("not_responding");
});

test("nothing known is null, not a guess", () => {
  expect(parseForeground(["", "", ""])).toEqual({ packageName: null, activity: null, overlay: null });
});

describe.runIf(hasCaptures)("outputs of real phones", () => {
  const cases: [string, string | null, string | null][] = [
    [
      "activity-activities-android16-emulator",
      "com.google.android.apps.nexuslauncher",
      "com.google.android.apps.nexuslauncher.NexusLauncherActivity",
    ],
    ["activity-android5-resumed", "com.xtc.watch", "com.xtc.watch.view.home.activity.XtcHomeActivity"],
    [
      "activity-two-resumed-splitscreen",
      "com.android.settings",
      "com.android.settings.homepage.SettingsHomepageActivity",
    ],
    ["activity-top-lineage9", "com.android.launcher3", "com.android.launcher3.lineage.LineageLauncher"],
    ["activity-package-filter-miss", null, null],
    ["focus-android8-photos", "com.google.android.apps.photos", "com.google.android.apps.photos.home.HomeActivity"],
    ["focus-many-null-android4", "com.lookout.enterprise", null],
    ["window-android11-tv-kodi", "org.xbmc.kodi", "org.xbmc.kodi.Main"],
    ["window-policy-partial", null, null],
  ];

  test.each(cases)("%s: %s", (name, packageName, activity) => {
    const text = capture(`dumpsys/${name}.txt`);
    const asked = name.startsWith("activity") ? [text, "", ""] : ["", text, ""];
    expect(parseForeground(asked)).toMatchObject({ packageName, activity });
  });

  test("an Android 4 window without a user number is read", () => {
    const { packageName } = parseForeground(["", capture("dumpsys/window-sample-android4.txt"), ""]);
    expect(packageName).toMatch(/^[a-z]\w*(\.\w+)+$/);
  });
});
