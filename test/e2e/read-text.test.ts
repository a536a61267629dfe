import { afterAll, beforeAll, expect, test } from "vitest";
import { describeWithOcr } from "../support/ocr-add-on.ts";
import type { McpClient } from "./support/clients.ts";
import { errorOf, type House, openHouse } from "./support/house.ts";

describeWithOcr("a page whose words are pixels only", () => {
  let house: House;
  let client: McpClient;

  beforeAll(async () => {
    house = await openHouse();
    client = await house.connect();
    await client.call("open_app", { package: "app.farhand.reader" });
  });
  afterAll(async () => {
    await client?.close();
    await house?.stop();
  });

  /** Where the finger left the screen, whichever way the touch came. */
  const touches = () =>
    (house.phones[0]?.screen.receivedInputs ?? [])
      .filter(({ kind, detail }) => kind === "tap" || (kind === "motion" && detail.startsWith("up ")))
      .map(({ detail }) => detail.split(" ").slice(-2).map(Number));

  test("read_text tells its lines with their places in the caller's pictures", async () => {
    const { structuredContent } = await client.call("read_text");
    expect(structuredContent).toMatchObject({ ok: true, width: 540, height: 1200, truncated: false });
    const texts = structuredContent?.texts as string[];
    expect(texts.map((line) => line.replace(/ [\d.]+ \[[\d,]+\]$/, ""))).toEqual(
      expect.arrayContaining(['"The Lighthouse Keeper"', '"灯塔的看守人从不离开海岸。"', '"Gate code: 4827"']),
    );
  });

  test("tap_text taps the middle of a text that the tree does not have", async () => {
    const { structuredContent } = await client.call("tap_text", { text: "Gate code: 4827" });
    expect(structuredContent).toMatchObject({ ok: true, found_by: "ocr" });
    // The middle of its ink in the picture is (268, 1031).
    const [x = 0, y = 0] = touches().at(-1) ?? [];
    expect(Math.hypot(x - 268, y - 1031)).toBeLessThan(12);
  });

  test("what is tapped happens: the left half of a page turns back", async () => {
    await client.call("take_screenshot");
    await client.call("tap", { x: 400, y: 700, snap: false });
    expect((await client.call("read_text")).structuredContent?.texts).toContainEqual(
      expect.stringContaining('"Chapter Two"'),
    );
    await client.call("tap_text", { text: "The cat stayed." });
    expect((await client.call("read_text")).structuredContent?.texts).toContainEqual(
      expect.stringContaining('"The Lighthouse Keeper"'),
    );
  });

  test("a text that is nowhere is not found, and nothing is tapped", async () => {
    const before = touches().length;
    const result = await client.call("tap_text", { text: "No such words" });
    expect(errorOf(result)).toMatchObject({ code: "target_not_found" });
    expect(touches()).toHaveLength(before);
  });
});
