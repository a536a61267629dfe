import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownerToken } from "../support/start-test-gateway.ts";
import { toldRpc } from "./support/bindings.ts";
import { type A2aGateway, startA2a, words } from "./support/start.ts";

let gateway: A2aGateway;
beforeAll(async () => {
  gateway = await startA2a();
});
afterAll(() => gateway.stop());

async function post(body: string | Uint8Array, headers: Record<string, string> = {}, path = "/a2a") {
  const response = await fetch(`${gateway.url}${path}`, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "a2a-version": "1.0",
      authorization: `Bearer ${ownerToken}`,
      ...headers,
    },
  });
  const message = JSON.parse(await response.text());
  const error = "error" in message ? toldRpc(message) : null;
  return { status: response.status, headers: response.headers, id: message.id, error, result: message.result };
}
const request = (over: object = {}) => ({ jsonrpc: "2.0", id: 1, method: "ListTasks", params: {}, ...over });

describe("a JSON-RPC request", () => {
  it.each([
    ["no JSON", "{", -32700, null],
    ["nothing", "", -32700, null],
    ["bytes that are no UTF-8", new Uint8Array([0x22, 0xff, 0x22]), -32700, null],
    ["a batch", JSON.stringify([request()]), -32600, null],
    ["a text", '"hello"', -32600, null],
    ["null", "null", -32600, null],
    ["another version of JSON-RPC", JSON.stringify(request({ jsonrpc: "1.0" })), -32600, 1],
    ["no version of JSON-RPC", JSON.stringify(request({ jsonrpc: undefined, id: "a" })), -32600, "a"],
    ["no id", JSON.stringify(request({ id: undefined })), -32600, null],
    ["the id null", JSON.stringify(request({ id: null })), -32600, null],
    ["an id that is an object", JSON.stringify(request({ id: {} })), -32600, null],
    ["a fraction for an id", JSON.stringify(request({ id: 1.5 })), -32600, null],
    ["no method", JSON.stringify(request({ method: undefined })), -32600, 1],
    ["a number for a method", JSON.stringify(request({ method: 7 })), -32600, 1],
    [
      "a nest of 100 levels",
      JSON.stringify(request({ params: JSON.parse("[".repeat(100) + "]".repeat(100)) })),
      -32600,
      1,
    ],
    ["a list of parameters", JSON.stringify(request({ params: [] })), -32602, 1],
    ["a method that there is not", JSON.stringify(request({ method: "DoMagic" })), -32601, 1],
    ["a name from Object", JSON.stringify(request({ method: "constructor" })), -32601, 1],
    ["a name of version 0.3", JSON.stringify(request({ method: "message/send" })), -32601, 1],
    ["a name in other letters", JSON.stringify(request({ method: "sendMessage" })), -32601, 1],
  ])("that is %s is refused, with its id if it has one", async (_, body, code, id) => {
    const answer = await post(body);
    expect([answer.status, answer.error?.code, answer.id]).toEqual([200, code, id]);
  });

  it("tells a client of 0.3 how the methods are called now", async () => {
    const { error } = await post(JSON.stringify(request({ method: "message/send" })));
    expect(error?.message).toContain("SendMessage");
  });

  it.each(["q", 0, -7, "", 9_007_199_254_740_991])("gets its id %j back", async (id) => {
    expect(await post(JSON.stringify(request({ id })))).toMatchObject({ status: 200, id, error: null });
  });

  it("may leave its parameters out, or null", async () => {
    for (const params of [undefined, null]) {
      const { result } = await post(JSON.stringify(request({ params, method: "GetExtendedAgentCard" })));
      expect(result.name).toBe("Farhand");
    }
  });

  it("may begin with a byte order mark, end with a slash, and be A2A's own media type", async () => {
    const headers = { "content-type": "application/a2a+json; charset=utf-8" };
    expect((await post(`\ufeff${JSON.stringify(request())}`, headers, "/a2a/")).error).toBeNull();
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonx"])(
    "of the media type %s is refused",
    async (type) => {
      const { status, error } = await post(JSON.stringify(request()), { "content-type": type });
      expect([status, error?.code, error?.reason]).toEqual([200, -32005, "CONTENT_TYPE_NOT_SUPPORTED"]);
    },
  );

  it("may carry a megabyte and not a byte more, however it tells its length", async () => {
    const fill = (bytes: number) => {
      const raw = (size: number) =>
        JSON.stringify(
          request({
            method: "SendMessage",
            params: {
              message: words("", { parts: [{ text: "look" }, { raw: "A".repeat(size) }] }),
              configuration: { returnImmediately: true },
            },
          }),
        );
      const body = raw(990_000);
      return body.padEnd(bytes, " ");
    };
    expect((await post(fill(1_000_000))).error).toBeNull();
    const tooLarge = await post(fill(1_000_001));
    expect([tooLarge.status, tooLarge.error?.reason, tooLarge.id]).toEqual([413, "TOO_LARGE", null]);
    expect(tooLarge.error?.message).toContain("1000000");
    const streamed = await fetch(`${gateway.url}/a2a`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${ownerToken}` },
      body: new Blob([fill(1_000_001)]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(streamed.status).toBe(413);
  });

  it.each(["GET", "PUT", "DELETE"])("is a POST, never %s", async (method) => {
    const response = await fetch(`${gateway.url}/a2a`, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    expect(toldRpc(await response.json()).code).toBe(-32600);
  });
});
