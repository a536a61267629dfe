import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyClient, type McpClient } from "./support/clients.ts";
import { devicesOf, type House, openHouse, type Route } from "./support/house.ts";

const routes: Route[] = process.env.FARHAND_TEST_WITHOUT_ADB ? ["direct"] : ["direct", "adb"];

/** One client starts a process for each call, which is slow where much else runs. */
const patienceMs = 90_000;

describe.each(routes)("a phone by the %s route", { timeout: patienceMs }, (route) => {
  let house: House;

  beforeAll(async () => {
    house = await openHouse({ route });
  });
  afterAll(() => house?.stop());

  describe.each(everyClient)("driven by $name", (kind) => {
    let client: McpClient;

    beforeAll(async () => {
      client = await house.connect(kind);
    });
    afterAll(() => client?.close());

    test("the client lists the tools and the phone", async () => {
      const names = await client.toolNames();
      expect(names).toHaveLength(44);
      expect(names).toContain("type_text");
      const devices = devicesOf(await client.call("list_devices"));
      expect(devices).toMatchObject([{ name: "Farhand Sim", state: "device" }]);
      expect(devices[0]?.id).toMatch(/^dev_[0-9a-f]{20}$/);
    });

    test("it sees the screen in a JPEG of at most 540 pixels' width", async () => {
      const { content, structuredContent } = await client.call("take_screenshot");
      const image = content.find(({ type }) => type === "image");
      expect(image?.mimeType).toBe("image/jpeg");
      const { format, width, height } = await sharp(Buffer.from(image?.data ?? "", "base64")).metadata();
      expect([format, width, height]).toEqual(["jpeg", 540, 1200]);
      expect(structuredContent).toMatchObject({ ok: true, width: 540, height: 1200, native_width: 1080 });
    });

    test("it opens an app, taps a text, types 你好🙂 and reads it back from the tree", async () => {
      await client.call("open_app", { package: "app.farhand.notes" });
      const tapped = await client.call("tap_text", { text: "New note" });
      expect(tapped.structuredContent).toMatchObject({ ok: true });
      await client.call("wait_for", { text: "Save" });
      const typed = await client.call("type_text", { text: "你好🙂" });
      expect(typed.structuredContent).toMatchObject({ ok: true, verified: "true", characters: 3 });
      const tree = await client.call("read_ui_tree");
      expect(JSON.stringify(tree.structuredContent?.elements)).toContain("你好🙂");
      expect(house.phones[0]?.screen.focusedFieldText).toBe("你好🙂");
      await client.call("press_key", { key: "back", times: 2 });
    });

    test("it opens an address, zooms in, turns the screen and looks again only if something changed", async () => {
      const opened = await client.call("open_url", { url: "geo:48.2,16.4" });
      expect(opened.structuredContent).toMatchObject({ ok: true, package: "app.farhand.maps", chooser: false });
      const first = await client.call("take_screenshot");
      const { screenshot_id: id } = first.structuredContent ?? {};
      const again = await client.call("take_screenshot", { if_changed_since: id });
      expect(again.structuredContent).toMatchObject({ ok: true, unchanged: true, screenshot_id: id });
      expect(again.content.some(({ type }) => type === "image")).toBe(false);
      const zoomed = await client.call("pinch", { x: 270, y: 620, scale: 2, screenshot_id: id });
      expect(zoomed.structuredContent).toMatchObject({ ok: true, route: "scrcpy" });
      const turned = await client.call("set_orientation", { orientation: "landscape" });
      expect(turned.structuredContent).toMatchObject({ ok: true, rotation: 1, width: 2400, height: 1080 });
      await client.call("set_orientation", { orientation: "portrait" });
      await client.call("press_key", { key: "home" });
    });

    test("an error is a result that says what to do next", async () => {
      const result = await client.call("tap_text", { text: "There is no such text" });
      expect(result.isError).toBe(true);
      expect(JSON.stringify(result.content)).toContain("target_not_found");
    });
  });
});
