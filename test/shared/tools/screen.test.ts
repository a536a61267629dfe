import { beforeEach, describe, expect, test } from "vitest";
import { CodedError, type ErrorCode } from "../../../shared/errors.ts";
import { FakeDevice } from "../../support/fake-device.ts";
import { type ToolCaller, toolCaller } from "../../support/tool-caller.ts";
import { uiTree } from "../../support/ui-tree.ts";

let phone: FakeDevice;
let caller: ToolCaller;

beforeEach(() => {
  phone = new FakeDevice();
  phone.tree = uiTree([{ at: [100, 200, 500, 400], text: "Save", clickable: true }]);
  caller = toolCaller(phone);
});

const refuse = (action: string, code: ErrorCode) => (asked: string) => {
  if (asked === action) throw new CodedError(code, "The phone refuses.");
};

describe("read_screen", () => {
  test("answers with picture and tree of one moment", async () => {
    const { output, pictures } = await caller.call("read_screen");
    expect(output).toMatchObject({ ok: true, unstable: false, width: 540, height: 1200, app: "com.example.notes" });
    expect(output.summary).toBe("com.example.notes is in front, 1 elements.");
    expect(output.elements).toHaveLength(1);
    expect(pictures).toHaveLength(1);
  });

  test("tries once more when the screen moved in between, and says so if it still moves", async () => {
    phone.before = (action) => {
      if (action === "readTree") phone.scene += 1;
    };
    const { output } = await caller.call("read_screen");
    expect(output.unstable).toBe(true);
    expect(phone.done.filter(({ action }) => action === "readTree")).toHaveLength(2);
  });

  test("gives the tree when the app forbids pictures", async () => {
    phone.before = refuse("capture", "screen_secure");
    const { output, pictures } = await caller.call("read_screen");
    expect(output).toMatchObject({ ok: true, picture_error: { code: "screen_secure" }, total: 1 });
    expect(pictures).toEqual([]);
  });

  test("gives the picture when the phone gives no tree", async () => {
    phone.before = refuse("readTree", "ui_not_idle");
    const { output, pictures } = await caller.call("read_screen");
    expect(output).toMatchObject({ ok: true, tree_error: { code: "ui_not_idle" }, width: 540 });
    expect(pictures).toHaveLength(1);
  });

  test("is an error when neither can be had, and never wakes the phone", async () => {
    phone.screen.awake = false;
    phone.before = refuse("readTree", "screen_off");
    await expect(caller.call("read_screen")).rejects.toMatchObject({ code: "screen_off" });
    expect(phone.writes).toEqual([]);
  });

  test("a call that ends does not become a picture without a tree", async () => {
    phone.before = refuse("readTree", "deadline_exceeded");
    await expect(caller.call("read_screen")).rejects.toMatchObject({ code: "deadline_exceeded" });
  });
});

describe("wait_for", () => {
  test("ends as soon as the text is there", async () => {
    caller = toolCaller(phone, (elapsed) => {
      if (elapsed >= 900) phone.tree = uiTree([{ at: [0, 0, 100, 100], text: "Done" }]);
    });
    const { output } = await caller.call("wait_for", { text: "Done" });
    expect(output).toMatchObject({ ok: true, met: true, waited_ms: 900 });
    expect(caller.progress.length).toBeGreaterThan(0);
  });

  test("says that it was not met when time is up", async () => {
    const { output } = await caller.call("wait_for", { text: "Never", timeout_ms: 2000 });
    expect(output).toMatchObject({ ok: false, met: false });
    expect(caller.elapsed()).toBeLessThanOrEqual(2000);
  });

  test("a screen that gives no tree for a while is neither there nor gone", async () => {
    phone.before = refuse("readTree", "ui_not_idle");
    expect((await caller.call("wait_for", { gone: "Save", timeout_ms: 1000 })).output.met).toBe(false);
  });

  test("sees a text go, an app come and the screen come to rest", async () => {
    expect((await caller.call("wait_for", { gone: "Loading" })).output.met).toBe(true);
    expect((await caller.call("wait_for", { app: "com.example.notes" })).output.met).toBe(true);
    expect((await caller.call("wait_for", { idle: true })).output.met).toBe(true);
  });

  test("wants exactly one condition", async () => {
    await expect(caller.call("wait_for", {})).rejects.toMatchObject({ code: "invalid_argument" });
    await expect(caller.call("wait_for", { text: "a", idle: true })).rejects.toMatchObject({
      code: "invalid_argument",
    });
  });
});

describe("typing and the clipboard", () => {
  test("type_text says how much was typed and whether it was read back", async () => {
    const { output } = await caller.call("type_text", { text: "你好🙂", submit: true });
    expect(output).toMatchObject({ ok: true, verified: "true", characters: 3 });
    expect(phone.writes).toEqual([
      { action: "typeText", text: "你好🙂" },
      { action: "pressKey", key: "enter" },
    ]);
  });

  test("a number is typed as its digits", async () => {
    await caller.call("type_text", { text: 2024 });
    expect(phone.typed).toBe("2024");
  });

  test("set_clipboard fails when the phone holds something else", async () => {
    phone.writeClipboard = async () => "something else";
    await expect(caller.call("set_clipboard", { text: "a" })).rejects.toMatchObject({ code: "clipboard_unavailable" });
  });

  test("an empty clipboard is an empty text", async () => {
    expect((await caller.call("read_clipboard")).output).toEqual({ ok: true, text: "", shown: '""' });
  });
});

describe("apps and power", () => {
  test.each(["M;id", "nodots", "org.pkg.M;id>&2;a", "../x.y", "a.b c", ""])(
    "open_app refuses %j without asking the phone",
    async (name) => {
      await expect(caller.call("open_app", { package: name })).rejects.toMatchObject({ code: "invalid_argument" });
      expect(phone.done).toEqual([]);
    },
  );

  test("list_apps pages through all of them", async () => {
    phone.apps = Array.from({ length: 5 }, (_, index) => ({
      packageName: `a.b${index}`,
      versionCode: 1,
      version: "1.2",
      label: `App ${index}`,
      system: false,
    }));
    const { output } = await caller.call("list_apps", { limit: 2, offset: 2 });
    const apps = ['a.b2 1.2 "App 2"', 'a.b3 1.2 "App 3"'];
    expect(output).toEqual({ ok: true, apps, total: 5, truncated: true, next_offset: 4 });
  });

  test("list_apps finds by package and by name, and quotes what apps say of themselves", async () => {
    const app = { packageName: "com.chat", versionCode: 1, version: null, label: null, system: false };
    phone.apps = [
      app,
      { ...app, packageName: "org.x", version: "1\n2", label: 'A "Chat"\u202e' },
      { ...app, packageName: "org.y", version: "4.12-beta+1 (3)", label: "Other" },
    ];
    const { output } = await caller.call("list_apps", { contains: "CHAT" });
    expect(output.apps).toEqual(["com.chat -", 'org.x "1\\n2" "A \\"Chat\\"\\u{202e}"']);
    expect((await caller.call("list_apps", { contains: "org.y" })).output.apps).toEqual([
      'org.y "4.12-beta+1 (3)" "Other"',
    ]);
  });

  test("open_app names the other symbols of an app that has several", async () => {
    phone.startApp = async (packageName) => ({
      packageName,
      activity: `${packageName}.Main`,
      overlay: null,
      otherLaunchers: ["com.example.notes.Lists"],
    });
    const { output } = await caller.call("open_app", { package: "com.example.notes" });
    expect(output).toMatchObject({ ok: true, other_launchers: ["com.example.notes.Lists"] });
  });

  test("wake says that a secret is in the way and guesses nothing", async () => {
    phone.screen = { ...phone.screen, awake: false, locked: true, secureLock: true };
    await expect(caller.call("wake")).rejects.toMatchObject({ code: "locked" });
    expect(phone.writes).toEqual([{ action: "wake" }]);
  });

  test("sleep turns the screen off", async () => {
    expect((await caller.call("sleep")).output).toEqual({ ok: true, awake: false });
  });

  test("press_key repeats and reports its progress", async () => {
    await caller.call("press_key", { key: "delete", times: 3 });
    expect(phone.writes).toHaveLength(3);
    expect(caller.progress.map(({ done }) => done)).toEqual([1, 2, 3]);
    await expect(caller.call("press_key", { key: "reboot" })).rejects.toMatchObject({ code: "invalid_argument" });
  });
});

describe("take_screenshot with if_changed_since", () => {
  test("gives no picture while nothing has changed, and the earlier one stands", async () => {
    const { output: first } = await caller.call("take_screenshot");
    const { output, pictures } = await caller.call("take_screenshot", { if_changed_since: first.screenshot_id });
    expect(pictures).toEqual([]);
    expect(output).toEqual({ ...first, unchanged: true });
    await caller.call("tap", { x: 60, y: 110, snap: false });
    expect(phone.writes).toEqual([{ action: "tap", x: 120, y: 220 }]);
  });

  test("gives the picture when a pixel changed, and for an id that it does not know", async () => {
    const { output: first } = await caller.call("take_screenshot");
    phone.scene += 1;
    for (const since of [first.screenshot_id, "p_other"]) {
      const { output, pictures } = await caller.call("take_screenshot", { if_changed_since: since });
      expect(pictures).toHaveLength(1);
      expect(output).not.toHaveProperty("unchanged");
      expect(output.screenshot_id).not.toBe(first.screenshot_id);
    }
  });

  test("gives the picture when the earlier one was a tree", async () => {
    const { output: tree } = await caller.call("read_ui_tree");
    const { pictures } = await caller.call("take_screenshot", { if_changed_since: tree.screenshot_id });
    expect(pictures).toHaveLength(1);
  });
});

test("device_info says what the phone and the device agent are, and null for what it cannot tell", async () => {
  const { output } = await caller.call("device_info");
  expect(output).toMatchObject({
    abi: "arm64-v8a",
    network: "wifi",
    battery_percent: 80,
    screen: { rotation: 0, locked: false },
    device_agent: {
      version: "0.1.0",
      git_commit: null,
      dirty: null,
      build_id: null,
      target: "linux-x64",
      profile: "source",
      protocol_oldest: 1,
      protocol_newest: 1,
      user_id: 1000,
      sha256: null,
    },
    gateway: null,
  });
});
