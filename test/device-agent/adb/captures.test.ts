import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseForeground } from "../../../device-agent/adb/apps/foreground.ts";
import { parsePackageList } from "../../../device-agent/adb/apps/installed-apps.ts";
import { commandFailure } from "../../../device-agent/adb/errors.ts";
import { parseDefaultPanel, parsePhysicalDisplays } from "../../../device-agent/adb/screen/displays.ts";
import { parseKeyboard } from "../../../device-agent/adb/screen/keyboard.ts";
import { parseAwake, parseCurrentSize, parseRotation } from "../../../device-agent/adb/screen/screen-status.ts";
import { dumpFailure } from "../../../device-agent/adb/tree/dump-failure.ts";
import { parseDump } from "../../../device-agent/adb/tree/parse-dump.ts";
import { readRawFrame } from "../../../device-agent/pictures/raw-frame.ts";
import type { UiNode, UiTree } from "../../../shared/device.ts";
import { elementsOf } from "../../../shared/screen/elements.ts";
import { findText } from "../../../shared/screen/match.ts";
import { capture, captureBytes, captureNames, hasCaptures } from "./captures.ts";

const folders = ["ui", "constructed", "dumpsys", "misc", "failures", "framebuffer"];

test("a folder of recorded outputs that was named is there", () => {
  if (process.env.FARHAND_CAPTURES !== undefined) expect(hasCaptures).toBe(true);
});

function treeOf(name: string): UiTree {
  const parsed = parseDump(capture(name));
  if (!parsed.ok) throw new Error(parsed.reason);
  return { size: { width: 1080, height: 2400 }, rotation: parsed.rotation, nodes: parsed.nodes };
}
const nodesOf = (name: string) => treeOf(`ui/${name}`).nodes;
const textsOf = (nodes: UiNode[]) => nodes.flatMap(({ text, description }) => [text, description]).filter(Boolean);
const packagesOf = (name: string) => [...new Set(nodesOf(name).map(({ packageName }) => packageName))];
const dumpsys = (name: string) => capture(`dumpsys/${name}.txt`);
const inWindows = (name: string) => parseForeground(["", dumpsys(name), ""]);
const afterDump = (name: string) => dumpFailure(capture(`failures/${name}.txt`), "", parseDump("")).code;

const trees: [title: string, answer: () => unknown, expected: unknown][] = [
  ["androidtv-philo: a wide screen that is not turned", () => treeOf("ui/androidtv-philo.xml").rotation, 0],
  ["androidtv-philo: bounds of the wide screen", () => nodesOf("androidtv-philo.xml")[0]?.bounds.right, 1920],
  ["androidtv-philo: an escaped ampersand", () => textsOf(nodesOf("androidtv-philo.xml")).includes("A&E"), true],
  [
    "api16-pretty: attributes that are missing have defaults",
    () => nodesOf("api16-pretty.xml").every(({ resourceId, enabled }) => resourceId === "" && enabled),
    true,
  ],
  ["api17-chinese", () => textsOf(nodesOf("api17-chinese.xml")).includes("语言"), true],
  ["api27-settings", () => nodesOf("api27-settings.xml").filter(({ resourceId }) => resourceId).length, 18],
  [
    "automotive-ko-dialog: line breaks and a greater-than sign",
    () => textsOf(nodesOf("automotive-ko-dialog.xml")).filter((text) => /[>\n]/.test(text)),
    [
      "디지털 키를 발급받지 않으면 아래 기능을 사용할 수\n없습니다. 그래도 건너뛰시겠어요?",
      "이후 [차량 설정 > 프로필 > 디지털 키 발급]에서 다시 설정할 수\n있어요.",
    ],
  ],
  [
    "chrome-webview: the page is one subtree",
    () => nodesOf("chrome-webview.xml").filter(({ className }) => className === "android.webkit.WebView").length,
    1,
  ],
  ["compose-history-list", () => nodesOf("compose-history-list.xml").filter(({ text }) => text).length, 23],
  ["douyin-share: one text stands in several places", () => findText(treeOf("ui/douyin-share.xml"), "关注").length, 8],
  [
    "ebay-signin-password",
    () => nodesOf("ebay-signin-password.xml").flatMap((node) => (node.password ? [node.resourceId] : [])),
    ["com.ebay.mobile:id/sign_in_password_entry"],
  ],
  [
    "es-popup-newlines",
    () =>
      textsOf(nodesOf("es-popup-newlines.xml")).filter((text) => text.startsWith("What's new?\n1)Home page")).length,
    1,
  ],
  [
    "flutter-semantics: labels in the description only",
    () => nodesOf("flutter-semantics.xml").every(({ text }) => text === ""),
    true,
  ],
  [
    "huawei-calendar",
    () => nodesOf("huawei-calendar.xml").flatMap((node) => (node.editable ? [node.text] : [])),
    ["标题"],
  ],
  [
    "indeed-webview-list: entities in a page",
    () => textsOf(nodesOf("indeed-webview-list.xml")).some((text) => text.includes("Johnson & Johnson - New York")),
    true,
  ],
  [
    "keyguard-pt-2018: whose windows",
    () => packagesOf("keyguard-pt-2018.xml"),
    ["com.android.systemui", "com.android.phone"],
  ],
  [
    "keyguard-pt-2018: what it says",
    () => textsOf(nodesOf("keyguard-pt-2018.xml")).filter((text) => /desbloquear/.test(text)).length,
    1,
  ],
  ["play-store-home", () => textsOf(nodesOf("play-store-home.xml")).some((text) => /[\u4e00-\u9fff]/.test(text)), true],
  [
    "play-store-search: line breaks in descriptions",
    () => nodesOf("play-store-search.xml").some(({ description }) => description.includes("\n")),
    true,
  ],
  [
    "systemui-quick-settings-zh: whose windows",
    () => packagesOf("systemui-quick-settings-zh.xml"),
    ["com.android.systemui"],
  ],
  [
    "systemui-quick-settings-zh: switches that are on",
    () => nodesOf("systemui-quick-settings-zh.xml").flatMap((node) => (node.checked ? [node.description] : [])),
    ["互联网,HomeWifi_5G", "飞行模式"],
  ],
  [
    "systemui-quick-settings-zh: the battery",
    () => textsOf(nodesOf("systemui-quick-settings-zh.xml")).includes("电池电量为百分之 48。"),
    true,
  ],
  [
    "thunderbird-inbox: what has no area is no target",
    () => [
      nodesOf("thunderbird-inbox.xml").filter(({ bounds }) => bounds.right === 0).length,
      elementsOf(treeOf("ui/thunderbird-inbox.xml")).length,
    ],
    [1, 10],
  ],
  [
    "wecom-search: a placeholder is the text of a field that has the focus",
    () => nodesOf("wecom-search.xml").flatMap((node) => (node.focused ? [[node.text, node.editable]] : [])),
    [["搜索", true]],
  ],
  [
    "miui-error-only: no tree is a failure",
    () => dumpFailure(capture("ui/miui-error-only.txt"), "", parseDump("")).code,
    "ui_unavailable",
  ],
];

const unknownApp = { packageName: null, activity: null, overlay: null };
const nexusLauncher = {
  packageName: "com.google.android.apps.nexuslauncher",
  activity: "com.google.android.apps.nexuslauncher.NexusLauncherActivity",
};

const answers: [title: string, answer: () => unknown, expected: unknown][] = [
  [
    "activity-samsung7-multiwindow: names that a terminal has broken are not guessed",
    () => parseForeground([dumpsys("activity-samsung7-multiwindow"), "", ""]),
    unknownApp,
  ],
  [
    "window-windows-android16-emulator",
    () => inWindows("window-windows-android16-emulator"),
    { ...nexusLauncher, overlay: null },
  ],
  [
    "window-systembars-anr-android11: a dialog about an app that hangs",
    () => inWindows("window-systembars-anr-android11"),
    { ...nexusLauncher, overlay: "not_responding" },
  ],
  [
    "window-sample-android4",
    () => inWindows("window-sample-android4").activity,
    "com.dtmilano.android.sampleui.MainActivity",
  ],
  [
    "input-shield-androidtv: input's own focus is no app in front",
    () => inWindows("input-shield-androidtv"),
    unknownApp,
  ],
  ["display-off-480x800: no panel shows anything", () => parseDefaultPanel(dumpsys("display-off-480x800")), undefined],
  ["display-off-480x800: not turned", () => parseRotation(dumpsys("display-off-480x800")), 0],
  [
    "surfaceflinger-displays: the old form names no panel",
    () => parsePhysicalDisplays(dumpsys("surfaceflinger-displays")),
    [],
  ],
  ["surfaceflinger-android9-head", () => parsePhysicalDisplays(dumpsys("surfaceflinger-android9-head")), []],
  [
    "surfaceflinger-android9-head: no size of a display",
    () => parseCurrentSize(dumpsys("surfaceflinger-android9-head")),
    undefined,
  ],
  ["power-no-permission: told on stdout", () => commandFailure(dumpsys("power-no-permission"))?.code, "unsupported"],
  [
    "power-parallel-service-failure: says nothing about the screen",
    () => parseAwake(dumpsys("power-parallel-service-failure")),
    true,
  ],
  [
    "input-method-shown: without a window there is no keyboard",
    () => parseKeyboard(dumpsys("input-method-shown"), ""),
    [],
  ],
  ["input-method-extract", () => parseKeyboard(dumpsys("input-method-extract"), ""), []],
  [
    "dumpsys-package-lufthansa: a description is no list",
    () => parsePackageList(capture("misc/dumpsys-package-lufthansa.txt"), false),
    [],
  ],
  ["uiautomator-null-root", () => afterDump("uiautomator-null-root"), "ui_unavailable"],
  ["uiautomator-not-idle", () => afterDump("uiautomator-not-idle"), "ui_not_idle"],
  ["uiautomator-killed", () => afterDump("uiautomator-killed"), "ui_unavailable"],
  ["uiautomator-crash-npe", () => afterDump("uiautomator-crash-npe"), "ui_unavailable"],
  [
    "uiautomator-console-with-path: a path without a file",
    () => afterDump("uiautomator-console-with-path"),
    "ui_unavailable",
  ],
  ...[
    "FramebufferHeader.bin",
    "FramebufferHeader.V1.bin",
    "FramebufferHeader.V2.bin",
    "FramebufferHeader.Empty.bin",
  ].map((name): [string, () => unknown, unknown] => [
    `${name}: another header is no screencap`,
    () => readRawFrame(captureBytes(`framebuffer/${name}`)),
    undefined,
  ]),
];

describe.runIf(hasCaptures)("recorded outputs of real phones", () => {
  test.each(trees)("%s", (_, answer, expected) => expect(answer()).toEqual(expected));
  test.each(answers)("%s", (_, answer, expected) => expect(answer()).toEqual(expected));

  test("every recorded file has an answer in a test", () => {
    const tests = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.ts"));
    const sources = tests.map((name) => readFileSync(join(import.meta.dirname, name), "utf8")).join("\n");
    const files = folders.flatMap(captureNames);
    expect(files.length).toBeGreaterThanOrEqual(92);
    const unasked = files.filter(
      (name) => !sources.includes(name.replace(/^.*\//, "").replace(/\.(xml|txt|bin)$/, "")),
    );
    expect(unasked).toEqual([]);
  });
});
