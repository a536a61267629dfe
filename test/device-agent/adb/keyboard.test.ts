import { expect, test } from "vitest";
import { parseKeyboard } from "../../../device-agent/adb/screen/keyboard.ts";

const block = (...lines: string[]) => `WINDOW MANAGER WINDOWS (dumpsys window windows)
  Window #8 Window{d035f22 u0 InputMethod}:
    mDisplayId=0 mSession=Session{38d43d5 4903:u0a10192} mClient=android.os.BinderProxy@2b264ed
    mAttrs={(0,0)(fillxfill) gr=BOTTOM CENTER_VERTICAL sim={adjust=pan} ty=INPUT_METHOD fmt=TRANSPARENT}
${lines.map((line) => `    ${line}\n`).join("")}`;

const shown = [
  "mViewVisibility=0x0 mHaveFrame=true mObscured=false",
  "mHasSurface=true isReadyForDisplay()=true mWindowRemovalAllowed=false",
  "Frames: parent=[0,128][1080,2400] display=[0,128][1080,2400] frame=[0,128][1080,2400] last=[0,128][1080,2400]",
];
const region = (rects: string) => [
  "mGivenContentInsets=[0,1250][0,0] mGivenVisibleInsets=[0,1250][0,0]",
  "mTouchableInsets=3 mGivenInsetsPending=false",
  `touchable region=SkRegion(${rects})`,
];

test("the keyboard is where it takes touches, not where its window is", () => {
  const text = block(...shown, ...region("(0,1378,1080,2400)"), "isOnScreen=true", "isVisible=true");
  expect(parseKeyboard(text, "")).toEqual([{ left: 0, top: 1378, right: 1080, bottom: 2400 }]);
});

test("a floating keyboard is told with all its parts", () => {
  const text = block(...shown, ...region("(336,1900,744,2298)(500,2298,600,2424)"));
  expect(parseKeyboard(text, "")).toEqual([
    { left: 336, top: 1900, right: 744, bottom: 2298 },
    { left: 500, top: 2298, right: 600, bottom: 2424 },
  ]);
});

test("a keyboard that has gone is not there although its window tells where it was", () => {
  for (const gone of [
    "mViewVisibility=0x8 mHaveFrame=true",
    "mHasSurface=false",
    "isOnScreen=false",
    "isVisible=false",
  ]) {
    expect(parseKeyboard(block(...shown, ...region("(0,1378,1080,2400)"), gone), "")).toEqual([]);
  }
  const insets = "        InsetsSource id=3 type=ime frame=[0,1398][1080,2220] visible=true flags= sideHint=BOTTOM\n";
  expect(parseKeyboard(block(...shown, ...region("(0,1378,1080,2400)"), "isVisible=false"), insets)).toEqual([]);
});

test("a window without a region of its own is its frame below the part that shows the app", () => {
  const text = block(
    "mViewVisibility=0x0",
    "mGivenContentInsets=[0,0][0,0] mGivenVisibleInsets=[0,460][0,0]",
    "mHasSurface=true",
    "mFrame=[0,50][720,1280] last=[0,50][720,1280]",
  );
  expect(parseKeyboard(text, "")).toEqual([{ left: 0, top: 510, right: 720, bottom: 1280 }]);
});

test("a phone that names no such window tells it by the insets", () => {
  const none = "Bad window command, or no windows match: InputMethod\nUse -h for help.\n";
  const newer =
    "        InsetsSource id=3 type=ime frame=[0,1440][1080,2424] visibleFrame=[0,1440][1080,2424] visible=true flags=\n";
  const older = "        InsetsSource type=ITYPE_IME frame=[0,1429][1080,2340] visible=true\n";
  const hidden = "        InsetsSource type=ITYPE_IME frame=[0,0][0,0] visibleFrame=[0,1532][720,1612] visible=false\n";
  expect(parseKeyboard(none, newer)).toEqual([{ left: 0, top: 1440, right: 1080, bottom: 2424 }]);
  expect(parseKeyboard(none, older)).toEqual([{ left: 0, top: 1429, right: 1080, bottom: 2340 }]);
  expect(parseKeyboard(none, hidden)).toEqual([]);
  expect(parseKeyboard(none, "")).toEqual([]);
});
