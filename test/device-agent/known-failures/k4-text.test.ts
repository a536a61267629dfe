import { afterEach, expect, test } from "vitest";
import type { SimulatedPhone } from "../../../device-agent/simulated-phone/simulated-phone.ts";
import type { Device } from "../../../shared/device.ts";
import { toolCaller } from "../../support/tool-caller.ts";
import { Rig } from "../adb/rig.ts";
import { codeOf, never } from "../adb/test-parts.ts";
import { runsOf } from "./touches.ts";

const rig = new Rig();
afterEach(() => rig.close());

async function intoMessage(device: Device, sim: SimulatedPhone): Promise<void> {
  sim.open("app.farhand.chat");
  const field = (await device.readTree(never)).nodes.find((node) => node.resourceId.endsWith("message_input"))?.bounds;
  await device.tap({ x: (field?.left ?? 0) + 20, y: (field?.top ?? 0) + 20 }, never);
}

const DANGEROUS = [
  "a; input keyevent 3",
  "$(reboot)",
  "`id`",
  "it's",
  "#general",
  "~/x",
  "a$a",
  "*",
  "\\",
  "a  b",
  "%s",
];

test("text that would be a command arrives as text, and no second program runs", async () => {
  const { device, sim } = await rig.device("direct");
  await intoMessage(device, sim);
  const before = new Set(sim.ranPrograms());
  for (const text of DANGEROUS) await device.typeText(text, never);
  expect(sim.screen.focusedFieldText).toBe(DANGEROUS.join(""));
  const programs = sim.ranPrograms().filter((argv) => !before.has(argv));
  expect(programs.some((argv) => ["reboot", "id"].includes(argv[0] ?? ""))).toBe(false);
  expect(JSON.stringify(programs)).not.toContain('"keyevent","3"');
});

test("text that no key can type arrives by another way, or is refused whole before the first character", async () => {
  const able = await rig.device("direct");
  await intoMessage(able.device, able.sim);
  expect(await able.device.typeText("你好 é 👍", never)).toMatchObject({ verified: "true" });
  expect(able.sim.screen.focusedFieldText).toBe("你好 é 👍");
  const unable = await rig.device("direct", { quirks: { noScrcpy: true } });
  await intoMessage(unable.device, unable.sim);
  expect(await codeOf(unable.device.typeText("abc 你好", never))).toBe("unsupported_characters");
  expect(unable.sim.screen.focusedFieldText).toBe("");
});

test("a helper that ended without a word is tried once more before the phone is said to forbid it", async () => {
  const once = await rig.device("direct", { quirks: { silentScrcpy: 1 } });
  await once.device.writeClipboard("好", never);
  expect(once.sim.screen.clipboard).toBe("好");
  const always = await rig.device("direct", { quirks: { silentScrcpy: "always" } });
  expect(await codeOf(always.device.writeClipboard("好", never))).toBe("clipboard_unavailable");
});

test("characters that a slow phone loses are told with what the field holds, and a password is not claimed", async () => {
  const { device, sim } = await rig.device("direct", { quirks: { dropsCharacters: 7 } });
  await intoMessage(device, sim);
  const typed = await device.typeText("the quick brown fox jumps over the dogs", never);
  expect(typed.verified).toBe("false");
  expect(typed.fieldText).toBe(sim.screen.focusedFieldText);
});

test("a long text arrives whole in pieces, and one over the limit is refused before anything is typed", async () => {
  const { device, sim } = await rig.device("direct");
  await intoMessage(device, sim);
  const long = "0123456789".repeat(400);
  expect(await device.typeText(long, never)).toMatchObject({ verified: "true" });
  expect(sim.screen.focusedFieldText).toBe(long);
  const before = sim.screen.receivedInputs.length;
  expect(await codeOf(toolCaller(device).call("type_text", { text: "x".repeat(70_000) }))).toBe("invalid_argument");
  expect(sim.screen.receivedInputs.length).toBe(before);
});

test("the owner's keyboard is never switched, nor any other put in its place", async () => {
  const { device, sim } = await rig.device("direct");
  await intoMessage(device, sim);
  await device.typeText("Ünïcödé 漢字", never);
  await device.typeText("plain", never);
  expect([runsOf(sim, "ime"), runsOf(sim, "cmd", "input_method")]).toEqual([[], []]);
  expect(sim.ranPrograms().some((argv) => argv.includes("default_input_method") && argv.includes("put"))).toBe(false);
});

test("the clipboard is read on a phone that hides it from the shell, and failing to read is never an empty text", async () => {
  const { device, sim } = await rig.device("direct", { profile: "android13" });
  sim.setClipboard("owner's");
  expect(await device.readClipboard(never)).toBe("owner's");
  const blind = await rig.device("direct", { profile: "android13", quirks: { noScrcpy: true } });
  blind.sim.setClipboard("owner's");
  expect(await codeOf(blind.device.readClipboard(never))).toBe("clipboard_unavailable");
  expect(await codeOf(blind.device.writeClipboard("x", never))).toBe("clipboard_unavailable");
});
