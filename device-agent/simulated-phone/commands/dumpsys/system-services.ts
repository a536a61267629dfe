import type { AppSpec } from "../../apps/app.ts";
import { HELPER_KEYBOARD } from "../../phone/input-methods.ts";
import { type Phone, SECOND_DISPLAY } from "../../phone/phone.ts";
import { KEYBOARD_COMPONENT } from "../../screen/window.ts";
import { activePanelId, displayIds } from "../screencap.ts";
import { tokenOf } from "./tokens.ts";

export function dumpPower({ screen, battery, profile }: Phone): string {
  const isAwake = screen.isAwake();
  const lit = screen.isPanelLit();
  return `POWER MANAGER (dumpsys power)

Power Manager State:
  Settings power_manager_constants:
    no_cached_wake_locks=true
  mDirty=0x0
  mWakefulness=${isAwake ? "Awake" : "Asleep"}
  mWakefulnessChanging=false
  mIsPowered=${battery.isUsbPowered}
  mPlugType=${battery.isUsbPowered ? 2 : 0}
  mBatteryLevel=${battery.level}
  mDockState=0
  mStayOn=false
  mProximityPositive=false
  mBootCompleted=true
  mSystemReady=true
  mHalAutoSuspendModeEnabled=${!isAwake}
  mHalInteractiveModeEnabled=${isAwake}
  mWakeLockSummary=0x0
  mLastWakeTime=2598544 (57079 ms ago)
  mLastSleepTime=2608544 (47079 ms ago)
  mHoldingWakeLockSuspendBlocker=false
  mHoldingDisplaySuspendBlocker=${lit}

Settings and Configuration:
  mDecoupleHalAutoSuspendModeFromDisplayConfig=true
  mScreenOffTimeoutSetting=60000
  mScreenBrightnessModeSetting=1

Display Group User Activity:
  mWakefulness=${isAwake ? "WAKEFULNESS_AWAKE" : "WAKEFULNESS_ASLEEP"}
${profile.sdk < 31 ? `Display Power: state=${lit ? "ON" : "OFF"}\n` : "Display Power: com.android.server.power.PowerManagerService$1@7306ed6\n"}`;
}

export function dumpBattery({ battery, profile }: Phone): string {
  const log = profile.quirks.batteryLog ? samsungLog(battery.level) : "";
  return `Current Battery Service state:
  AC powered: false
  USB powered: ${battery.isUsbPowered}
  Wireless powered: false
  Dock powered: false
  Max charging current: 500000
  Max charging voltage: 5000000
  Charge counter: ${battery.level * 32_700}
  status: ${battery.isUsbPowered ? (battery.level >= 100 ? 5 : 2) : 3}
  health: 2
  present: true
  level: ${battery.level}
  scale: 100
  voltage: 4152
  temperature: ${battery.temperature}
  technology: Li-ion
${log}`;
}

/** One UI tells more, and repeats the keys in a log of events. */
function samsungLog(level: number): string {
  const events = Array.from(
    { length: 40 },
    (_, index) =>
      `[2024-03-05 0${index % 10}:1${index % 6}:00] level:${(level + index) % 100}, temperature:${300 + index}, status:${(index % 4) + 1}, scale:100\nlevel: ${(level + index) % 100}\n`,
  );
  return `  mSecPlugTypeSummary: 0
  LED Charging: true
  batteryMiscEvent: 0
  mSavedBatteryAsoc: 100
  mSavedBatteryMaxTemp: 412
  FEATURE_WIRELESS_FAST_CHARGER_CONTROL: true
  PMS DIRECT CONTROL:
${events.join("")}`;
}

export function dumpInputMethod(phone: Phone): string {
  const { screen, inputMethods } = phone;
  const bound = inputMethods.bound();
  const isShown = screen.isKeyboardShown() && (bound === KEYBOARD_COMPONENT || bound === HELPER_KEYBOARD);
  const focused = screen.focusedWindow();
  const field = screen.focusedField();
  return `Current Input Method Manager state:
  Input Methods: mMethodMapUpdateCount=2
  InputMethod #0:
    mId=${KEYBOARD_COMPONENT} mSettingsActivityName=com.google.android.apps.inputmethod.libs.latin5.LatinSettings mIsVrOnly=false
  mCurMethodId=${inputMethods.current()}
  mCurClient=ClientState{${tokenOf("client")} uid=10186 pid=4300 displayId=0} mCurSeq=12
  mFocusedWindowPerceptible={}
  mCurFocusedWindow=${focused ? `Window{${tokenOf(focused.window.title + phone.bootedAt)} u${phone.user} ${focused.window.title}}` : "null"} softInputMode=STATE_UNSPECIFIED|ADJUST_RESIZE
  mCurId=${bound ?? "null"} mHaveConnection=${bound !== undefined} mBoundToMethod=${bound !== undefined} mVisibleBound=${isShown}
  mCurToken=android.os.Binder@${tokenOf("ime")}
  mCurTokenDisplayId=0
  mShowRequested=${isShown} mShowExplicitlyRequested=${isShown} mShowForced=false mInputShown=${isShown}
  mInBackground=false mIsInteractive=${screen.isAwake()}
  mServedView=${field ? "android.widget.EditText" : "null"}
  mInputShown=${isShown} mIsInputViewShown=${isShown}
  mDecorViewVisible=${isShown} mWindowVisible=${isShown}
  mServedInputConnection=${field ? "android.view.inputmethod.RemoteInputConnectionImpl@1f" : "null"}
`;
}

export function dumpDisplay(phone: Phone): string {
  const { display } = phone.screen;
  const { width, height, density } = display.physical;
  const state = phone.screen.isPanelLit() ? "ON" : "OFF";
  const info = (id: number, name: string, uniqueId: string, w: number, h: number, rotation: number) =>
    `    mBaseDisplayInfo=DisplayInfo{"${name}", displayId ${id}, displayGroupId 0, FLAG_SECURE, FLAG_SUPPORTS_PROTECTED_BUFFERS, FLAG_TRUSTED, real ${w} x ${h}, largest app ${w} x ${h}, smallest app ${w} x ${h}, appVsyncOff 1000000, presDeadline 16666666, mode 1, defaultMode 1, rotation ${rotation}, state ${state}, type INTERNAL, uniqueId "${uniqueId}", app ${w} x ${h}, density ${density} (${density}.0 x ${density}.0) dpi, layerStack ${id}, colorMode 0}
`;
  const override = `    mOverrideDisplayInfo=DisplayInfo{"Built-in Screen", displayId 0, displayGroupId 0, FLAG_SECURE, FLAG_TRUSTED, real ${display.width()} x ${display.height()}, largest app ${display.width()} x ${display.height()}, smallest app ${display.width()} x ${display.height()}, appVsyncOff 1000000, rotation ${display.rotation()}, state ${state}, type INTERNAL, uniqueId "local:${activePanelId(phone)}", app ${display.width()} x ${display.height()}, density ${display.density()} (${density}.0 x ${density}.0) dpi, layerStack 0}
`;
  const ids = displayIds(phone);
  const other = phone.second?.screen.display;
  const id = SECOND_DISPLAY;
  const second = other
    ? `  Display ${id}:\n    mDisplayId=${id}\n${info(id, "Cover Screen", `local:${ids[1]}`, other.physical.width, other.physical.height, other.rotation())}`
    : "";
  const viewport = other
    ? `, DisplayViewport{type=INTERNAL, valid=true, isActive=${state === "ON"}, displayId=${id}, uniqueId='local:${ids[1]}', physicalPort=1, orientation=${other.rotation()}, logicalFrame=Rect(0, 0 - ${other.width()}, ${other.height()}), physicalFrame=Rect(0, 0 - ${other.physical.width}, ${other.physical.height}), deviceWidth=${other.physical.width}, deviceHeight=${other.physical.height}}`
    : "";
  return `DISPLAY MANAGER (dumpsys display)
  mSafeMode=false
  mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=${state === "ON"}, displayId=0, uniqueId='local:${activePanelId(phone)}', physicalPort=${phone.screen.display.isFolded ? 1 : 0}, orientation=${display.rotation()}, logicalFrame=Rect(0, 0 - ${display.width()}, ${display.height()}), physicalFrame=Rect(0, 0 - ${width}, ${height}), deviceWidth=${width}, deviceHeight=${height}}${viewport}]

Display States: size=1
  Display Id=0
  Display State=${state}
  Display Brightness=0.5

Logical Displays: size=${second === "" ? 1 : 2}
  Display 0:
    mDisplayId=0
    mPrimaryDisplayDevice=Built-in Screen
${info(0, "Built-in Screen", `local:${activePanelId(phone)}`, width, height, 0)}${override}${second}
Display Power Controller Locked State:
  mScreenState=${state}
  mUserRotation=${display.rotation()}
`;
}

export function dumpSurfaceFlinger(phone: Phone, args: readonly string[]): string {
  const names = ["Built-in Screen", "Cover Screen"];
  const { panels } = phone.screen.display;
  const sizeOf = (index: number) => (panels[index] ? `${panels[index].width}x${panels[index].height}` : "720x748");
  const isLit = (id: string) => phone.screen.isPanelLit() && (panels.length === 1 || id === activePanelId(phone));
  if (args[0] === "--display-id")
    return displayIds(phone)
      .map(
        (id, index) => `Display ${id} (HWC display ${index}): port=${index} pnpId=GGL displayName="${names[index]}"\n`,
      )
      .join("");
  if (args[0] === "--displays")
    return displayIds(phone)
      .map(
        (id, index) => `Display ${id} (internal, ${index === 0 ? "primary, " : ""}"${names[index]}")
   powerMode=${isLit(id) ? "On" : "Off"}
   activeMode={fps=60.00 Hz, resolution=${sizeOf(index)}}
   displayModes=
      {id=0, hwcId=0, resolution=${sizeOf(index)}, refreshRate=60.00 Hz, dpi=411.89x409.43, group=0}
`,
      )
      .join("\n");
  const layers = [...phone.screen.windows()]
    .reverse()
    .map(
      ({ window }) =>
        `+ Layer (${tokenOf(window.title)} ${window.title}#${window.title.length})${window.isSecure ? " isSecure=true" : ""}\n`,
    );
  return `Build configuration: [sf PRESENT_TIME_OFFSET=0 FORCE_HWC_FOR_RBG_TO_YUV=1 MAX_VIRT_DISPLAY_DIM=4096]\n\nVisible layers (count = ${layers.length})\n${layers.join("")}`;
}

export function dumpNotification({ screen }: Phone): string {
  const records = screen.shade.notifications().map(
    (
      entry,
    ) => `    NotificationRecord(0x${tokenOf(entry.title + entry.postedAt)}: pkg=${entry.packageName} user=UserHandle{0} id=1 tag=null importance=3 key=0|${entry.packageName}|1|null|10210: Notification(channel=default shortcut=null contentView=null vibrate=null sound=null defaults=0x0 flags=0x10 color=0x00000000 vis=PRIVATE))
      uid=10210 userId=0
      opPkg=${entry.packageName}
      flags=AUTO_CANCEL
      key=0|${entry.packageName}|1|null|10210
      when=${entry.postedAt}/${entry.postedAt}
      extras={
          android.title=String (${entry.title})
          android.text=String (${entry.text})
          android.appInfo=ApplicationInfo (ApplicationInfo{${tokenOf(entry.packageName)} ${entry.packageName}})
      }
`,
  );
  return `Current Notification Manager state:\n  Notification List:\n${records.join("")}\n  mArchive=Archive (0 notifications)\n`;
}

export function dumpPackage(phone: Phone, args: readonly string[]): string {
  const name = args.find((argument) => !argument.startsWith("-")) ?? "";
  // A section of the dump instead of a package.
  if (name === "packages") {
    const all = phone.screen.tasks.installed().map((spec) => packageEntry(phone, spec));
    return `Packages:\n${all.join("")}`;
  }
  const spec = phone.screen.tasks.find(name);
  if (!spec) return `Unable to find package: ${name}\n`;
  return `Activity Resolver Table:
  Non-Data Actions:
      android.intent.action.MAIN:
        ${tokenOf(spec.mainActivity)} ${spec.packageName}/${spec.mainActivity} filter ${tokenOf(`${spec.mainActivity}f`)}
          Action: "android.intent.action.MAIN"
          Category: "android.intent.category.LAUNCHER"

Packages:
${packageEntry(phone, spec)}`;
}

function packageEntry(phone: Phone, spec: AppSpec): string {
  const granted = [...phone.screen.permissionsOf(spec.packageName)]
    .map((permission) => `        ${permission}: granted=true\n`)
    .join("");
  return `  Package [${spec.packageName}] (${tokenOf(spec.packageName)}):
    userId=${spec.uid}
    appId=${spec.uid}
    pkg=Package{${tokenOf(`${spec.packageName}k`)} ${spec.packageName}}
    codePath=/data/app/~~${tokenOf(spec.packageName)}==/${spec.packageName}-1
    dataDir=/data/user/0/${spec.packageName}
    versionCode=${spec.versionCode} minSdk=26 targetSdk=34
    versionName=${spec.versionName}
    flags=[ ${spec.isSystem ? "SYSTEM " : ""}HAS_CODE ALLOW_CLEAR_USER_DATA ]
    timeStamp=2024-03-05 09:00:00
    firstInstallTime=2024-03-05 09:00:00
    lastUpdateTime=2024-03-05 09:00:00
    User 0: ceDataInode=${spec.uid} installed=true hidden=false suspended=false distractionFlags=0 stopped=false notLaunched=false enabled=0 instant=false virtual=false
      runtime permissions:
${granted}`;
}
