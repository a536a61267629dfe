import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aiSdkClient, type McpClient, sdkClient } from "./support/clients.ts";
import { devicesOf, errorOf, type House, type Listed, openHouse } from "./support/house.ts";
import { touches } from "./support/touches.ts";

const places = (house: House, phone: number) => touches(house.phones[phone]);

describe("two phones and two clients", () => {
  let house: House;
  let devices: Listed[];

  beforeAll(async () => {
    house = await openHouse({ phones: [{ model: "Alpha" }, { model: "Beta" }] });
    const client = await house.connect();
    devices = devicesOf(await client.call("list_devices"));
    await client.close();
  });
  afterAll(() => house?.stop());

  test("each of a hundred interleaved calls reaches its own phone and no other", async () => {
    const clients = await Promise.all([house.connect(sdkClient), house.connect(aiSdkClient)]);
    const drive = async (client: McpClient, device: string, offset: number) => {
      await client.call("take_screenshot", { device });
      for (let call = 0; call < 50; call++) await client.call("tap", { device, x: offset + call, y: 600, snap: false });
    };
    const [one, other] = clients;
    await Promise.all([drive(one, "Alpha", 100), drive(other, "Beta", 300)]);
    for (const [phone, offset] of [100, 300].entries()) {
      expect(places(house, phone).map(([x]) => x)).toEqual(
        Array.from({ length: 50 }, (_, call) => 2 * (offset + call)),
      );
    }
    await Promise.all(clients.map((client) => client.close()));
  });

  test("a call must say which phone, by id or by name in any case, and is told the names otherwise", async () => {
    const client = await house.connect();
    const nameless = await client.call("foreground_app");
    expect(errorOf(nameless)).toMatchObject({ code: "invalid_argument" });
    for (const name of ["Alpha", "Beta"]) expect(JSON.stringify(errorOf(nameless))).toContain(name);
    for (const device of ["alpha", devices[0]?.id ?? ""]) {
      expect((await client.call("foreground_app", { device })).structuredContent).toMatchObject({ ok: true });
    }
    expect(errorOf(await client.call("foreground_app", { device: "Gamma" }))).toMatchObject({
      code: "device_not_found",
    });
    await client.close();
  });

  test("a phone that is unplugged is shown as gone, is refused with a hint, and comes back by itself", async () => {
    const client = await house.connect();
    const stateOf = async () => devicesOf(await client.call("list_devices")).find(({ name }) => name === "Beta")?.state;
    await house.phones[1]?.close();
    await expect.poll(stateOf, { timeout: 15_000 }).not.toBe("device");
    const refused = errorOf(await client.call("foreground_app", { device: "Beta" }));
    expect(refused.code).toBe("device_offline");
    expect(refused.hint).toMatch(/\.$/);
    expect((await client.call("foreground_app", { device: "Alpha" })).structuredContent).toMatchObject({ ok: true });
    await client.close();
  });
});

describe("two conversations of one token on one phone", () => {
  let house: House;

  beforeAll(async () => {
    house = await openHouse();
  });
  afterAll(() => house?.stop());
  beforeEach(() => house.ready());

  test("pictures of different widths give the right tap or a refusal, never a wrong tap", async () => {
    const [one, other] = [await house.connect(), await house.connect()];
    const wide = (await one.call("take_screenshot")).structuredContent;
    const narrow = (await other.call("take_screenshot", { max_width: 270 })).structuredContent;
    const nameless = await one.call("tap", { x: 200, y: 500, snap: false });
    expect(errorOf(nameless)).toMatchObject({ code: "invalid_argument" });
    expect(errorOf(nameless).message).toContain("screenshot_id");
    expect(places(house, 0)).toEqual([]);
    await one.call("tap", { x: 200, y: 500, snap: false, screenshot_id: wide?.screenshot_id });
    await other.call("tap", { x: 100, y: 250, snap: false, screenshot_id: narrow?.screenshot_id });
    expect(places(house, 0)).toEqual([
      [400, 1000],
      [400, 1000],
    ]);
    await Promise.all([one.close(), other.close()]);
  });

  test("a picture taken before the phone was turned is refused, a new one works", async () => {
    const client = await house.connect();
    const before = (await client.call("take_screenshot")).structuredContent;
    house.phones[0]?.open("app.farhand.notes");
    house.phones[0]?.rotate(1);
    await client.call("wait_for", { idle: true });
    const taps = places(house, 0).length;
    const stale = await client.call("tap", { x: 200, y: 500, screenshot_id: before?.screenshot_id });
    expect(errorOf(stale)).toMatchObject({ code: "screen_changed" });
    expect(places(house, 0)).toHaveLength(taps);
    const after = (await client.call("take_screenshot")).structuredContent;
    expect(after).toMatchObject({ width: 540, height: 243, rotation: 1 });
    await client.call("tap", { x: 200, y: 100, snap: false, screenshot_id: after?.screenshot_id });
    expect(places(house, 0)).toHaveLength(taps + 1);
    await client.close();
  });
});
