import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectFakeDeviceAgent, type FakeDeviceAgent } from "./support/fake-device-agent.ts";
import { legacy, legacyCall, modern, postRaw, toolError } from "./support/rpc.ts";
import { startTestGateway, type TestGateway } from "./support/start-test-gateway.ts";

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

describe("the form of an answer", () => {
  const json = "application/json";
  const events = "text/event-stream";
  const forms: [string, string, string][] = [
    ["both", "application/json, text/event-stream", "either"],
    ["both the other way round, with weights", "text/event-stream;q=0.9, application/json;q=1.0", "either"],
    ["anything", "*/*", json],
    ["JSON only", "application/json", json],
    ["events only", "text/event-stream", events],
    ["any application type", "application/*", json],
    ["anything but JSON", "application/json;q=0, text/event-stream", events],
  ];
  const requests: [string, string, Record<string, string>][] = [
    ["before 2026-07-28", legacyCall("press_key", { key: "home" }), {}],
    ["of 2026-07-28", ...modernCall()],
  ];

  function modernCall(): [string, Record<string, string>] {
    const { body, headers } = modern("tools/call", { name: "press_key", arguments: { key: "home" } });
    return [body, headers];
  }

  describe.each(requests)("to a client %s", (_, body, headers) => {
    it.each(forms)("that accepts %s is one it accepts", async (__, accept, expected) => {
      const answer = await postRaw(gateway.mcp, body, { headers: { ...headers, accept } });
      expect(answer.status).toBe(200);
      const type = answer.headers.get("content-type");
      if (expected === "either") expect([json, events]).toContain(type);
      else expect(type).toBe(expected);
      expect(answer.message.result.structuredContent).toEqual({ ok: true });
      if (type === events) expect(answer.headers.get("x-accel-buffering")).toBe("no");
    });

    it("that sends no Accept header is JSON", async () => {
      const answer = await postRaw(gateway.mcp, body, { headers: { ...headers, accept: "" } });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, json]);
    });

    it("that accepts only a web page is 406", async () => {
      const answer = await postRaw(gateway.mcp, body, { headers: { ...headers, accept: "text/html" } });
      expect([answer.status, answer.message.error.code]).toEqual([406, -32000]);
    });
  });
});

describe("a body that is no request", () => {
  const tap = { jsonrpc: "2.0", method: "tools/call", params: { name: "press_key", arguments: { key: "home" } } };
  const withId = (id: unknown) => JSON.stringify({ ...tap, id });
  const deep = `{"jsonrpc":"2.0","id":1,"method":"x","params":${'{"a":'.repeat(3000)}1${"}".repeat(3000)}}`;

  it.each([
    ["half of JSON", "{bad", -32700],
    ["nothing", "", -32700],
    ["bytes that are no text", new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), -32700],
    ["a number", "42", -32600],
    ["null", "null", -32600],
    ["a text", '"tools/list"', -32600],
    ["another JSON-RPC version", '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ["no method", '{"jsonrpc":"2.0","id":1}', -32600],
    ["a method that is a number", '{"jsonrpc":"2.0","id":1,"method":5}', -32600],
    ["params by position", '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32600],
    ["the id null", withId(null), -32600],
    ["the id true", withId(true), -32600],
    ["an id that is an array", withId([1]), -32600],
    ["the id 1.5", withId(1.5), -32600],
    ["three thousand levels", deep, -32600],
    ["an empty batch", "[]", -32600],
    ["a batch of two calls", `[${withId(1)},${withId(2)}]`, -32600],
    ["a batch of one call", `[${withId(1)}]`, -32600],
  ])("%s is refused and nothing runs", async (_, body, code) => {
    const before = deviceAgent.calls().length;
    const { status, message, headers } = await postRaw(gateway.mcp, body);
    expect([status, message.error.code, message.id]).toEqual([400, code, null]);
    expect(headers.get("content-type")).toBe("application/json");
    expect(deviceAgent.calls()).toHaveLength(before);
  });

  it.each([0, "", "a-1", -3, Number.MAX_SAFE_INTEGER, "\u{1F4F1}"])("the id %j comes back as it was", async (id) => {
    const { message } = await postRaw(gateway.mcp, withId(id));
    expect(message.id).toBe(id);
    expect(message.result.structuredContent).toEqual({ ok: true });
  });

  it("a byte order mark in front is skipped", async () => {
    expect((await postRaw(gateway.mcp, `\uFEFF${withId(7)}`)).message.id).toBe(7);
  });

  it("another content type is refused", async () => {
    const { status } = await postRaw(gateway.mcp, withId(1), { headers: { "content-type": "text/plain" } });
    expect(status).toBe(415);
  });

  it("a charset beside the content type is fine", async () => {
    const headers = { "content-type": "application/json; charset=utf-8" };
    expect((await postRaw(gateway.mcp, withId(1), { headers })).status).toBe(200);
  });

  it("a notification is taken and not answered", async () => {
    const body = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    const { status, text } = await postRaw(gateway.mcp, body);
    expect([status, text]).toEqual([202, ""]);
  });
});

describe("a call that cannot be made", () => {
  const call = async (name: unknown, args: unknown) =>
    postRaw(gateway.mcp, legacy("tools/call", { name, arguments: args }));

  it("of an unknown tool is a JSON-RPC error", async () => {
    expect((await call("nope", {})).message.error.code).toBe(-32602);
  });

  it.each([
    ["no name", undefined, {}],
    ["a name that is a number", 5, {}],
    ["arguments that are an array", "tap", []],
    ["arguments that are null", "tap", null],
  ])("with %s is a JSON-RPC error", async (_, name, args) => {
    const { status, message } = await call(name, args);
    expect([status, message.error.code]).toEqual([200, -32602]);
  });

  it("with a progress token that is no token is a JSON-RPC error", async () => {
    const params = { name: "tap", arguments: {}, _meta: { progressToken: { a: 1 } } };
    expect((await postRaw(gateway.mcp, legacy("tools/call", params))).message.error.code).toBe(-32602);
  });

  it("with an incomplete initialize is a JSON-RPC error", async () => {
    const { status, message } = await postRaw(gateway.mcp, legacy("initialize", {}));
    expect([status, message.error.code]).toEqual([200, -32602]);
  });

  it.each([
    ["a missing field", "tap", { x: 1 }, "y"],
    ["a field of the wrong kind", "tap", { x: null, y: 1 }, "x"],
    ["a field that does not exist", "tap", { x: 1, y: 1, force: true }, "force"],
  ])("because of %s is a result that the model can read", async (_, name, args, field) => {
    const before = deviceAgent.calls().length;
    const answer = await call(name, args);
    expect(answer.message.result.isError).toBe(true);
    expect(answer.message.result.structuredContent).toBeUndefined();
    expect(toolError(answer)).toMatchObject({ code: "invalid_argument", retry_after_ms: null });
    expect(toolError(answer).message).toContain(field);
    expect(deviceAgent.calls()).toHaveLength(before);
  });

  it("because its arguments are over 16 KiB names the limit", async () => {
    const answer = await call("type_text", { text: "x".repeat(17_000) });
    expect(toolError(answer)).toMatchObject({ code: "too_large" });
    expect(toolError(answer).message).toContain("16384");
  });

  it("takes numbers that are sent as text", async () => {
    await call("tap", { x: "673", y: "12.5" });
    expect(deviceAgent.calls().at(-1)?.arguments).toMatchObject({ x: 673, y: 12.5 });
  });
});
