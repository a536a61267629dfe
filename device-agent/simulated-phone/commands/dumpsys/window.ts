import { shortComponent } from "../../apps/app.ts";
import { type Phone, SECOND_DISPLAY } from "../../phone/phone.ts";
import { heightOf, type Rect, widthOf } from "../../screen/geometry.ts";
import type { PlacedWindow } from "../../screen/window.ts";
import { tokenOf } from "./tokens.ts";

/** `dumpsys window [displays|windows|policy|lastanr]`, in the layout of Android 14. */
export function dumpWindow(phone: Phone, args: readonly string[]): string {
  const section = args.find((argument) => !argument.startsWith("-")) ?? "all";
  const sections: Record<string, () => string> = {
    lastanr: () => "WINDOW MANAGER LAST ANR (dumpsys window lastanr)\n  <no ANR has occurred since boot>\n",
    policy: () => policy(phone),
    displays: () =>
      `WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n${eachDisplay(phone)
        .map(([shown, id]) => `${displays(shown, id)}${phone.profile.sdk < 29 ? "" : focus(shown, id)}`)
        .join("\n")}`,
    windows: () =>
      `WINDOW MANAGER WINDOWS (dumpsys window windows)\n${windows(phone)}${phone.profile.sdk < 29 ? focus(phone) : ""}`,
  };
  const one = { d: "displays", w: "windows", p: "policy", l: "lastanr" }[section] ?? section;
  const dump = Object.hasOwn(sections, one) ? sections[one] : undefined;
  if (dump) return dump();
  if (section !== "all" && section !== "a") return windowsNamed(phone, section);
  return ["lastanr", "policy", "displays", "windows"].map((name) => sections[name]?.() ?? "").join("\n");
}

/** The phone with one of its displays as its screen, the one beside the main one first, as phones list them. */
function eachDisplay(phone: Phone): [shown: Phone, id: number][] {
  const second = phone.second && { ...phone, screen: phone.second.screen };
  return [...(second ? [[second, SECOND_DISPLAY] as [Phone, number]] : []), [phone, 0]];
}

/** Any other word picks the windows whose titles hold it (WindowManagerService.dumpWindows). */
function windowsNamed(phone: Phone, word: string): string {
  const found = eachDisplay(phone).flatMap(([shown, id]) =>
    [...shown.screen.windows()]
      .reverse()
      .flatMap((placed) => (placed.window.title.includes(word) ? [{ shown, id, placed }] : [])),
  );
  if (found.length === 0) return `Bad window command, or no windows match: ${word}\nUse -h for help.\n`;
  const entries = found.map(({ shown, id, placed }, index) => windowEntry(shown, placed, index, id));
  return `WINDOW MANAGER WINDOWS (dumpsys window windows)\n${entries.join("\n")}\n`;
}

function windowName(phone: Phone, placed: PlacedWindow, id = 0): string {
  return `Window{${tokenOf(`${placed.window.title}${phone.bootedAt}${id || ""}`)} u${phone.user} ${placed.window.title}}`;
}

export function activityRecord(phone: Phone, packageName: string, activity: string, taskId: number): string {
  return `ActivityRecord{${tokenOf(packageName + activity + phone.bootedAt)} u${phone.user} ${shortComponent(packageName, activity)} t${taskId}}`;
}

/**
 * The two lines that everything looks for. A covering shade has the focus; the app stays the focused app. Only the
 * display that was used last has a focused window.
 */
export function focus(phone: Phone, id = 0): string {
  const { screen } = phone;
  const focused = screen.focusedWindow();
  const task = screen.tasks.foreground();
  const record = activityRecord(phone, task.spec.packageName, task.app.activity(), task.id);
  const app =
    phone.profile.sdk < 29
      ? `AppWindowToken{${tokenOf(record)} token=Token{${tokenOf(`${record}t`)} ${record}}}`
      : record;
  const isShown = focused && (screen.isAwake() || screen.keyguard.isShowing());
  const window = isShown && phone.focus.display === id ? windowName(phone, focused, id) : "null";
  const target =
    screen.isKeyboardShown() && focused ? `  imeInputTarget in display# ${id} ${windowName(phone, focused, id)}\n` : "";
  const other = phone.profile.quirks.nullFocus ? "  mCurrentFocus=null\n  mFocusedApp=null\n" : "";
  return `${other}  mCurrentFocus=${window}\n  mFocusedApp=${app}\n${target}`;
}

const rect = (area: Rect) => `[${area.left},${area.top}][${area.right},${area.bottom}]`;

function displays(phone: Phone, id: number): string {
  const { display } = phone.screen;
  const { width, height, density } = display.physical;
  const base = display.sizeOverride
    ? ` base=${display.sizeOverride.width}x${display.sizeOverride.height} ${display.density()}dpi`
    : "";
  const current = `${display.width()}x${display.height()}`;
  const { content } = display.insets();
  const isOld = phone.profile.sdk < 29;
  return `  Display: mDisplayId=${id}${isOld ? "" : " (organized)"}
    init=${width}x${height} ${density}dpi mMinSizeOfResizeableTaskDp=220${base} cur=${current} app=${widthOf(content)}x${heightOf(content)} rng=${Math.min(width, height)}x${Math.min(width, height)}-${Math.max(width, height)}x${Math.max(width, height)}
    deferred=false mLayoutNeeded=false
${isOld ? "" : displayRotation(phone)}${phone.profile.sdk < 30 ? "" : insets(phone)}`;
}

/** Where the keyboard is, for what makes room for it (InsetsStateController, from Android 11 on). */
function insets(phone: Phone): string {
  const { screen, profile } = phone;
  const keyboard = screen.windows().find(({ window }) => window.kind === "input-method");
  const frame = keyboard ? rect(keyboard.window.frame) : "[0,0][0,0]";
  const source =
    profile.sdk < 34
      ? `InsetsSource type=ITYPE_IME frame=${frame}${keyboard ? ` visibleFrame=${frame}` : ""} visible=${keyboard !== undefined}`
      : `InsetsSource id=3 type=ime frame=${frame}${keyboard ? ` visibleFrame=${frame}` : ""} visible=${keyboard !== undefined} flags= sideHint=BOTTOM`;
  return `  WindowInsetsStateController
    InsetsState
      mDisplayFrame=Rect(0, 0 - ${screen.display.width()}, ${screen.display.height()})
        ${source}
`;
}

/** Before Android 10 the orientation stood with the policy only. */
function displayRotation(phone: Phone): string {
  const { display } = phone.screen;
  return `    mCurrentRotation=ROTATION_${display.rotation() * 90}
  DisplayRotation
    mCurrentAppOrientation=SCREEN_ORIENTATION_UNSPECIFIED
    mLastOrientation=-1
    mRotation=${display.rotation()} mDeferredRotationPauseCount=0
    mLandscapeRotation=ROTATION_90 mSeascapeRotation=ROTATION_270
    mPortraitRotation=ROTATION_0 mUpsideDownRotation=ROTATION_180
    mUserRotationMode=${phone.settings.isOn("system", "accelerometer_rotation") ? "USER_ROTATION_FREE" : "USER_ROTATION_LOCKED"} mUserRotation=ROTATION_${Number(phone.settings.get("system", "user_rotation") ?? 0) * 90}
`;
}

const TYPES: Record<PlacedWindow["window"]["kind"], string> = {
  app: "BASE_APPLICATION",
  dialog: "APPLICATION",
  popup: "APPLICATION_PANEL",
  "input-method": "INPUT_METHOD",
  "navigation-bar": "NAVIGATION_BAR",
  "status-bar": "STATUS_BAR",
  toast: "TOAST",
  shade: "NOTIFICATION_SHADE",
};

function windows(phone: Phone): string {
  const { screen } = phone;
  const top = [...screen.windows()].reverse();
  const all = eachDisplay(phone).flatMap(([shown, id]) =>
    [...shown.screen.windows()].reverse().map((placed) => ({ shown, placed, id })),
  );
  const entries = all.map(({ shown, placed, id }, index) => windowEntry(shown, placed, index, id));
  const keyboard = top.find((placed) => placed.window.kind === "input-method");
  const target = screen.focusedWindow();
  const ime = keyboard && target ? `  mInputMethodTarget in display# 0 ${windowName(phone, target)}\n` : "";
  return `${entries.join("")}\n${ime}  mGlobalConfiguration={1.0 310mcc260mnc [${phone.profile.locale.replace("-", "_")}] ldltr sw411dp ${phone.screen.display.density()}dpi nrml long ${screen.display.isLandscape() ? "land" : "port"} finger -keyb/v/h -nav/h}\n  mHasPermanentDpad=false\n  mTopFocusedDisplayId=${phone.focus.display}\n`;
}

function windowEntry(phone: Phone, placed: PlacedWindow, index: number, id: number): string {
  const { window } = placed;
  const isDimmed = window.dimsBehind ? "DIM_BEHIND " : "";
  const secure = window.isSecure ? "SECURE " : "";
  const focusable = window.isFocusable ? "" : "NOT_FOCUSABLE ";
  const isApp = window.kind === "app" || window.kind === "dialog";
  const task = phone.screen.tasks.tasks().find((candidate) => candidate.spec.packageName === window.packageName);
  const uid = task?.spec.uid ?? 10_201;
  const record =
    task && isApp
      ? `    mActivityRecord=${activityRecord(phone, window.packageName, task.app.activity(), task.id)}\n`
      : "";
  return `  Window #${index} ${windowName(phone, placed, id)}:
    mDisplayId=${id}${task ? ` rootTaskId=${task.id}` : ""} mSession=Session{${tokenOf(window.packageName)} 1790:u0a${uid}} mClient=android.os.BinderProxy@${tokenOf(`${window.title}b`)}
    mOwnerUid=${uid} showForAllUsers=${!isApp} package=${window.packageName} appop=NONE
    mAttrs={(0,0)(${window.kind === "app" ? "fillxfill" : "wrapxwrap"}) sim={adjust=resize} layoutInDisplayCutoutMode=always ty=${TYPES[window.kind]} fmt=TRANSLUCENT
      fl=${isDimmed}${focusable}LAYOUT_IN_SCREEN ${secure}LAYOUT_INSET_DECOR SPLIT_TOUCH HARDWARE_ACCELERATED DRAWS_SYSTEM_BAR_BACKGROUNDS
      pfl=NO_MOVE_ANIMATION FIT_INSETS_CONTROLLED
      vsysui=LAYOUT_STABLE LAYOUT_HIDE_NAVIGATION LAYOUT_FULLSCREEN}
    Requested w=${widthOf(window.frame)} h=${heightOf(window.frame)} mLayoutSeq=298
    mBaseLayer=${21_000 + 10_000 * (phone.screen.windows().length - index)} mSubLayer=0    mToken=WindowToken{${tokenOf(`${window.title}t`)} type=${isApp ? 2 : 2000}}
${record}    mViewVisibility=0x0 mHaveFrame=true mObscured=false
${window.kind === "input-method" ? touchInsets(window.frame) : ""}    mHasSurface=true isReadyForDisplay()=true mWindowRemovalAllowed=false
    Frames: parent=${rect(phone.screen.display.bounds())} display=${rect(phone.screen.display.bounds())} frame=${rect(window.frame)} last=${rect(window.frame)} insetsChanged=false
    WindowStateAnimator{${tokenOf(`${window.title}a`)} ${window.title}}:
      Surface: shown=true layer=0 alpha=1.0
      mDrawState=HAS_DRAWN       mLastHidden=false
    isOnScreen=true
    isVisible=true
`;
}

/** What an input method says of the part of its window that takes touches. */
function touchInsets(frame: Rect): string {
  const region = [frame.left, frame.top, frame.right, frame.bottom].map(Math.round).join(",");
  return `    mGivenContentInsets=[0,0][0,0] mGivenVisibleInsets=[0,0][0,0]
    mTouchableInsets=3 mGivenInsetsPending=false
    touchable region=SkRegion((${region}))
`;
}

/** The part with the keyguard and the screen state. */
function policy(phone: Phone): string {
  const { screen } = phone;
  const isShowing = screen.keyguard.isShowing();
  const isAwake = screen.isAwake();
  const old =
    phone.profile.sdk < 29
      ? `    mShowingLockscreen=${isShowing} mShowingDream=false mDreamingLockscreen=${isShowing} mTopIsFullscreen=false\n`
      : "";
  const listener =
    phone.profile.sdk < 29
      ? `    WindowOrientationListener\n      mEnabled=true\n      mCurrentRotation=${phone.profile.sdk < 28 ? screen.display.rotation() : `ROTATION_${screen.display.rotation() * 90}`}\n      mSensorType=null\n`
      : "";
  return `WINDOW MANAGER POLICY STATE (dumpsys window policy)
    mSafeMode=false mSystemReady=true mSystemBooted=true
    mCameraLensCoverState=CAMERA_LENS_UNCOVERED
    mWakeGestureEnabledSetting=true
    mUiMode=UI_MODE_TYPE_NORMAL mEnableCarDockHomeCapture=true
    mLidKeyboardAccessibility=0 mLidNavigationAccessibility=0 getLidBehavior=LID_BEHAVIOR_NONE
    mLongPressOnBackBehavior=LONG_PRESS_BACK_NOTHING
    mLongPressOnPowerBehavior=LONG_PRESS_POWER_GLOBAL_ACTIONS
    mPendingMetaAction=false
    mKeyguardOccluded=false
    mHasFeatureLeanback=${phone.profile.isTelevision} mHasFeatureAuto=false mHasFeatureHdmiCec=false
${old}    mAwake=${isAwake} mScreenOnEarly=${isAwake} mScreenOnFully=${isAwake}
    mKeyguardDrawComplete=${isAwake} mWindowManagerDrawComplete=${isAwake}
    KeyguardServiceDelegate
      showing=${isShowing}
      inputRestricted=${isShowing && screen.keyguard.isSecure()}
      occluded=false
      secure=${screen.keyguard.isSecure()}
      dreaming=false
      systemIsReady=true
      deviceHasKeyguard=true
      enabled=true
      offReason=OFF_BECAUSE_OF_USER
      currentUser=-10000
      bootCompleted=true
      screenState=${isAwake ? "SCREEN_STATE_ON" : "SCREEN_STATE_OFF"}
      interactiveState=${isAwake ? "INTERACTIVE_STATE_AWAKE" : "INTERACTIVE_STATE_SLEEP"}
      KeyguardStateMonitor
        mIsShowing=${isShowing}
        mSimSecure=false
        mInputRestricted=${isShowing && screen.keyguard.isSecure()}
        mCurrentUserId=${phone.user}
${listener}`;
}
