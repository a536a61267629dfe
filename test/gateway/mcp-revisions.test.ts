import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectFakeDeviceAgent, type FakeDeviceAgent } from "./support/fake-device-agent.ts";
import { legacy, legacyCall, postModern, postRaw } from "./support/rpc.ts";
import { ownerToken, startTestGateway, type TestGateway } from "./support/start-test-gateway.ts";

let gateway: TestGateway;
let deviceAgent: FakeDeviceAgent;

beforeAll(async () => {
  gateway = await startTestGateway();
  deviceAgent = await connectFakeDeviceAgent({ link: gateway.link, devices: [{}] });
  await deviceAgent.next("welcome");
});
afterAll(async () => {
  deviceAgent.close();
  await gateway.stop();
});

describe.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("a client of %s", (version) => {
  const headers = { "mcp-protocol-version": version };
  const clientInfo = { name: "old client", version: "1" };

  it("negotiates its own version", async () => {
    const params = { protocolVersion: version, capabilities: {}, clientInfo };
    const { status, message } = await postRaw(gateway.mcp, legacy("initialize", params));
    expect(status).toBe(200);
    expect(message.result.protocolVersion).toBe(version);
    expect(message.result.serverInfo.name).toBe("farhand");
    expect(message.result.instructions).toContain("list_devices");
  });

  it("lists and calls tools without any handshake", async () => {
    const listed = await postRaw(gateway.mcp, legacy("tools/list"), { headers });
    expect(listed.message.result.tools[0].name).toBe("list_devices");
    const called = await postRaw(gateway.mcp, legacyCall("list_devices"), { headers });
    expect(called.message.result.structuredContent.devices).toHaveLength(1);
  });

  it("gets no session id, and may send any", async () => {
    const { status, headers: answered } = await postRaw(gateway.mcp, legacy("tools/list"), {
      headers: { ...headers, "mcp-session-id": "of-another-time" },
    });
    expect(status).toBe(200);
    expect(answered.get("mcp-session-id")).toBeNull();
  });
});

describe("a client of 2026-07-28", () => {
  it("discovers the server", async () => {
    const { status, message } = await postModern(gateway.mcp, "server/discover");
    expect(status).toBe(200);
    expect(message.result.supportedVersions).toEqual(["2026-07-28"]);
    expect(message.result.instructions).toContain("list_devices");
  });

  it("is told how long the list of tools may be kept", async () => {
    const { message } = await postModern(gateway.mcp, "tools/list");
    expect(message.result).toMatchObject({ ttlMs: 300000, cacheScope: "private", resultType: "complete" });
  });

  it("gets the same list every time", async () => {
    const [first, second] = await Promise.all([1, 2].map(() => postModern(gateway.mcp, "tools/list")));
    expect(first?.text).toBe(second?.text);
  });

  it("is refused when a header does not mirror the body", async () => {
    const params = { name: "list_devices", arguments: {} };
    const { status, message } = await postModern(gateway.mcp, "tools/call", params, { headers: { "mcp-name": "tap" } });
    expect([status, message.error.code]).toEqual([400, -32020]);
  });

  it("gets 404 for an unknown method", async () => {
    const { status, message } = await postModern(gateway.mcp, "no/such");
    expect([status, message.error.code]).toEqual([404, -32601]);
  });
});

describe("the SDK's own client", () => {
  it.each(["auto", "legacy"] as const)("calls a tool in %s mode", async (mode) => {
    const client = new Client({ name: "sdk", version: "1" }, { versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: `Bearer ${ownerToken}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(gateway.mcp), { requestInit }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("take_screenshot");
    const result = await client.callTool({ name: "press_key", arguments: { key: "home" } });
    expect(result.structuredContent).toEqual({ ok: true });
    await client.close();
  });
});
