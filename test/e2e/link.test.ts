import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { legacySdkClient, sdkClient } from "./support/clients.ts";
import { errorOf, type House, openHouse } from "./support/house.ts";
import { touches } from "./support/touches.ts";
import { until } from "./support/until.ts";

describe("a link that is lost in the middle", () => {
  let house: House;

  beforeAll(async () => {
    house = await openHouse({ phones: [{ latency: "real" }] });
  });
  afterAll(() => house?.stop());
  beforeEach(() => house.ready());

  const taps = () => touches(house.phones[0]).length;

  test("a read goes on and its answer arrives by the next link", async () => {
    const client = await house.connect();
    const waiting = client.call("wait_for", { text: "No such text", timeout_ms: 6_000 });
    await until(() => house.link.connections() > 0);
    await pauseMs(1_000);
    house.link.cut();
    await pauseMs(500);
    house.link.restore();
    expect((await waiting).structuredContent).toMatchObject({ ok: false, met: false });
    await client.close();
  });

  test("a write acts once and its answer arrives by the next link", async () => {
    const client = await house.connect();
    await client.call("take_screenshot");
    const before = taps();
    const tapping = client.call("tap", { x: 270, y: 900, snap: false, observe: "screenshot" });
    await until(() => taps() > before);
    house.link.cut();
    await pauseMs(300);
    house.link.restore();
    expect((await tapping).structuredContent).toMatchObject({ ok: true });
    expect(taps()).toBe(before + 1);
    await client.close();
  });

  test.each([sdkClient, legacySdkClient])(
    "$name goes on after the gateway was restarted between two calls",
    async (kind) => {
      const client = await house.connect(kind);
      expect((await client.call("foreground_app")).structuredContent).toMatchObject({ ok: true });
      await house.restartGateway();
      expect((await client.call("foreground_app")).structuredContent).toMatchObject({ ok: true });
      await client.close();
    },
  );

  test("a device agent killed between touching the phone and answering leaves the outcome unknown, and taps no second time", async () => {
    const client = await house.connect();
    await client.call("take_screenshot");
    const before = taps();
    const pressing = client.call("long_press", { x: 270, y: 900, snap: false, duration_ms: 3_000 });
    await until(() => taps() > before);
    await house.killDeviceAgent();
    await house.startDeviceAgent();
    const result = await pressing;
    expect(result.isError).toBe(true);
    expect(errorOf(result)).toMatchObject({ code: "outcome_unknown" });
    await pauseMs(1_000);
    expect(taps()).toBe(before + 1);
    await client.close();
  });
});

function pauseMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
