import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { AdbPhonesOptions } from "../../../device-agent/adb/adb-phones.ts";
import { base64Pieces } from "../../../device-agent/adb/text/helper-keyboard.ts";
import type { SimulatedPhone, SimulatedPhoneOptions } from "../../../device-agent/simulated-phone/simulated-phone.ts";
import type { Device } from "../../../shared/device.ts";
import { toolCaller } from "../../support/tool-caller.ts";
import { Rig } from "./rig.ts";
import { codeOf, never } from "./test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

const helperKeyboard = "com.android.adbkeyboard/.AdbIME";
const field = "app.farhand.chat:id/message_input";
const withHelper: SimulatedPhoneOptions = { helperKeyboard: true, quirks: { noScrcpy: true } };

async function phoneWith(options: SimulatedPhoneOptions, allowed: Partial<AdbPhonesOptions> = { helperKeyboard }) {
  const { sim, address } = await rig.phone(options);
  const folder = await rig.folder();
  const files = { keyFile: join(folder, "key.pem"), putBackFile: join(folder, "put-back.json") };
  const phones = await rig.phones({ direct: [address], ...files, ...allowed });
  return { sim, device: phones.open(sim.serial), putBackFile: files.putBackFile };
}

async function intoMessage(device: Device, sim: SimulatedPhone): Promise<void> {
  sim.open("app.farhand.chat");
  const bounds = (await device.readTree(never)).nodes.find(({ resourceId }) => resourceId === field)?.bounds;
  await device.tap({ x: (bounds?.left ?? 0) + 20, y: (bounds?.top ?? 0) + 20 }, never);
}

const keyboardOf = (sim: SimulatedPhone) => [sim.screen.inputMethod, sim.screen.enabledInputMethods];
const commandsOf = (sim: SimulatedPhone) =>
  sim.ranPrograms().filter(([name, verb]) => (name === "ime" && verb !== "list") || name === "am");

test("a text in pieces is the text, each piece fits a command and no character is split", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 4, max: 40 }), (text, most) => {
      const pieces = base64Pieces(text, most).map((piece) => Buffer.from(piece, "base64"));
      const fatal = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      expect(pieces.map((piece) => fatal.decode(piece)).join("")).toBe(text);
      for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(most);
    }),
  );
});

test("where scrcpy does not run the helper types any text, and the user's keyboard is back afterwards", async () => {
  const { device, sim, putBackFile } = await phoneWith(withHelper);
  await intoMessage(device, sim);
  const before = keyboardOf(sim);
  const text = "你好, ça va? 👩‍👩‍👧 مرحبا\nzweite Zeile\t'$x' `id`";
  expect(await device.typeText(text, never)).toEqual({ route: "helper_keyboard", fieldText: text, verified: "true" });
  expect(sim.screen.fieldTexts[field]).toBe(text);
  expect(keyboardOf(sim)).toEqual(before);
  expect(existsSync(putBackFile)).toBe(false);
});

test("a long text arrives whole in several broadcasts that only the helper can hear", async () => {
  const { device, sim } = await phoneWith(withHelper);
  await intoMessage(device, sim);
  const text = "Zażółć gęślą jaźń 🙂 ".repeat(180).trim();
  expect(await device.typeText(text, never)).toMatchObject({ verified: "true" });
  expect(sim.screen.fieldTexts[field]).toBe(text);
  const broadcasts = sim.ranPrograms().filter(([name, verb]) => name === "am" && verb === "broadcast");
  expect(broadcasts.length).toBeGreaterThan(2);
  for (const words of broadcasts) {
    expect(words.slice(2, 6)).toEqual(["-a", "ADB_INPUT_B64", "-p", "com.android.adbkeyboard"]);
    expect(words.join(" ").length).toBeLessThan(4096);
  }
});

test("several texts follow one another, each by its own way, with the same keyboard after each", async () => {
  const { device, sim } = await phoneWith({ ...withHelper, latency: "real" });
  await intoMessage(device, sim);
  const before = keyboardOf(sim);
  for (const [text, route] of [
    ["one ", "input"],
    ["二 ", "helper_keyboard"],
    ["three ", "input"],
    ["四", "helper_keyboard"],
  ] as const) {
    expect(await device.typeText(text, never)).toMatchObject({ route, verified: "true" });
    expect(keyboardOf(sim)).toEqual(before);
  }
  expect(sim.screen.fieldTexts[field]).toBe("one 二 three 四");
}, 60_000);

test("scrcpy goes first where it runs, and the keyboard is not touched", async () => {
  const { device, sim } = await phoneWith({ helperKeyboard: true });
  await intoMessage(device, sim);
  expect(await device.typeText("好", never)).toMatchObject({ route: "clipboard", verified: "true" });
  expect(commandsOf(sim)).toEqual([]);
});

test("a helper that its owner has not allowed is not used, and nothing is typed", async () => {
  const { device, sim } = await phoneWith(withHelper, {});
  await intoMessage(device, sim);
  await expect(device.typeText("ok 好", never)).rejects.toMatchObject({
    code: "unsupported_characters",
    hint: "Type the text without these characters, or ask the phone's owner to allow a helper keyboard.",
  });
  expect([sim.screen.fieldTexts[field], commandsOf(sim)]).toEqual(["", []]);
});

test("a helper that is allowed and not installed is named, and nothing is typed", async () => {
  const { device, sim } = await phoneWith({ quirks: { noScrcpy: true } });
  await intoMessage(device, sim);
  await expect(device.typeText("ok 好", never)).rejects.toMatchObject({
    code: "unsupported_characters",
    hint: `Type the text without these characters, or have ${helperKeyboard} installed on the phone.`,
  });
  expect([sim.screen.fieldTexts[field], commandsOf(sim)]).toEqual(["", []]);
});

test("without a field that shows a keyboard nothing is sent, and the user's keyboard is back", async () => {
  const { device, sim } = await phoneWith(withHelper);
  const before = keyboardOf(sim);
  expect(await codeOf(device.typeText("好", never))).toBe("unsupported_characters");
  expect(commandsOf(sim).filter(([name]) => name === "am")).toEqual([]);
  expect(keyboardOf(sim)).toEqual(before);
});

test("a keyboard that was left switched is put back as soon as the phone is seen, without any call", async () => {
  const { sim, address } = await rig.phone(withHelper);
  const folder = await rig.folder();
  const files = { keyFile: join(folder, "key.pem"), putBackFile: join(folder, "put-back.json") };
  const first = await rig.phones({ direct: [address], ...files, helperKeyboard });
  const before = keyboardOf(sim);
  await intoMessage(first.open(sim.serial), sim);
  const typing = first
    .open(sim.serial)
    .typeText("好", never)
    .catch(() => {});
  await expect.poll(() => sim.screen.inputMethod, { interval: 5 }).toBe(helperKeyboard);
  sim.freeze();
  await first.stop();
  sim.unplug();
  sim.thaw();
  await typing;
  expect(sim.screen.inputMethod).toBe(helperKeyboard);
  await rig.phones({ direct: [address], ...files });
  await expect.poll(() => keyboardOf(sim), { timeout: 10_000 }).toEqual(before);
  await expect.poll(() => existsSync(files.putBackFile)).toBe(false);
}, 60_000);

test("a caller is told that a clipboard without text was emptied, and nothing where there was text", async () => {
  const { device, sim } = await phoneWith({});
  await intoMessage(device, sim);
  expect((await toolCaller(device).call("type_text", { text: "好" })).output).toMatchObject({
    ok: true,
    route: "clipboard, which held no text before and is empty now",
  });
  expect(sim.screen.clipboard).toBe("");
  sim.setClipboard("owner's");
  expect((await toolCaller(device).call("type_text", { text: "好" })).output).toMatchObject({ route: "clipboard" });
  expect(sim.screen.clipboard).toBe("owner's");
});
