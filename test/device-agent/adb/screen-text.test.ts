import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readScreenText } from "../../../device-agent/adb/screen/screen-text.ts";
import type { TextReader } from "../../../device-agent/ocr/text-reader.ts";
import type { Pixels } from "../../../device-agent/pictures/pixels.ts";
import type { SimulatedPhoneOptions } from "../../../device-agent/simulated-phone/simulated-phone.ts";
import type { Device, TextBox } from "../../../shared/device.ts";
import { centre } from "../../../shared/screen/elements.ts";
import { Rig } from "./rig.ts";
import { codeOf, never } from "./test-parts.ts";

let rig: Rig;
beforeEach(() => {
  rig = new Rig();
});
afterEach(() => rig.close());

/** Reads the same in every picture and keeps what it was given. */
class FakeReader implements TextReader {
  readonly seen: Pixels[] = [];
  why: string | undefined;
  texts: TextBox[] = [{ text: "Save", score: 0.9, bounds: { left: 10, top: 20, right: 110, bottom: 60 } }];
  closed = false;

  async missing(): Promise<string | undefined> {
    return this.why;
  }

  async read(image: Pixels): Promise<TextBox[]> {
    this.seen.push(image);
    return this.texts;
  }

  close(): void {
    this.closed = true;
  }
}

async function phoneWith(textReader: TextReader | undefined, options: SimulatedPhoneOptions = {}) {
  const { sim, address } = await rig.phone(options);
  const keyFile = join(await rig.folder(), "key.pem");
  const phones = await rig.phones({ direct: [address], keyFile, ...(textReader ? { textReader } : {}) });
  return { sim, phones, device: phones.open(sim.serial) };
}

/** Behind the sign-in it asks for no pictures. */
async function signInToBank(device: Device): Promise<void> {
  await device.startApp("app.farhand.bank", never);
  const find = async (id: string) => {
    const { nodes } = await device.readTree(never);
    const found = nodes.find(({ resourceId }) => resourceId === `app.farhand.bank:id/${id}`);
    if (!found) throw new Error(`There is no ${id}.`);
    return centre(found.bounds);
  };
  for (const field of ["username", "password"]) {
    await device.tap(await find(field), never);
    await device.typeText("hunter2!", never);
  }
  await device.pressKey("enter", never);
}

test("the reader gets the screen at its own size, by the raw and by the PNG way", async () => {
  const reader = new FakeReader();
  const { device } = await phoneWith(reader);
  const first = await device.readText(never);
  await device.readText(never);
  expect(first).toEqual({ size: { width: 540, height: 1200 }, rotation: 0, black: false, texts: reader.texts });
  for (const { size, channels, data } of reader.seen) {
    expect(size).toEqual({ width: 540, height: 1200 });
    expect(data.length).toBe(540 * 1200 * channels);
  }
  expect(reader.seen.map(({ channels }) => channels)).toEqual([3, 4]);
});

test("boxes are in the pixels in which touches count, where the picture has others", async () => {
  const reader = new FakeReader();
  const pixels: Pixels = { size: { width: 100, height: 200 }, channels: 3, data: new Uint8Array(60_000) };
  const capture = {
    pixels: async () => ({ pixels, size: { width: 150, height: 300 }, rotation: 0 as const, black: false }),
  };
  const { size, texts } = await readScreenText({ capture, reader }, never);
  expect(size).toEqual({ width: 150, height: 300 });
  expect(texts.map(({ bounds }) => bounds)).toEqual([{ left: 15, top: 30, right: 165, bottom: 90 }]);
});

test("a black screen is told as such, and nothing is read", async () => {
  const reader = new FakeReader();
  const pixels: Pixels = { size: { width: 10, height: 10 }, channels: 3, data: new Uint8Array(300) };
  const capture = { pixels: async () => ({ pixels, size: pixels.size, rotation: 0 as const, black: true }) };
  expect(await readScreenText({ capture, reader }, never)).toMatchObject({ black: true, texts: [] });
  expect(reader.seen).toEqual([]);
});

test("boxes follow a screen that is turned", async () => {
  const { sim, device } = await phoneWith(new FakeReader());
  sim.open("app.farhand.reader");
  sim.rotate(1);
  expect(await device.readText(never)).toMatchObject({ size: { width: 1200, height: 540 }, rotation: 1 });
});

test("a dark screen and a secure one are told as for a picture, and nothing is read", async () => {
  const reader = new FakeReader();
  const { sim, device } = await phoneWith(reader);
  await signInToBank(device);
  expect(await codeOf(device.readText(never))).toBe("screen_secure");
  sim.lock();
  expect(await codeOf(device.readText(never))).toBe("screen_off");
  expect(reader.seen).toEqual([]);
});

test("without a reader, or without its add-on, no picture is taken", async () => {
  const reader = new FakeReader();
  reader.why = "It is not installed.";
  for (const one of [undefined, reader]) {
    const { sim, device } = await phoneWith(one);
    expect(await codeOf(device.readText(never))).toBe("unsupported");
    expect(sim.ranPrograms().filter(([program]) => program === "screencap")).toEqual([]);
  }
});

test("device_info names the add-on as long as it is missing", async () => {
  const reader = new FakeReader();
  reader.why = "It is not installed.";
  const { device } = await phoneWith(reader);
  const missing = { tool: "read_text", reason: "It is not installed." };
  expect((await device.facts(never)).limitations).toContainEqual(missing);
  reader.why = undefined;
  expect((await device.facts(never)).limitations).not.toContainEqual(missing);
});

test("the reader is closed with the phones", async () => {
  const reader = new FakeReader();
  const { phones } = await phoneWith(reader);
  await phones.stop();
  expect(reader.closed).toBe(true);
});
