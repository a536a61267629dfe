import { describe, expect, test } from "vitest";
import { named, type RunningPhone, startPhone, type TreeNode } from "./support/running-phone.ts";

const center = ({ bounds }: TreeNode) =>
  [Math.round((bounds.left + bounds.right) / 2), Math.round((bounds.top + bounds.bottom) / 2)] as const;

async function swipe({ run, nodes }: RunningPhone, distance: number): Promise<void> {
  const list = (await nodes()).find(({ attributes }) => attributes.scrollable === "true");
  if (!list) throw new Error("nothing scrolls");
  const [x, y] = center(list);
  await run(`input swipe ${x} ${y} ${x} ${y - distance} 200`);
}

describe("notes", () => {
  test("a new note is typed, saved and listed", async () => {
    const bench = await startPhone();
    const { phone, run, tap, find } = bench;
    await run("am start -n app.farhand.notes/.MainActivity");
    await tap("New note");
    expect(phone.screen.foregroundActivity).toBe("app.farhand.notes.EditActivity");
    expect(phone.screen.isKeyboardShown).toBe(true);
    await run("input text Groceries");
    await tap("body");
    await run("input text 'first%sline'");
    await run("input keyevent 66");
    await run("input text second");
    expect(phone.screen.fieldTexts).toEqual({
      "app.farhand.notes:id/title": "Groceries",
      "app.farhand.notes:id/body": "first line\nsecond",
    });
    expect((await find(named("body"))).attributes).toMatchObject({
      text: "first line\nsecond",
      focused: "true",
      class: "android.widget.EditText",
      "long-clickable": "true",
    });
    await tap("Save");
    expect(phone.screen.texts).toContain("Groceries");
    expect(phone.screen.isKeyboardShown).toBe(false);
  });

  test("a long press opens a menu, and deleting asks first", async () => {
    const { phone, run, tap, find, nodes } = await startPhone();
    phone.open("app.farhand.notes");
    const [x, y] = center(await find(named("Ideas")));
    await run(`input swipe ${x} ${y} ${x} ${y} 800`);
    expect((await nodes()).map(({ attributes }) => attributes.text).filter(Boolean)).toEqual([
      "Edit",
      "Copy",
      "Delete",
    ]);
    await tap("Delete");
    expect(phone.screen.texts).toContain("Delete note?");
    // The dialog is modal: a touch beside it dismisses it and reaches nothing below.
    await run("input tap 500 400");
    expect(phone.screen.texts).not.toContain("Delete note?");
    expect(phone.screen.foregroundActivity).toBe("app.farhand.notes.MainActivity");
    await run(`input swipe ${x} ${y} ${x} ${y} 800`);
    await tap("Delete");
    await tap("android:id/button1".split("/")[1] ?? "");
    expect(phone.screen.texts).not.toContain("Ideas");
  });

  test("what was saved outlives the app, until its data is cleared", async () => {
    const { phone, run, tap } = await startPhone();
    phone.open("app.farhand.notes");
    await tap("New note");
    await run("input text Keep");
    await tap("Save");
    await run("am force-stop app.farhand.notes");
    expect(phone.screen.foregroundPackage).toBe("com.google.android.apps.nexuslauncher");
    phone.open("app.farhand.notes");
    expect(phone.screen.texts).toContain("Keep");
    await run("pm clear app.farhand.notes");
    phone.open("app.farhand.notes");
    expect(phone.screen.texts).not.toContain("Keep");
  });
});

describe("settings", () => {
  test("the list scrolls by as many pixels as the finger moves, to its end", async () => {
    const bench = await startPhone();
    bench.phone.open("com.android.settings");
    const before = await bench.find(named("VPN"));
    await swipe(bench, 400);
    expect((await bench.find(named("VPN"))).bounds.top).toBe(before.bounds.top - 400);
    for (let turn = 0; turn < 12; turn++) await swipe(bench, 900);
    const texts = (await bench.nodes()).map(({ attributes }) => attributes.text);
    expect(texts).toContain("About phone");
    expect(texts).not.toContain("Wi-Fi");
  });

  test("a switch is checked in the tree, in the settings and in the status bar", async () => {
    const { phone, tap, nodes, text } = await startPhone();
    phone.open("com.android.settings");
    const state = async () => {
      const all = await nodes();
      return all[all.findIndex(named("Airplane mode")) + 1]?.attributes.checked;
    };
    expect(await state()).toBe("false");
    await tap("Airplane mode");
    expect(await state()).toBe("true");
    expect(await text("settings get global airplane_mode_on")).toBe("1\n");
    expect(await text("uiautomator dump --windows /dev/tty")).toContain('content-desc="Airplane mode."');
  });
});

describe("every app", () => {
  test.each([
    "com.google.android.apps.nexuslauncher",
    "com.android.settings",
    "app.farhand.notes",
    "app.farhand.chat",
    "app.farhand.bank",
    "app.farhand.maps",
    "com.android.chrome",
  ])(
    "%s: what the tree calls clickable is inside the screen, has a name, and nothing is empty",
    async (packageName) => {
      const { phone, nodes } = await startPhone();
      if (packageName !== "com.google.android.apps.nexuslauncher") phone.open(packageName);
      const all = await nodes();
      expect(new Set(all.map(({ attributes }) => attributes.package))).toEqual(new Set([packageName]));
      for (const { attributes, bounds } of all) {
        expect(bounds.right).toBeGreaterThan(bounds.left);
        expect(bounds.bottom).toBeGreaterThan(bounds.top);
        expect(bounds.right).toBeLessThanOrEqual(1080);
        expect(bounds.bottom).toBeLessThanOrEqual(2400);
        expect(attributes.NAF).toBeUndefined();
      }
      expect(all.filter(({ attributes }) => attributes.clickable === "true").length).toBeGreaterThan(0);
    },
  );

  test("every icon of the launcher opens the app of that name", async () => {
    const { phone, tap, nodes, run } = await startPhone();
    const labels = (await nodes())
      .filter(({ attributes }) => attributes.class === "android.widget.TextView" && attributes.clickable === "true")
      .map(({ attributes }) => attributes.text ?? "");
    expect(labels).toEqual(["Chat", "Notes", "Reader", "Harbor Bank", "Maps", "Chrome", "Camera", "Settings"]);
    const opened: string[] = [];
    for (const name of labels) {
      await tap(name);
      opened.push(phone.screen.foregroundPackage);
      await run("input keyevent KEYCODE_BACK");
      await run("input keyevent KEYCODE_HOME");
    }
    expect(opened).toEqual([
      "app.farhand.chat",
      "app.farhand.notes",
      "app.farhand.reader",
      "app.farhand.bank",
      "app.farhand.maps",
      "com.android.chrome",
      "com.google.android.permissioncontroller",
      "com.android.settings",
    ]);
  });
});

describe("the other apps", () => {
  test("chat sends what was typed and keeps the conversation", async () => {
    const { phone, tap, run } = await startPhone();
    phone.open("app.farhand.chat");
    await tap("message_input");
    await run("input text See%syou%sat%s10");
    await tap("Send");
    expect(phone.screen.texts).toContain("See you at 10");
    expect(phone.screen.fieldTexts["app.farhand.chat:id/message_input"]).toBe("");
    expect(phone.screen.texts.some((text) => text.includes("좋아요, 駅前のラーメン屋で 😄"))).toBe(true);
  });

  test("a password is bullets in the tree, and the page behind it is black in pictures and marked in dumpsys", async () => {
    const { phone, tap, run, find, text } = await startPhone();
    phone.open("app.farhand.bank");
    await tap("username");
    await run("input text mia");
    await run("input keyevent TAB");
    await run("input text s3cret");
    expect((await find(named("password"))).attributes).toMatchObject({
      text: "••••••",
      password: "true",
      focused: "true",
      hint: "Password",
    });
    expect(await text("dumpsys window windows")).not.toContain("SECURE");
    await run("input keyevent ENTER");
    expect(phone.screen.texts).toContain("Everyday account");
    expect(await text("dumpsys window windows | grep -A 8 'AccountActivity}:'")).toMatch(/fl=.*\bSECURE\b/);
    const colours = await pixelColours(phone);
    expect(colours.get("0,0,0")).toBeGreaterThan(0.97);
    expect(await text("uiautomator dump /dev/tty")).toContain("€ 2,480.15");
  });

  test("the reader's words are pixels only", async () => {
    const { phone, nodes, run } = await startPhone();
    phone.open("app.farhand.reader");
    const page = (await nodes()).find(({ attributes }) => attributes["resource-id"] === "app.farhand.reader:id/page");
    expect(page?.attributes).toMatchObject({ text: "", "content-desc": "", class: "android.view.SurfaceView" });
    const before = await phone.picture();
    await run("input tap 900 1200");
    expect((await phone.picture()).equals(before)).toBe(false);
  });

  test("the camera asks for permission before it shows anything", async () => {
    const { phone, tap, text, find } = await startPhone();
    phone.open("com.android.camera2");
    expect(await text("dumpsys window | grep mCurrentFocus")).toMatch(
      / u0 com\.google\.android\.permissioncontroller\/com\.android\.permissioncontroller\.permission\.ui\.GrantPermissionsActivity}\n$/,
    );
    await tap("While using the app");
    expect(phone.screen.foregroundPackage).toBe("com.android.camera2");
    expect((await find(named("Shutter"))).attributes.clickable).toBe("true");
    expect(await text("dumpsys package com.android.camera2")).toContain("android.permission.CAMERA: granted=true");
  });

  test("a link opens the browser, a map link the map", async () => {
    const { phone, text } = await startPhone();
    expect(await text("am start -a android.intent.action.VIEW -d 'https://example.org/a?b=1&c=2'")).toBe(
      "Starting: Intent { act=android.intent.action.VIEW dat=https://example.org/... }\n",
    );
    expect(phone.screen.foregroundPackage).toBe("com.android.chrome");
    expect(phone.screen.fieldTexts["com.android.chrome:id/url_bar"]).toBe("https://example.org/a?b=1&c=2");
    await text("am start -a android.intent.action.VIEW -d geo:0,0");
    expect(phone.screen.foregroundPackage).toBe("app.farhand.maps");
  });

  test("a double tap zooms the map, a single one does not", async () => {
    const { phone, run } = await startPhone();
    phone.open("app.farhand.maps");
    await run("input tap 540 900");
    expect(phone.screen.texts).toContain("Zoom 100%");
    await run("input tap 540 900; input tap 540 900");
    expect(phone.screen.texts).toContain("Zoom 200%");
  });

  test("recent apps are listed, opened and cleared", async () => {
    const { phone, run, tap, find } = await startPhone();
    phone.open("app.farhand.notes");
    phone.open("app.farhand.maps");
    await run("input keyevent KEYCODE_APP_SWITCH");
    expect((await find(named("Recent apps"))).attributes.package).toBe("com.google.android.apps.nexuslauncher");
    await tap("Notes");
    expect(phone.screen.foregroundPackage).toBe("app.farhand.notes");
    await run("input keyevent 187");
    await tap("Clear all");
    await run("input keyevent 187");
    expect(phone.screen.texts).toContain("No recent items");
  });
});

/** Share of the picture by colour. */
async function pixelColours(phone: RunningPhone["phone"]): Promise<Map<string, number>> {
  const { PNG } = await import("pngjs");
  const { data, width, height } = PNG.sync.read(await phone.picture());
  const counts = new Map<string, number>();
  for (let at = 0; at < data.length; at += 4) {
    const colour = `${data[at]},${data[at + 1]},${data[at + 2]}`;
    counts.set(colour, (counts.get(colour) ?? 0) + 1 / (width * height));
  }
  return counts;
}
