import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { connectFakeDeviceAgent, type FakeDeviceAgent } from "./support/fake-device-agent.ts";
import { legacy, legacyCall, postRaw } from "./support/rpc.ts";
import { startTestGateway, type TestGateway } from "./support/start-test-gateway.ts";

let gateway: TestGateway;
let deviceAgent: FakeDeviceAgent;

beforeAll(async () => {
  gateway = await startTestGateway({
    flags: { allowedHosts: "phones.example", allowedOrigins: "https://app.example" },
  });
  deviceAgent = await connectFakeDeviceAgent({ link: gateway.link, devices: [{}] });
  await deviceAgent.next("welcome");
});
afterAll(async () => {
  deviceAgent.close();
  await gateway.stop();
});

/** fetch refuses to forge Host, so this speaks HTTP itself. */
function raw(method: string, path: string, headers: Record<string, string>, body = "") {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: gateway.port, method, path, headers }, (answer) => {
      let text = "";
      answer.on("data", (part) => {
        text += part;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

describe("where a request says it comes from", () => {
  const tap = legacyCall("tap", { x: 1, y: 1 });

  it.each([
    ["a Host of somebody else", { host: "evil.example" }],
    ["a foreign Origin", { origin: "https://evil.example" }],
    ["the opaque Origin null", { origin: "null" }],
    ["an allowed Origin with another port", { origin: "https://app.example:444" }],
    ["an Origin that only begins like an allowed one", { origin: "https://app.example.evil.example" }],
    ["a page of the caller's machine that calls another one", { host: "phones.example", origin: "http://localhost:1" }],
    ["a loopback Origin with a path", { origin: "http://localhost/x" }],
  ])("%s is refused before the tool runs", async (_, headers) => {
    const before = deviceAgent.calls().length;
    const { status, text } = await raw("POST", "/mcp", { "content-type": "application/json", ...headers }, tap);
    expect(status).toBe(403);
    expect(JSON.parse(text).error.code).toBe("permission_denied");
    expect(deviceAgent.calls()).toHaveLength(before);
  });

  it.each([
    ["no Origin at all", {}],
    ["its own Host under another port", { host: "localhost:1" }],
    ["a configured Host", { host: "phones.example" }],
    ["a configured Origin", { origin: "https://app.example" }],
    ["a page of this machine", { origin: "http://localhost:6274" }],
  ])("%s is let in", async (_, headers) => {
    expect((await raw("GET", "/healthz", headers)).status).toBe(200);
  });
});

describe("a browser", () => {
  const origin = "https://app.example";

  it("gets its preflight answered without a token", async () => {
    const { status, headers } = await raw("OPTIONS", "/mcp", {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization, mcp-protocol-version",
    });
    expect(status).toBe(204);
    expect(headers["access-control-allow-origin"]).toBe(origin);
    const allowed = String(headers["access-control-allow-headers"]).toLowerCase();
    for (const name of ["authorization", "content-type", "accept", "mcp-session-id", "mcp-protocol-version"]) {
      expect(allowed).toContain(name);
    }
    for (const name of ["mcp-method", "mcp-name", "last-event-id"]) expect(allowed).toContain(name);
    expect(headers["access-control-allow-credentials"]).toBeUndefined();
  });

  it.each([
    ["a refusal", null, 401],
    ["an answer", undefined, 200],
  ])("may read %s and its headers", async (_, token, expected) => {
    const options = token === null ? { token, headers: { origin } } : { headers: { origin } };
    const { status, headers } = await postRaw(gateway.mcp, legacy("tools/list"), options);
    expect(status).toBe(expected);
    expect(headers.get("access-control-allow-origin")).toBe(origin);
    expect(headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
    expect(headers.get("access-control-expose-headers")).toContain("Mcp-Session-Id");
    expect(headers.get("vary")).toContain("Origin");
  });

  it("of a foreign page gets no preflight", async () => {
    expect((await raw("OPTIONS", "/mcp", { origin: "https://evil.example" })).status).toBe(403);
  });
});

describe("a token", () => {
  it.each([
    ["no token", {}, "Bearer"],
    ["another scheme", { authorization: "Basic abc" }, 'Bearer error="invalid_token"'],
    ["a wrong token", { authorization: `Bearer ${"x".repeat(40)}` }, 'Bearer error="invalid_token"'],
  ])("is needed: %s gets 401 with a challenge", async (_, headers, challenge) => {
    const answer = await postRaw(gateway.mcp, legacy("tools/list"), { token: null, headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toMatch(new RegExp(`^${challenge}`));
    expect(answer.headers.get("www-authenticate")).not.toContain("resource_metadata");
    expect(answer.message).toMatchObject({ jsonrpc: "2.0", id: null, error: { data: { code: "unauthenticated" } } });
  });

  it("is read whatever the case of its scheme", async () => {
    const token = "owner-token-0123456789-0123456789-0123456789";
    const headers = { authorization: `bEARER ${token}` };
    expect((await postRaw(gateway.mcp, legacy("tools/list"), { token: null, headers })).status).toBe(200);
  });
});

describe("other methods and paths", () => {
  it.each(["GET", "DELETE", "PUT", "PATCH"])("%s of /mcp is 405 at once, without a token too", async (method) => {
    const { status, headers, text } = await raw(method, "/mcp", { accept: "text/event-stream" });
    expect(status).toBe(405);
    expect(headers.allow).toBe("POST, OPTIONS");
    expect(JSON.parse(text).jsonrpc).toBe("2.0");
  });

  it("answers an unknown path with JSON", async () => {
    const { status, text } = await raw("GET", "/.well-known/oauth-protected-resource", {});
    expect(status).toBe(404);
    expect(JSON.parse(text).error.hint).toContain("/mcp");
  });

  it("serves /mcp/ as well as /mcp", async () => {
    expect((await postRaw(`${gateway.mcp}/`, legacy("tools/list"))).status).toBe(200);
    expect((await raw("GET", "/mcp/", {})).status).toBe(405);
  });

  it("names the MCP URL at its root and says that it is well", async () => {
    expect(JSON.parse((await raw("GET", "/", {})).text).mcp).toBe(gateway.mcp);
    expect(JSON.parse((await raw("GET", "/readyz", {})).text)).toEqual({ ok: true });
  });

  it("tells a browser at /link that it is for device agents", async () => {
    const { status, headers } = await raw("GET", "/link", {});
    expect([status, headers.upgrade]).toEqual([426, "websocket"]);
  });

  it("refuses the upgrade of a device agent without a good token", async () => {
    const statuses = await Promise.all(
      [{}, { authorization: "Bearer wrong-wrong-wrong-wrong-wrong-wrong" }].map(
        (headers) =>
          new Promise((resolve) => {
            const socket = new WebSocket(gateway.link, { headers });
            socket.on("unexpected-response", (_, answer) => {
              resolve([answer.statusCode, answer.headers["www-authenticate"]?.slice(0, 6)]);
              socket.terminate();
            });
            socket.on("error", () => {});
          }),
      ),
    );
    expect(statuses).toEqual([
      [401, "Bearer"],
      [401, "Bearer"],
    ]);
  });
});

describe("a body that is too large", () => {
  const padded = (bytes: number) => legacy("tools/list").padEnd(bytes, " ");

  it("is refused at 32 KiB and one byte", async () => {
    expect((await postRaw(gateway.mcp, padded(32 * 1024))).status).toBe(200);
    const { status, message } = await postRaw(gateway.mcp, padded(32 * 1024 + 1));
    expect([status, message.error.code]).toEqual([413, -32000]);
    expect(message.error.message).toContain("32768");
  });

  it("is refused as well when it does not tell its length", async () => {
    const body = new ReadableStream({
      start(controller) {
        for (let part = 0; part < 40; part++) controller.enqueue(new TextEncoder().encode(" ".repeat(1024)));
        controller.close();
      },
    });
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer owner-token-0123456789-0123456789-0123456789`,
    };
    const response = await fetch(gateway.mcp, { method: "POST", body, headers, duplex: "half" } as RequestInit);
    expect(response.status).toBe(413);
  });
});
