import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultOcrDir } from "../../../device-agent/ocr/add-on.ts";
import { createProcessTextReader } from "../../../device-agent/ocr/process-text-reader.ts";
import type { TextReader } from "../../../device-agent/ocr/text-reader.ts";
import { createPictureEncoder } from "../../../device-agent/pictures/create-picture-encoder.ts";
import type { Pixels } from "../../../device-agent/pictures/pixels.ts";
import {
  createSimulatedPhone,
  type SimulatedPhoneOptions,
} from "../../../device-agent/simulated-phone/simulated-phone.ts";
import type { TextBox } from "../../../shared/device.ts";
import { describeWithOcr } from "../../support/ocr-add-on.ts";
import { clock, silent } from "../adb/test-parts.ts";
import { buildProgram } from "../support/built-process.ts";

const never = new AbortController().signal;

describeWithOcr("reading the pixels of a simulated phone", () => {
  let program: Awaited<ReturnType<typeof buildProgram>>;
  let reader: TextReader;

  beforeAll(async () => {
    program = await buildProgram("device-agent/ocr/reader-program.ts");
    reader = createProcessTextReader({ ocrDir: defaultOcrDir(), clock, logger: silent, program: program.file });
  });
  afterAll(() => {
    reader?.close();
    program?.remove();
  });

  async function pixelsOf(packageName: string, options: SimulatedPhoneOptions = {}): Promise<Pixels> {
    const phone = createSimulatedPhone(options);
    phone.open(packageName);
    await new Promise((resolve) => setTimeout(resolve, 600));
    return (await createPictureEncoder()).decode({ kind: "png", bytes: await phone.picture() });
  }
  const readApp = async (packageName: string, options?: SimulatedPhoneOptions) =>
    reader.read(await pixelsOf(packageName, options), never);
  const sure = (texts: TextBox[]) => texts.filter(({ score }) => score >= 0.5).map(({ text }) => text);

  test("a page of the Reader, which is one picture, is read line by line with its place", async () => {
    const texts = await readApp("app.farhand.reader");
    expect(sure(texts).slice(-10)).toEqual([
      "The Lighthouse Keeper",
      "On the north side of the bay stood a",
      "lighthouse that nobody had visited for",
      "eleven years.",
      "Every evening at six the lamp was lit,",
      "and every morning at seven it went out",
      "again.",
      "灯塔的看守人从不离开海岸。",
      "Gate code: 4827",
      "1/3",
    ]);
    const { left, top, right, bottom } = texts.find(({ text }) => text === "Gate code: 4827")?.bounds ?? {};
    // Measured in the picture: ink from 87 to 448 and from 1011 to 1051.
    for (const [edge, ink] of [
      [left, 87],
      [top, 1011],
      [right, 448],
      [bottom, 1051],
    ]) {
      expect(Math.abs((edge ?? 0) - (ink ?? 0))).toBeLessThanOrEqual(16);
    }
  });

  test("labels of Settings are read apart, each in its own box", async () => {
    const texts = sure(await readApp("com.android.settings"));
    for (const label of ["Settings", "Network & internet", "Wi-Fi", "Mobile data", "Airplane mode", "Bluetooth"]) {
      expect(texts).toContain(label);
    }
  });

  test("Chinese, English and times of a chat are read; emoji are not", async () => {
    const texts = sure(await readApp("app.farhand.chat"));
    for (const text of [
      "早上好！今天的会议几点开始？",
      "十点，在三楼的会议室。",
      "08:55",
      "Shall we have lunch afterwards?",
    ]) {
      expect(texts).toContain(text);
    }
    expect(texts.join("")).not.toContain("🍜");
  });

  test.each([
    { width: 540, height: 1200, density: 210 },
    { width: 719, height: 1523, density: 281 },
  ])("a screen of $width x $height is read as well", async (panel) => {
    const texts = await readApp("app.farhand.reader", panel);
    expect(sure(texts)).toContain("The Lighthouse Keeper");
    const gate = texts.find(({ text }) => text === "Gate code: 4827")?.bounds;
    const centre = ((gate?.left ?? 0) + (gate?.right ?? 0)) / 2;
    expect(Math.abs(centre / panel.width - 0.247)).toBeLessThan(0.02);
  });

  test("a screen without anything to read has no texts", async () => {
    const size = { width: 1080, height: 2400 };
    const white = new Uint8Array(1080 * 2400 * 3).fill(255);
    expect(await reader.read({ size, channels: 3, data: white }, never)).toEqual([]);
  });

  test("meanwhile this process stays responsive", { retry: 2 }, async () => {
    const pixels = await pixelsOf("com.android.settings");
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last - 5);
      last = performance.now();
    }, 5);
    await reader.read(pixels, never);
    clearInterval(timer);
    expect(longest).toBeLessThan(100);
  });
});
