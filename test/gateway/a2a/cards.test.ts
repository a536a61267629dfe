import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toolSpecs } from "../../../shared/tools/specs.ts";
import type { FakeDeviceAgent } from "../support/fake-device-agent.ts";
import { connectReady } from "../support/ready.ts";
import { ownerToken, tokenFor } from "../support/start-test-gateway.ts";
import { bindings, toldHttp } from "./support/bindings.ts";
import { agentCard } from "./support/proto.ts";
import { type A2aGateway, onlooker, startA2a } from "./support/start.ts";

const narrow = tokenFor("narrow", ["screen:read", "task:run"], []);

let gateway: A2aGateway;
let deviceAgent: FakeDeviceAgent;
let deviceId: string;
beforeAll(async () => {
  gateway = await startA2a({ flags: { publicUrl: "https://phones.example/gate/" }, tokens: [narrow] });
  deviceAgent = await connectReady(
    { ...gateway, mcp: `${gateway.local}/mcp`, link: `${gateway.local.replace("http", "ws")}/link` },
    { devices: [{ name: "Secret Pixel" }, { key: "s2", name: "rest" }] },
  );
  deviceId = (await extended()).params.devices[0].id;
});
afterAll(async () => {
  deviceAgent.close();
  await gateway.stop();
});

const get = (path: string, headers: Record<string, string | undefined> = {}, method = "GET") =>
  fetch(`${gateway.local}${path}`, { method, headers: JSON.parse(JSON.stringify(headers)) });
const owner = { authorization: `Bearer ${ownerToken}` };
const wellKnown = "/.well-known/agent-card.json";
async function extended(options = {}) {
  const { result } = await bindings[0].call(gateway.local, "GetExtendedAgentCard", {}, options);
  return { card: result, params: result.capabilities.extensions[0].params };
}

describe("the public card", () => {
  it("is for anybody and says what there is, by the public address", async () => {
    const response = await get(wellKnown);
    expect(response.headers.get("content-type")).toBe("application/json");
    const card = agentCard.parse(await response.json());
    expect(card.supportedInterfaces).toEqual([
      { url: "https://phones.example/gate/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: "https://phones.example/gate/a2a/rest", protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    ]);
    expect(card.capabilities).toMatchObject({ streaming: true, pushNotifications: true, extendedAgentCard: true });
    expect(card.securityRequirements).toEqual([{ schemes: { bearer: { list: ["task:run"] } } }]);
  });

  it("names no device and no address from inside", async () => {
    const text = await (await get(wellKnown)).text();
    expect(text).not.toContain("Secret Pixel");
    expect(text).not.toContain(deviceId);
    expect(text).not.toContain("127.0.0.1");
  });

  it("has the skills chat and steps, and every tool under its permission", async () => {
    const { skills } = agentCard.parse(await (await get(wellKnown)).json());
    expect(skills.slice(0, 2).map(({ id }) => id)).toEqual(["chat", "steps"]);
    for (const { name, permission } of toolSpecs) {
      if (permission === "task:run") continue;
      const skill = skills.find(({ id }) => id === permission);
      expect(skill?.tags).toContain(name);
      expect(skill?.securityRequirements).toEqual([{ schemes: { bearer: { list: ["task:run", permission] } } }]);
    }
  });

  it("is not sent again to a client that has it", async () => {
    const first = await get(wellKnown);
    const etag = first.headers.get("etag") ?? "";
    const modified = first.headers.get("last-modified") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(first.headers.get("cache-control")).toBe("public, max-age=300");
    expect(first.headers.get("a2a-version")).toBe("1.0");
    for (const headers of [
      { "if-none-match": etag },
      { "if-none-match": `"other", W/${etag}` },
      { "if-none-match": "*" },
      { "if-modified-since": modified },
    ]) {
      const again = await get(wellKnown, headers);
      expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    }
    const past = "Thu, 01 Jan 2015 00:00:00 GMT";
    for (const headers of [
      { "if-none-match": '"other"' },
      { "if-none-match": '"other"', "if-modified-since": modified },
      { "if-modified-since": past },
      { "if-modified-since": "whenever" },
    ]) {
      expect((await get(wellKnown, headers)).status).toBe(200);
    }
  });

  it("answers HEAD without a body", async () => {
    const response = await get(wellKnown, {}, "HEAD");
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("etag")).toMatch(/^"/);
  });
});

describe("the card of a device", () => {
  it("is for those who may use the device, by id or name", async () => {
    for (const device of [deviceId, "secret%20pixel"]) {
      const response = await get(`/a2a/${device}/agent-card.json`, owner);
      const card = agentCard.parse(await response.json());
      expect(card.name).toContain("Secret Pixel");
      expect(card.supportedInterfaces.map(({ url }) => url)).toEqual([
        `https://phones.example/gate/a2a/${deviceId}`,
        `https://phones.example/gate/a2a/${deviceId}/rest`,
      ]);
      expect(response.headers.get("cache-control")).toBe("private, max-age=60");
      const etag = response.headers.get("etag") ?? "";
      expect((await get(`/a2a/${device}/agent-card.json`, { ...owner, "if-none-match": etag })).status).toBe(304);
    }
  });

  it.each([
    ["without a token", {}, 401, "UNAUTHENTICATED"],
    ["with a token for other devices", { authorization: `Bearer ${narrow.token}` }, 404, "DEVICE_NOT_FOUND"],
  ])("is not told %s", async (_, headers, status, reason) => {
    const response = await get(`/a2a/${deviceId}/agent-card.json`, headers);
    expect([response.status, toldHttp(await response.json()).reason]).toEqual([status, reason]);
  });

  it("of no device is not there, and only read", async () => {
    expect((await get("/a2a/nobody/agent-card.json", owner)).status).toBe(404);
    expect((await get(`/a2a/${deviceId}/agent-card.json/x`, owner)).status).toBe(404);
    const posted = await get(`/a2a/${deviceId}/agent-card.json`, owner, "POST");
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});

describe.each(bindings)("the extended card by $name", (binding) => {
  const ask = async (options = {}) => (await binding.call(gateway.local, "GetExtendedAgentCard", {}, options)).result;

  it("has every tool with its schemas, and the devices", async () => {
    const { params } = (await ask()).capabilities.extensions[0];
    expect(params.tools.map(({ name }: { name: string }) => name)).toEqual(toolSpecs.map(({ name }) => name));
    for (const tool of params.tools) {
      expect(tool).toMatchObject({ inputSchema: { type: "object" }, outputSchema: { type: "object" } });
    }
    expect(params.devices[0]).toEqual({ id: deviceId, name: "Secret Pixel" });
  });

  it("has only what its reader may do, even one who may run no Tasks", async () => {
    const card = await ask({ token: onlooker.token });
    const { tools } = card.capabilities.extensions[0].params;
    expect(new Set(tools.map(({ permission }: { permission: string }) => permission))).toEqual(
      new Set(["screen:read"]),
    );
    expect(card.skills.map(({ id }: { id: string }) => id)).toEqual(["chat", "steps", "screen:read"]);
    const { devices } = (await ask({ token: narrow.token })).capabilities.extensions[0].params;
    expect(devices).toEqual([]);
  });

  it("of a device's own address is about this device", async () => {
    const card = await ask({ device: "secret pixel" });
    expect(card.name).toContain("Secret Pixel");
    expect(card.capabilities.extensions[0].params.devices).toEqual([{ id: deviceId, name: "Secret Pixel" }]);
  });

  it("needs a token", async () => {
    expect((await binding.call(gateway.local, "GetExtendedAgentCard", {}, { token: null })).status).toBe(401);
  });
});

describe("addresses", () => {
  it("leave no room for a device that is called like one of their words", async () => {
    const { params } = await extended();
    expect(params.devices.map(({ name }: { name: string }) => name)).toEqual(["Secret Pixel", "rest phone"]);
  });

  it("of the extended card are cached for its reader alone", async () => {
    const headers = { ...owner, "a2a-version": "1.0" };
    const response = await get("/a2a/rest/extendedAgentCard", headers);
    expect(response.headers.get("cache-control")).toBe("private, max-age=60");
    const etag = response.headers.get("etag") ?? "";
    expect((await get("/a2a/rest/extendedAgentCard", { ...headers, "if-none-match": etag })).status).toBe(304);
  });

  it("of A2A are at the gateway's root", async () => {
    expect(await (await get("/")).json()).toMatchObject({ a2a: "https://phones.example/gate/a2a" });
  });
});
