import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorOf, type House, openHouse } from "./support/house.ts";

const lines = (path: string) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("a phone whose owner allowed nothing yet", () => {
  let house: House;

  beforeAll(async () => {
    house = await openHouse({ allow: "read" });
  });
  afterAll(() => house?.stop());

  test("can be looked at and not touched, and the answer says who can change that", async () => {
    const client = await house.connect();
    expect((await client.call("take_screenshot")).structuredContent).toMatchObject({ ok: true });
    const refused = errorOf(await client.call("tap", { x: 10, y: 10, snap: false }));
    expect(refused.code).toBe("write_disabled");
    expect(refused.hint).toContain("--allow write");
    expect(house.phones[0]?.screen.receivedInputs).toEqual([]);
    await client.close();
  });

  test("is opened by the owner's file while everything runs", async () => {
    const client = await house.connect();
    const policy = { default: { "screen:write": "allow" } };
    writeFileSync(join(house.dataDir, "device-agent", "policy.json"), JSON.stringify(policy));
    await client.call("take_screenshot");
    const isOk = async () => (await client.call("tap", { x: 10, y: 10, snap: false })).isError !== true;
    await expect.poll(isOk, { timeout: 10_000 }).toBe(true);
    await client.close();
  });
});

describe("what is written down", () => {
  let house: House;

  beforeAll(async () => {
    house = await openHouse();
  });
  afterAll(() => house?.stop());

  test("is one line per call on both sides, without what was typed", async () => {
    const client = await house.connect();
    await client.call("open_app", { package: "app.farhand.notes" });
    await client.call("tap_text", { text: "New note" });
    await client.call("type_text", { text: "my secret words" });
    await client.call("tap_text", { text: "There is no such text" });
    await client.call("foreground_app", { device: "nobody's" });
    await client.close();
    const gateway = join(house.dataDir, "gateway", "audit.jsonl");
    const deviceAgent = join(house.dataDir, "device-agent", "audit.jsonl");
    await expect.poll(() => lines(gateway).filter(({ tool }) => tool === "foreground_app").length).toBe(1);
    const of = (path: string, tool: string) => lines(path).filter((line) => line.tool === tool);
    expect(of(gateway, "type_text")).toHaveLength(1);
    expect(of(deviceAgent, "type_text")).toHaveLength(1);
    expect(of(gateway, "tap_text").map(({ outcome }) => outcome)).toEqual(["ok", "target_not_found"]);
    expect(of(gateway, "foreground_app").map(({ outcome }) => outcome)).toEqual(["device_not_found"]);
    for (const path of [gateway, deviceAgent]) {
      expect(readFileSync(path, "utf8")).not.toContain("secret words");
      expect(readFileSync(path, "utf8")).not.toContain(house.token);
    }
  });
});
