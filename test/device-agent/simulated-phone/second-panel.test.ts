import { expect, test } from "vitest";
import { startPhone } from "./support/running-phone.ts";

const twoPanels = { quirks: { secondDisplay: true } };

test("the second panel is a display of its own with a home screen", async () => {
  const { phone, text } = await startPhone(twoPanels);
  expect(await text("dumpsys display")).toContain("displayId=2, uniqueId='local:4630946219955703955'");
  const displays = await text("dumpsys window displays");
  expect([...displays.matchAll(/mDisplayId=(\d+)/g)].map((match) => match[1])).toEqual(["2", "0"]);
  expect(displays).toContain("cur=720x748");
  phone.rotateSecond(1);
  expect(await text("dumpsys window displays")).toContain("cur=748x720");
  expect([phone.secondScreen?.rotation, phone.screen.rotation]).toEqual([1, 0]);
});

test("input goes to the display that is named; keys without one go where the last touch was", async () => {
  const { phone, run } = await startPhone(twoPanels);
  await run("input -d 2 tap 10 10; input keyevent HOME; input -d 0 keyevent HOME; input keyevent BACK; input tap 5 5");
  await run("input -d 9 tap 1 1; input keyevent BACK");
  expect(phone.screen.receivedInputs.map(({ displayId, kind }) => `${displayId} ${kind}`)).toEqual([
    "2 tap",
    "2 key",
    "0 key",
    "0 key",
    "0 tap",
    "9 tap",
    "0 key",
  ]);
});

test("a plain dump tells the window of the display that was used last, --windows all of them", async () => {
  const { phone, run, text } = await startPhone(twoPanels);
  phone.open("app.farhand.notes");
  expect(await text("uiautomator dump /dev/tty")).toContain('package="app.farhand.notes"');
  await run("input -d 2 tap 1 1");
  expect(await text("uiautomator dump /dev/tty")).not.toContain("app.farhand.notes");
  const all = await text("uiautomator dump --windows /dev/tty");
  expect([...all.matchAll(/<display id="(\d)">/g)].map((match) => match[1])).toEqual(["0", "2"]);
  expect(all.match(/ active="true"/g)).toHaveLength(1);
  expect(all.match(/ focused="true" accessibility/g)).toHaveLength(2);
});

test("before Android 10 input knows no displays, and its help does not name them", async () => {
  const { phone, run } = await startPhone({ profile: "android9", ...twoPanels });
  const { stderr, status } = await run("input -d 2 tap 10 10");
  expect(stderr).toContain("Error: Unknown command: -d");
  expect(stderr).not.toContain("DISPLAY_ID");
  expect(status).toBe(255);
  expect(phone.screen.receivedInputs).toEqual([]);
  const { run: newer } = await startPhone({ profile: "android10" });
  expect((await newer("input")).stderr).toContain("[-d DISPLAY_ID]");
});
