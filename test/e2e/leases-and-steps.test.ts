import { afterAll, beforeAll, expect, test } from "vitest";
import { aiSdkClient, sdkClient } from "./support/clients.ts";
import { devicesOf, errorOf, type House, openHouse } from "./support/house.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse({ phones: [{ model: "Alpha" }, { model: "Beta" }] });
});
afterAll(() => house?.stop());

test("two conversations with one token each hold a phone of their own, across a restart of the device agent", async () => {
  const [one, other] = await Promise.all([house.connect(sdkClient), house.connect(aiSdkClient)]);
  const mine = (await one.call("acquire_device", { any: true, purpose: "a test" })).structuredContent ?? {};
  const theirs = (await other.call("acquire_device", { any: true })).structuredContent ?? {};
  expect([mine.name, theirs.name]).toEqual(["Alpha", "Beta"]);
  const press = (args: object) => other.call("press_key", { device: "Alpha", key: "home", ...args });
  expect(errorOf(await press({}))).toMatchObject({ code: "device_busy" });
  expect((await other.call("foreground_app", { device: "Alpha" })).structuredContent).toMatchObject({ ok: true });

  await house.killDeviceAgent();
  await house.startDeviceAgent();
  await house.ready();
  expect(errorOf(await press({})).message).toBe(
    `You (owner) lease this phone until ${mine.expires_at}; this call names no lease.`,
  );
  expect((await press({ lease_id: mine.lease_id })).structuredContent).toMatchObject({ ok: true });
  const [alpha] = devicesOf(await one.call("list_devices"));
  expect(alpha).toMatchObject({ lease_holder: "owner", lease_expires_at: mine.expires_at });
  for (const { lease_id } of [mine, theirs]) {
    expect((await one.call("release_device", { lease_id })).structuredContent).toMatchObject({ ok: true });
  }
  expect((await press({})).structuredContent).toMatchObject({ ok: true });
  await Promise.all([one.close(), other.close()]);
});

test("a note is written in one round trip, and one picture shows it", async () => {
  const client = await house.connect();
  const steps = [
    { tool: "wake" },
    { tool: "open_app", arguments: { package: "app.farhand.notes", observe: "screenshot" } },
    { tool: "tap_element", arguments: { desc: "New note" } },
    { tool: "wait_for", arguments: { idle: true } },
    { tool: "tap_text", arguments: { text: "Title" } },
    { tool: "type_text", arguments: { text: "Milk, 你好", observe: "screenshot" } },
  ];
  const answer = await client.call("run_steps", { device: "Beta", steps });
  expect(answer.structuredContent).toMatchObject({ ok: true, succeeded: 6, failed: 0, skipped: 0 });
  expect(answer.content.filter(({ type }) => type === "image")).toHaveLength(1);
  expect(Object.values(house.phones[1]?.screen.fieldTexts ?? {})).toContain("Milk, 你好");
  await client.close();
});
