import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StaticToken } from "../../gateway/auth/static-token.ts";
import { listedDevice } from "../../shared/tools/devices.ts";
import { connectFakeDeviceAgent } from "./support/fake-device-agent.ts";
import { connectReady, listedDevices, until } from "./support/ready.ts";
import { legacyCall, postModern, postRaw, toolError } from "./support/rpc.ts";
import { startTestGateway, type TestGateway, tokenFor } from "./support/start-test-gateway.ts";

const reader = tokenFor("reader", ["screen:read"]);
const stranger: StaticToken = {
  token: "stranger-token-0123456789-0123456789",
  principal: { tenant: "elsewhere", subject: "stranger", scopes: ["screen:read", "screen:write"], devices: "all" },
  deviceAgents: true,
};
let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startTestGateway({ tokens: [reader, stranger] });
});
afterEach(() => gateway.stop());

const info = {
  ok: true,
  manufacturer: "Google",
  model: "Pixel 8",
  android: "15",
  sdk: 35,
  screen: {},
  battery_percent: null,
  charging: null,
  locale: null,
  abi: null,
  network: null,
  app: null,
  limitations: [],
  device_agent: { version: "0.0.9" },
  gateway: null,
};

const press = (device?: unknown, token?: string) =>
  postRaw(gateway.mcp, legacyCall("press_key", { key: "home", device }), token === undefined ? {} : { token });
const names = async () => (await listedDevices(gateway)).map(({ name }) => name);

describe("device_info", () => {
  it("says of the gateway what it is, whatever the device agent says of it", async () => {
    let told: object = info;
    const agent = await connectReady(gateway, { onCall: (call, self) => self.answer(call, { ...told }) });
    const ask = async () => (await postRaw(gateway.mcp, legacyCall("device_info"))).message.result.structuredContent;
    const own = { version: "0.1.0", git_commit: null, target: "linux-x64", protocol_newest: 1, user_id: 1000 };
    expect(await ask()).toMatchObject({ device_agent: { version: "0.0.9" }, gateway: own });
    told = { ...info, gateway: { version: "6.6.6" } };
    expect(await ask()).toMatchObject({ gateway: own });
    agent.close();
  });

  it("is the only place where that is told", async () => {
    const open = await fetch(`${gateway.url}/`);
    expect(await open.json()).toMatchObject({ name: "farhand", version: "0.1.0", mcp: gateway.mcp });
    for (const path of ["/", "/healthz", "/readyz"]) {
      expect(await (await fetch(gateway.url + path)).text()).not.toMatch(/linux-x64|sha256|build_id/);
    }
  });
});

describe("the list of devices", () => {
  it("tells each one with all that there is to know", async () => {
    await connectReady(gateway, {
      devices: [{}, { key: "two", name: "Old one", state: "unauthorized", hint: "Accept." }],
    });
    const devices = await listedDevices(gateway);
    for (const device of devices) expect(listedDevice.safeParse(device).success).toBe(true);
    const [first, second] = devices;
    expect(second).toMatchObject({ name: "Pixel", model: "Pixel 8", android: "15", state: "device", labels: [] });
    expect(second?.foreground_app).toBe("com.android.settings");
    expect(first).toMatchObject({ name: "Old one", state: "unauthorized", hint: "Accept." });
    expect(JSON.stringify(devices)).not.toContain("emulator-5554");
    expect(devices.map(({ id }) => id)).toEqual([
      expect.stringMatching(/^dev_[0-9a-f]{20}$/),
      expect.stringMatching(/^dev_[0-9a-f]{20}$/),
    ]);
  });

  it("comes in pages without gaps", async () => {
    const devices = Array.from({ length: 7 }, (_, index) => ({ key: `k${index}`, name: `Phone ${index}` }));
    await connectReady(gateway, { devices });
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const args: object = cursor === null ? { limit: 3 } : { limit: 3, cursor };
      const { message } = await postRaw(gateway.mcp, legacyCall("list_devices", args));
      const page = message.result.structuredContent;
      seen.push(...page.devices.map(({ name }: { name: string }) => name));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(devices.map(({ name }) => name));
    const wrong = await postRaw(gateway.mcp, legacyCall("list_devices", { cursor: "'; DROP TABLE devices" }));
    expect(toolError(wrong).code).toBe("invalid_argument");
  });

  it("shows the devices of a device agent that is gone as offline, with a hint", async () => {
    const agent = await connectReady(gateway);
    agent.close();
    await until(async () => (await listedDevices(gateway))[0]?.state === "offline");
    const [device] = await listedDevices(gateway);
    expect(device?.hint).toContain("device agent");
    expect(device?.foreground_app).toBeNull();
  });

  it("keeps a device that was unplugged, as offline", async () => {
    const agent = await connectReady(gateway, { devices: [{}, { key: "two", name: "Second" }] });
    agent.report([{}]);
    await until(async () => (await listedDevices(gateway)).some(({ state }) => state === "offline"));
    expect(await names()).toEqual(["Pixel", "Second"]);
    agent.report([{}, { key: "two", name: "Second" }]);
    await until(async () => (await listedDevices(gateway)).every(({ state }) => state === "device"));
  });
});

describe("a device's name", () => {
  it("is made unique in the order of reports, whatever its case", async () => {
    await connectReady(gateway, { devices: [{}, { key: "b", name: "pixel" }, { key: "c", name: "PIXEL" }] });
    expect(await names()).toEqual(["Pixel", "pixel 2", "PIXEL 3"]);
  });

  it.each(["all", "ANY", "none", "auto", "Default", "null", "undefined", "self", "me"])(
    "is never the reserved word %s",
    async (word) => {
      await connectReady(gateway, { devices: [{ name: word }] });
      expect(await names()).toEqual([`${word} phone`]);
    },
  );

  it("cannot pretend to be an id, and has no line breaks", async () => {
    const name = "dev_0123\n\u202e<b>";
    await connectReady(gateway, { devices: [{ name }] });
    expect(await names()).toEqual(["phone dev_0123 <b>"]);
  });

  it("stays the same while others come and go, and changes when the device agent wants another one", async () => {
    const agent = await connectReady(gateway, { devices: [{}, { key: "b" }] });
    agent.report([{ key: "b" }]);
    await until(async () => (await listedDevices(gateway)).some(({ state }) => state === "offline"));
    expect(await names()).toEqual(["Pixel", "Pixel 2"]);
    agent.report([{}, { key: "b", name: "Kitchen" }]);
    await until(async () => (await names()).includes("Kitchen"));
    expect(await names()).toEqual(["Kitchen", "Pixel"]);
  });
});

describe("the device that a call means", () => {
  it("is the only one when none is named", async () => {
    const agent = await connectReady(gateway);
    expect((await press()).message.result.structuredContent).toEqual({ ok: true });
    expect(agent.calls()[0]?.device).toBe("serial-1");
    expect(agent.calls()[0]?.arguments).not.toHaveProperty("device");
  });

  it("is found by id, and by name in any case", async () => {
    const agent = await connectReady(gateway, { devices: [{}, { key: "two", name: "Küche" }] });
    const id = (await listedDevices(gateway)).find(({ name }) => name === "Küche")?.id;
    for (const device of [id, "küche", "KÜCHE", " Küche "]) await press(device);
    expect(agent.calls().map(({ device }) => device)).toEqual(["two", "two", "two", "two"]);
  });

  it("must be named when there are several, and the names are told", async () => {
    const agent = await connectReady(gateway, { devices: [{}, { key: "two", name: "Second" }] });
    const error = toolError(await press());
    expect(error.code).toBe("invalid_argument");
    expect(error.hint).toBe('Give device: "Pixel" or "Second".');
    expect(agent.calls()).toHaveLength(0);
  });

  it("must be named although the other one was unplugged a moment ago", async () => {
    const agent = await connectReady(gateway, { devices: [{}, { key: "two", name: "Second" }] });
    agent.report([{}]);
    await until(async () => (await listedDevices(gateway)).some(({ state }) => state === "offline"));
    expect(toolError(await press()).code).toBe("invalid_argument");
  });

  it("is not found when there is none, with what to do about it", async () => {
    const error = toolError(await press());
    expect(error.code).toBe("device_not_found");
    expect(error.hint).toContain("device agent");
  });

  it("is not found when it is unknown, or of another tenant, in the same words", async () => {
    await connectReady(gateway);
    const elsewhere = await connectFakeDeviceAgent({
      link: gateway.link,
      token: stranger.token,
      devices: [{ name: "Elsewhere" }],
    });
    await until(async () => (await listedDevices(gateway, stranger.token)).length === 1);
    const [foreign] = await listedDevices(gateway, stranger.token);
    const answers = [await press("nobody"), await press("Elsewhere"), await press(foreign?.id)];
    expect(new Set(answers.map((answer) => JSON.stringify(toolError(answer)))).size).toBe(1);
    expect(toolError(answers[0] as never).code).toBe("device_not_found");
    expect(elsewhere.calls()).toHaveLength(0);
    expect(await names()).toEqual(["Pixel"]);
  });
});

describe("a token's scopes", () => {
  it("decide which tools are listed", async () => {
    const all = (await postModern(gateway.mcp, "tools/list")).message.result.tools;
    const some = (await postModern(gateway.mcp, "tools/list", {}, { token: reader.token })).message.result.tools;
    const toolNames = some.map(({ name }: { name: string }) => name);
    expect(toolNames).toContain("take_screenshot");
    expect(toolNames).not.toContain("tap");
    expect(some.length).toBeLessThan(all.length);
  });

  it.each(["before", "since"])("refuse a tool outside of them with 403 (%s 2026-07-28)", async (era) => {
    const agent = await connectReady(gateway);
    const params = { name: "tap", arguments: { x: 1, y: 1 } };
    const answer =
      era === "before"
        ? await postRaw(gateway.mcp, legacyCall("tap", params.arguments, 7), { token: reader.token })
        : await postModern(gateway.mcp, "tools/call", params, { token: reader.token, id: 7 });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
    expect(answer.headers.get("www-authenticate")).toContain('scope="screen:write"');
    expect(answer.message).toMatchObject({ id: 7, error: { data: { code: "permission_denied" } } });
    expect(agent.calls()).toHaveLength(0);
  });

  it("travel with the call", async () => {
    const agent = await connectReady(gateway, { onCall: (call, self) => self.answer(call, { ok: true }) });
    await postRaw(gateway.mcp, legacyCall("foreground_app"), { token: reader.token });
    expect(agent.calls()[0]).toMatchObject({ scopes: ["screen:read"], principal: { subject: "reader" } });
  });

  it("may be limited to some devices", async () => {
    const agent = await connectReady(gateway, { devices: [{}, { key: "two", name: "Second" }] });
    const id = String((await listedDevices(gateway)).find(({ name }) => name === "Second")?.id);
    const limited = tokenFor("limited", ["screen:read", "screen:write"], [id]);
    const other = await startTestGateway({ tokens: [limited] });
    try {
      const copy = await connectFakeDeviceAgent({ link: other.link, devices: [{}, { key: "two", name: "Second" }] });
      await until(async () => (await listedDevices(other)).length === 2);
      expect((await listedDevices(other, limited.token)).map(({ name }) => name)).toEqual(["Second"]);
      const call = (device?: string) =>
        postRaw(other.mcp, legacyCall("press_key", { key: "home", device }), { token: limited.token });
      expect((await call()).message.result.structuredContent).toEqual({ ok: true });
      expect(toolError(await call("Pixel")).code).toBe("device_not_found");
      expect(copy.calls().map(({ device }) => device)).toEqual(["two"]);
      expect(agent.calls()).toHaveLength(0);
    } finally {
      await other.stop();
    }
  });
});
