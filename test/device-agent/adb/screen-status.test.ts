import { describe, expect, test } from "vitest";
import { parseDefaultPanel, parsePanel, parsePhysicalDisplays } from "../../../device-agent/adb/screen/displays.ts";
import {
  parseAwake,
  parseKeyguardShowing,
  parseRotation,
  parseStatus,
  parseWmSize,
} from "../../../device-agent/adb/screen/screen-status.ts";
import { isFocusedWindowSecure } from "../../../device-agent/adb/screen/secure-window.ts";
import { capture, hasCaptures } from "./captures.ts";

const awake = "  mWakefulness=Awake\n";

test("the size in force is the space of coordinates, turned with the phone", () => {
  const size = "Physical size: 1440x3200\nOverride size: 1080x2400\n";
  const turned = (rotation: string) => parseStatus([awake, rotation, "", size]);
  expect(turned("mRotation=0")).toMatchObject({ size: { width: 1080, height: 2400 }, rotation: 0 });
  expect(turned("mRotation=1")).toMatchObject({ size: { width: 2400, height: 1080 }, rotation: 1 });
  expect(turned("mCurrentRotation=ROTATION_180")).toMatchObject({ size: { width: 1080, height: 2400 }, rotation: 2 });
  expect(turned("    mRotation=ROTATION_270")).toMatchObject({ size: { width: 2400, height: 1080 }, rotation: 3 });
});

test("a television that lies by nature is not turned", () => {
  const displays = "    init=1920x1080 320dpi cur=1920x1080 app=1920x1080\n mRotation=0\n";
  expect(parseStatus([awake, displays, ""])).toMatchObject({ size: { width: 1920, height: 1080 }, rotation: 0 });
});

test("of several displays the default one counts, wherever it stands", () => {
  const displays =
    "  Display: mDisplayId=2\n    init=800x600 cur=800x600\n    mRotation=3\n  Display: mDisplayId=0\n    init=1080x2400 cur=2400x1080\n    overrideConfig={winConfig={ mRotation=ROTATION_180}}\n    mRotation=1 mDeferredRotationPauseCount=0\n";
  expect(parseStatus([awake, displays, ""])).toMatchObject({ size: { width: 2400, height: 1080 }, rotation: 1 });
});

test("a keyguard without a secret is locked and not secure", () => {
  const policy = "    KeyguardServiceDelegate\n      showing=true\n      occluded=false\n      secure=false\n";
  expect(parseStatus([awake, "cur=1x2", policy])).toMatchObject({ locked: true, secureLock: false });
  const secure = policy.replace("secure=false", "secure=true");
  expect(parseStatus([awake, "cur=1x2", secure])).toMatchObject({ locked: true, secureLock: true });
});

test("names of Java objects say nothing about the screen", () => {
  expect(
    parseAwake(
      "Display Power: com.android.server.power.PowerManagerService$1@7306ed6 state=OFF\n  mWakefulness=Awake\n",
    ),
  ).toBe(true);
  expect(parseAwake("  mWakefulnessChanging=false\n  mWakefulness=Asleep\n")).toBe(false);
  expect(parseAwake("  mWakefulness=Dozing\n")).toBe(false);
});

test("a phone that does not tell the size of its screen has no state", () => {
  expect(parseStatus(["", "", "", ""])).toBeUndefined();
});

test("the panel that shows the main display is found", () => {
  const list =
    'Display 4630946219955703955 (HWC display 1): port=1 pnpId=X displayName=""\nDisplay 4630946219955703954 (HWC display 0): port=0 pnpId=Y displayName=""\n';
  expect(parsePhysicalDisplays(list)).toEqual([
    { id: "4630946219955703955", hwc: 1 },
    { id: "4630946219955703954", hwc: 0 },
  ]);
  const viewports =
    "mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=false, displayId=0, uniqueId='local:1'}, DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, uniqueId='local:4630946219955703955', orientation=0}, DisplayViewport{type=EXTERNAL, valid=true, isActive=true, displayId=2, uniqueId='local:9'}]";
  expect(parseDefaultPanel(viewports)).toBe("4630946219955703955");
});

describe("the panel of a logical display", () => {
  // The form of a car's emulator with Android 14: a number of its own for each, and memory without a panel.
  const viewport = (id: number, uniqueId: string, more = "valid=true, isActive=true") =>
    `DisplayViewport{type=EXTERNAL, ${more}, displayId=${id}, uniqueId='${uniqueId}', physicalPort=1, orientation=0, logicalFrame=Rect(0, 0 - 400, 600), physicalFrame=Rect(0, 0 - 400, 600), deviceWidth=400, deviceHeight=600}`;
  const dump = (...viewports: string[]) => `  mViewports=[${viewports.join(", ")}]\n`;
  const main = viewport(0, "local:4619827259835644672");

  test("is named by its viewport", () => {
    const text = dump(main, viewport(2, "local:4619827551948147201"), viewport(23, "local:7"));
    expect(parsePanel(text, 0)).toEqual({ kind: "panel", id: "4619827259835644672" });
    expect(parsePanel(text, 2)).toEqual({ kind: "panel", id: "4619827551948147201" });
    expect(parsePanel(text, 3)).toBeUndefined();
  });

  test("is none where an app draws into memory", () => {
    const text = dump(main, viewport(5, "virtual:com.android.systemui:DistantDisplay-RootViewSurface"));
    expect(parsePanel(text, 5)).toEqual({ kind: "virtual" });
  });

  test("is off, or is the one that has taken over", () => {
    const off = viewport(2, "local:8", "valid=true, isActive=false");
    expect(parsePanel(dump(main, off), 2)).toEqual({ kind: "off" });
    expect(parsePanel(dump(main, off, viewport(2, "local:9")), 2)).toEqual({ kind: "panel", id: "9" });
    expect(parsePanel(dump(main, viewport(2, "local:8", "valid=false, isActive=true")), 2)).toBeUndefined();
  });

  test("is told by the display's own entry where there is no viewport, stray quotes or not", () => {
    const entry = (quote: string) =>
      `    mBaseDisplayInfo=DisplayInfo{"HDMI Screen", displayId 2${quote}, displayGroupId 0, FLAG_SECURE, real 400 x 600, modes [{id=2, width=400, height=600, fps=160.0, alternativeRefreshRates=[]}], rotation 0, state ON, type EXTERNAL, uniqueId "local:4619827551948147201", app 400 x 600}\n`;
    for (const quote of ["", '"']) {
      expect(parsePanel(dump(main) + entry(quote), 2)).toEqual({ kind: "panel", id: "4619827551948147201" });
      expect(parsePanel(dump(main) + entry(quote), 22)).toBeUndefined();
    }
  });
});

describe("windows of several displays", () => {
  const window = (hash: string, display: number, flags: string) =>
    `  Window #1 Window{${hash} u0 com.a/com.a.Main}:\n    mDisplayId=${display} rootTaskId=3\n    mAttrs={(0,0)(fillxfill) ty=BASE_APPLICATION fmt=OPAQUE\n      fl=${flags}\n      pfl=FORCE_DRAW}\n`;
  const both = window("aa11", 2, "SECURE SPLIT_TOUCH") + window("bb22", 0, "SPLIT_TOUCH");

  test("forbid pictures of their own display only, whichever has the focus", () => {
    for (const focused of ["aa11", "bb22"]) {
      const text = `${both}  mCurrentFocus=Window{${focused} u0 com.a/com.a.Main}\n`;
      expect([isFocusedWindowSecure(text, 2), isFocusedWindowSecure(text)]).toEqual([true, false]);
    }
  });
});

test("only the flags of the focused window say that pictures are forbidden", () => {
  const window = (hash: string, flags: string) =>
    `  Window #1 Window{${hash} u0 com.bank/com.bank.Main}:\n    mAttrs={(0,0)(fillxfill) ty=BASE_APPLICATION fmt=OPAQUE\n      fl=${flags}\n      pfl=FORCE_DRAW}\n`;
  const focus = "  mCurrentFocus=Window{aa11 u0 com.bank/com.bank.Main}\n";
  expect(isFocusedWindowSecure(window("aa11", "LAYOUT_IN_SCREEN SECURE SPLIT_TOUCH") + focus)).toBe(true);
  expect(isFocusedWindowSecure(window("aa11", "LAYOUT_IN_SCREEN SPLIT_TOUCH") + focus)).toBe(false);
  expect(isFocusedWindowSecure(window("bb22", "LAYOUT_IN_SCREEN SECURE") + window("aa11", "SPLIT_TOUCH") + focus)).toBe(
    false,
  );
  expect(isFocusedWindowSecure(window("aa11", "#81812120") + focus)).toBe(true);
  expect(isFocusedWindowSecure(window("aa11", "#81810120") + focus)).toBe(false);
});

describe.runIf(hasCaptures)("outputs of real phones", () => {
  const dumpsys = (name: string) => capture(`dumpsys/${name}.txt`);

  test("sleeping and waking phones are told apart", () => {
    expect(parseAwake(dumpsys("power-asleep-android12"))).toBe(false);
    expect(parseAwake(dumpsys("power-awake-samsung7"))).toBe(true);
    expect(parseAwake(dumpsys("power-android44"))).toBe(true);
  });

  test("keyguards are recognised on old and new phones", () => {
    expect(parseKeyguardShowing(dumpsys("keyguard-screen-off"))).toBe(false);
    expect(parseKeyguardShowing(dumpsys("keyguard-screen-on"))).toBe(false);
    expect(parseKeyguardShowing(dumpsys("keyguard-old-flags"))).toBe(true);
    expect(parseKeyguardShowing(dumpsys("activity-activities-android16-emulator"))).toBe(false);
  });

  test("sizes and rotation are read", () => {
    expect(parseWmSize(capture("misc/wm-size-override.txt"))).toEqual({
      physical: { width: 1440, height: 3200 },
      override: { width: 1080, height: 2400 },
    });
    expect(parseWmSize(capture("misc/wm-size-samsung-s24.txt"))).toEqual({
      physical: { width: 1440, height: 3120 },
      override: null,
    });
    expect(parseRotation(dumpsys("activity-activities-android16-emulator"))).toBe(0);
    expect(parsePhysicalDisplays(dumpsys("surfaceflinger-android14-head"))).toEqual([
      { id: "4619827259835644672", hwc: 0 },
    ]);
  });

  test("no window of these phones is taken for a secret one", () => {
    expect(isFocusedWindowSecure(dumpsys("window-windows-android16-emulator"))).toBe(false);
    expect(isFocusedWindowSecure(dumpsys("window-systembars-anr-android11"))).toBe(false);
  });
});
