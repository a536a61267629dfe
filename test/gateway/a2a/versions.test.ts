import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownerToken } from "../support/start-test-gateway.ts";
import { bindings } from "./support/bindings.ts";
import { type A2aGateway, startA2a } from "./support/start.ts";

let gateway: A2aGateway;
beforeAll(async () => {
  gateway = await startA2a();
});
afterAll(() => gateway.stop());

describe.each(bindings)("the version by $name", (binding) => {
  const ask = (version: string | null, headers: Record<string, string> = {}) =>
    binding.call(gateway.url, "ListTasks", {}, { version, headers });

  it.each(["1.0", "1.0.1", "1.0.37", " 1.0 "])("%j is served", async (version) => {
    expect((await ask(version)).result.tasks).toEqual([]);
  });

  it.each([null, "", "0.3", "0.3.0", "1.1", "2.0", "1", "1.0-dev", "x", "1.00"])("%j is not", async (version) => {
    const { status, error } = await ask(version);
    expect(error).toMatchObject({
      reason: "VERSION_NOT_SUPPORTED",
      domain: "a2a-protocol.org",
      code: binding.name === "JSON-RPC" ? -32009 : 400,
      metadata: { supportedVersions: "1.0" },
    });
    expect(status).toBe(binding.name === "JSON-RPC" ? 200 : 400);
    expect(error?.message).toContain("A2A-Version: 1.0");
  });

  it("is asked for after the token", async () => {
    expect((await binding.call(gateway.url, "ListTasks", {}, { version: null, token: null })).status).toBe(401);
  });

  it("brings along which extensions are in use", async () => {
    const asked = "https://other.example/x, urn:farhand:tools:1";
    const { headers } = await ask("1.0", { "a2a-extensions": asked });
    expect(headers.get("a2a-extensions")).toBe("urn:farhand:tools:1");
    expect((await ask("1.0", { "a2a-extensions": "urn:other" })).headers.has("a2a-extensions")).toBe(false);
    expect((await ask("1.0")).headers.has("a2a-extensions")).toBe(false);
  });
});

describe("the version in the query", () => {
  const headers = { authorization: `Bearer ${ownerToken}`, "content-type": "application/json" };

  it("counts where there is no header", async () => {
    const http = (query: string) => fetch(`${gateway.url}/a2a/rest/tasks${query}`, { headers });
    expect((await http("?A2A-Version=1.0&pageSize=3")).status).toBe(200);
    expect((await http("?A2A-Version=0.3")).status).toBe(400);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ListTasks" });
    const rpc = await fetch(`${gateway.url}/a2a?A2A-Version=1.0.1`, { method: "POST", headers, body });
    expect(await rpc.json()).toHaveProperty("result");
  });
});
