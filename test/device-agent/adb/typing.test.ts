import { afterEach, describe, expect, test } from "vitest";
import type { Device } from "../../../shared/device.ts";
import { hasAdb } from "./adb-server.ts";
import { Rig, type RouteKind } from "./rig.ts";
import { codeOf, never } from "./test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

const routes: RouteKind[] = hasAdb || process.env.CI === "true" ? ["adb server", "direct"] : ["direct"];
const chatInput = "app.farhand.chat:id/message_input";

/** Taps the node with this resource id. */
async function tapId(device: Device, id: string): Promise<void> {
  const tree = await device.readTree(never);
  const node = tree.nodes.find((candidate) => candidate.resourceId === id);
  if (!node) throw new Error(`no ${id}`);
  const { left, top, right, bottom } = node.bounds;
  await device.tap({ x: (left + right) / 2, y: (top + bottom) / 2 }, never);
}

async function openChat(device: Device): Promise<void> {
  await device.startApp("app.farhand.chat", never);
  await tapId(device, chatInput);
}

describe.each(routes)("typing by %s", (route) => {
  test("any language and emoji arrive, and the owner's clipboard is as before", async () => {
    const { device, sim } = await rig.device(route);
    sim.setClipboard("the owner's own");
    await openChat(device);
    const text = "你好, ça va? 👩‍👩‍👧 مرحبا\nzweite Zeile\t'$x'";
    expect(await device.typeText(text, never)).toEqual({ route: "clipboard", fieldText: text, verified: "true" });
    expect(sim.screen.fieldTexts[chatInput]).toBe(text);
    expect(sim.screen.clipboard).toBe("the owner's own");
  });
});

test("quotes, signs and commands arrive as text", async () => {
  const { device, sim } = await rig.device("direct");
  await openChat(device);
  const text = 'it\'s "100%s" $(reboot) `id` a;b #c ~/x \\ * %s%';
  expect(await device.typeText(text, never)).toEqual({ route: "input", fieldText: text, verified: "true" });
  expect(sim.screen.fieldTexts[chatInput]).toBe(text);
});

test("several texts follow one another in the field", async () => {
  const { device, sim } = await rig.device("direct");
  await openChat(device);
  expect(await device.typeText("one ", never)).toMatchObject({ verified: "true" });
  expect(await device.typeText("二 ", never)).toMatchObject({ verified: "true" });
  expect(await device.typeText("three", never)).toMatchObject({ verified: "true", fieldText: "one 二 three" });
  expect(sim.screen.fieldTexts[chatInput]).toBe("one 二 three");
});

test("a long text arrives whole", async () => {
  const { device, sim } = await rig.device("direct");
  await openChat(device);
  const text = "The quick brown fox jumps over the lazy dog. ".repeat(60).trim();
  expect(await device.typeText(text, never)).toMatchObject({ route: "input", verified: "true" });
  expect(sim.screen.fieldTexts[chatInput]).toBe(text);
});

test("characters that a slow phone loses are noticed", async () => {
  const { device, sim } = await rig.device("direct", { quirks: { dropsCharacters: 7 } });
  await openChat(device);
  const typed = await device.typeText("abcdefghijklmnopqrstuvwxyz", never);
  expect(typed).toMatchObject({ verified: "false", fieldText: sim.screen.fieldTexts[chatInput] });
});

test("a password is typed and not claimed to be read", async () => {
  const { device, sim } = await rig.device("direct");
  await device.startApp("app.farhand.bank", never);
  await tapId(device, "app.farhand.bank:id/password");
  expect(await device.typeText("hunter2!", never)).toEqual({
    route: "input",
    fieldText: null,
    verified: "unverifiable",
  });
  expect(sim.screen.fieldTexts["app.farhand.bank:id/password"]).toBe("hunter2!");
});

test("without the clipboard helper nothing is typed that cannot be", async () => {
  const { device, sim } = await rig.device("direct", { quirks: { noScrcpy: true } });
  await openChat(device);
  await expect(device.typeText("ok 你好", never)).rejects.toMatchObject({
    code: "unsupported_characters",
    message: "This phone has no way to type 你 (U+4F60), 好 (U+597D); nothing was typed.",
  });
  expect(sim.screen.fieldTexts[chatInput]).toBe("");
  expect(await device.typeText("plain", never)).toMatchObject({ verified: "true" });
  expect(await codeOf(device.readClipboard(never))).toBe("clipboard_unavailable");
  expect((await device.facts(never)).limitations.map((limit) => limit.tool)).toEqual(
    expect.arrayContaining(["read_clipboard", "set_clipboard", "pinch"]),
  );
});

test("a screen that forbids pictures is said to forbid them, and its tree is still read", async () => {
  const { device, sim } = await rig.device("direct");
  await device.startApp("app.farhand.bank", never);
  for (const [id, text] of [
    ["username", "me"],
    ["password", "hunter2!"],
  ] as const) {
    await tapId(device, `app.farhand.bank:id/${id}`);
    await device.typeText(text, never);
  }
  await device.pressKey("enter", never);
  await expect.poll(() => sim.screen.texts.join()).toContain("Everyday account");
  expect(await codeOf(device.capture({ maxWidth: 540, quality: 70, maxBytes: 700_000 }, never))).toBe("screen_secure");
  expect((await device.readTree(never)).nodes.some((node) => node.text === "Everyday account")).toBe(true);
});
