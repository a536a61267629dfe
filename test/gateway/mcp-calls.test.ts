import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Call } from "../../shared/link/messages.ts";
import type { FakeDeviceAgent } from "./support/fake-device-agent.ts";
import { connectReady, pause, until } from "./support/ready.ts";
import { legacy, legacyCall, modern, postModern, postRaw, toolError } from "./support/rpc.ts";
import { ownerToken, startTestGateway, type TestGateway } from "./support/start-test-gateway.ts";

let gateway: TestGateway;
let deviceAgent: FakeDeviceAgent;
let onCall: (call: Call) => void;

beforeAll(async () => {
  gateway = await startTestGateway();
  deviceAgent = await connectReady(gateway, { onCall: (call) => onCall(call) });
});
beforeEach(() => {
  onCall = (call) => deviceAgent.answer(call);
});
afterAll(async () => {
  deviceAgent.close();
  await gateway.stop();
});

const cancels = () => deviceAgent.received.flatMap((message) => (message.type === "cancel" ? [message.id] : []));
const lastCall = () => deviceAgent.calls().at(-1);

describe("an answer", () => {
  it("is structured, mirrored as text, and followed by its pictures", async () => {
    const bytes = new Uint8Array([0xff, 0xd8, 0xff, 0, 1, 2]);
    onCall = (call) => deviceAgent.answer(call, { ok: true, awake: true, locked: false }, [bytes]);
    const { message } = await postRaw(gateway.mcp, legacyCall("wake", { observe: "screenshot" }));
    const { content, structuredContent, isError } = message.result;
    expect(isError).toBeUndefined();
    expect(structuredContent).toEqual({ ok: true, awake: true, locked: false });
    expect(content[0]).toEqual({ type: "text", text: '{"ok":true,"awake":true,"locked":false}' });
    expect(content[1]).toEqual({ type: "image", mimeType: "image/jpeg", data: "/9j/AAEC" });
    expect(content).toHaveLength(2);
  });

  it.each(["application/json", "text/event-stream"])("may hold any words, as %s", async (accept) => {
    const odd = "x\ndata: {}\n\nevent: message\ndata: \u2028 data: ";
    onCall = (call) => deviceAgent.answer(call, { ok: true, package: odd, activity: null, overlay: null });
    const body = legacyCall("open_app", { package: "com.example.app" });
    const { message } = await postRaw(gateway.mcp, body, { headers: { accept } });
    expect(message.result.structuredContent.package).toBe(odd);
  });

  it("that would pass a million bytes is too_large, whoever sent it", async () => {
    onCall = (call) => deviceAgent.answer(call, { ok: true, awake: true, locked: false }, [new Uint8Array(760_000)]);
    const answer = await postRaw(gateway.mcp, legacyCall("wake"));
    expect(toolError(answer).code).toBe("too_large");
    expect(toolError(answer).message).toContain("1000000");
    onCall = (call) => deviceAgent.answer(call, { ok: true, awake: true, locked: false }, [new Uint8Array(740_000)]);
    const fits = await postRaw(gateway.mcp, legacyCall("wake"));
    expect(fits.message.result.isError).toBeUndefined();
    expect(fits.text.length).toBeLessThan(1_000_000);
  });

  it("that does not fit the tool's output is a fault of ours, told by its id only", async () => {
    onCall = (call) => deviceAgent.answer(call, { ok: true, awake: "secret-from-the-phone" });
    const answer = await postRaw(gateway.mcp, legacyCall("wake"));
    expect(toolError(answer).code).toBe("internal");
    const errorId = /error id ([\w-]+)/.exec(toolError(answer).message)?.[1] ?? "none";
    expect(answer.text).not.toContain("secret-from-the-phone");
    expect(gateway.logged.filter((line) => line.includes(errorId))).toHaveLength(1);
  });

  it("that is an error of the device agent arrives with its code, hint and time to wait", async () => {
    const error = { code: "device_busy" as const, message: "The queue is full.", hint: "Wait.", retryAfterMs: 1500 };
    onCall = ({ id }) => deviceAgent.send({ type: "error", id, error });
    const answer = await postRaw(gateway.mcp, legacyCall("wake"));
    expect(JSON.parse(answer.message.result.content[0].text)).toEqual({
      ok: false,
      error: { code: "device_busy", message: "The queue is full.", hint: "Wait.", retry_after_ms: 1500 },
    });
  });

  it("goes to the client that asked, among fifty that use the same id", async () => {
    onCall = (call) => {
      const app = String(call.arguments.package);
      setTimeout(
        () => deviceAgent.answer(call, { ok: true, package: app, activity: null, overlay: null }),
        Math.random() * 40,
      );
    };
    const packages = Array.from({ length: 50 }, (_, index) => `com.example.app${index}`);
    const answers = await Promise.all(
      packages.map((name, index) =>
        index % 2 === 0
          ? postRaw(gateway.mcp, legacyCall("open_app", { package: name }, 1))
          : postModern(gateway.mcp, "tools/call", { name: "open_app", arguments: { package: name } }, { id: 1 }),
      ),
    );
    expect(answers.map(({ message }) => message.result.structuredContent.package)).toEqual(packages);
  });
});

describe("what the device agent is told", () => {
  it("is the call, its deadline and who makes it, and no token", async () => {
    await postRaw(gateway.mcp, legacyCall("press_key", { key: "home" }));
    const call = lastCall();
    expect(call).toMatchObject({
      tool: "press_key",
      device: "serial-1",
      arguments: { key: "home", times: 1, observe: "none" },
      principal: { tenant: "default", subject: "owner" },
      wantsProgress: false,
    });
    expect(call?.scopes).toContain("screen:write");
    expect(call?.timeoutMs).toBeGreaterThan(40_000);
    expect(call?.timeoutMs).toBeLessThanOrEqual(50_000);
    expect(call?.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(deviceAgent.received)).not.toContain(ownerToken);
  });

  it("is the same id for the same idempotency key, and another one otherwise", async () => {
    const call = (key?: string) => {
      const _meta = key === undefined ? {} : { "farhand/idempotencyKey": key };
      return postRaw(gateway.mcp, legacy("tools/call", { name: "press_key", arguments: { key: "home" }, _meta }));
    };
    for (const key of ["k1", "k1", "k2", undefined, undefined]) await call(key);
    const [first, second, third, fourth, fifth] = deviceAgent.calls().slice(-5);
    expect(second?.id).toBe(first?.id);
    expect(second?.digest).toBe(first?.digest);
    expect(new Set([first, third, fourth, fifth].map((one) => one?.id)).size).toBe(4);
  });

  it.each(["", "x".repeat(257), 5])("is nothing when the idempotency key is %j", async (key) => {
    const before = deviceAgent.calls().length;
    const _meta = { "farhand/idempotencyKey": key };
    const params = { name: "press_key", arguments: { key: "home" }, _meta };
    expect(toolError(await postRaw(gateway.mcp, legacy("tools/call", params))).code).toBe("invalid_argument");
    expect(deviceAgent.calls()).toHaveLength(before);
  });

  it("is one call when a client repeats it under its key while it runs", async () => {
    const before = deviceAgent.calls().length;
    onCall = (call) => setTimeout(() => deviceAgent.answer(call), 50);
    const call = (key: string) => {
      const params = { name: "press_key", arguments: { key }, _meta: { "farhand/idempotencyKey": "twice" } };
      return postRaw(gateway.mcp, legacy("tools/call", params));
    };
    const [first, second, other] = await Promise.all([call("home"), call("home"), call("back")]);
    expect(deviceAgent.calls()).toHaveLength(before + 1);
    expect(first.message.result.structuredContent).toEqual({ ok: true });
    expect(second.message.result.structuredContent).toEqual({ ok: true });
    expect(toolError(other).code).toBe("invalid_argument");
  });
});

describe("progress", () => {
  const report = (id: string, progress: number, message = "Working") =>
    deviceAgent.send({ type: "progress", id, progress, total: 10, message });

  it.each([0, "token", 5])(
    "reaches the client under its token %j, growing, and ends with the result",
    async (token) => {
      onCall = (call) => {
        for (const value of [1, 2, 2, 1, 3]) report(call.id, value);
        deviceAgent.answer(call);
        report(call.id, 4);
      };
      const params = { name: "press_key", arguments: { key: "home" }, _meta: { progressToken: token } };
      for (const { messages } of [
        await postRaw(gateway.mcp, legacy("tools/call", params)),
        await postModern(gateway.mcp, "tools/call", params),
      ]) {
        const notices = messages.slice(0, -1).map(({ params: told }) => [told.progressToken, told.progress]);
        expect(notices).toEqual([1, 2, 3].map((value) => [token, value]));
        expect(messages.at(-1).result.structuredContent).toEqual({ ok: true });
      }
    },
  );

  it("is not sent to a client that gave no token", async () => {
    onCall = (call) => {
      report(call.id, 1);
      deviceAgent.answer(call);
    };
    const { messages } = await postRaw(gateway.mcp, legacyCall("press_key", { key: "home" }));
    expect(messages).toHaveLength(1);
    expect(lastCall()?.wantsProgress).toBe(false);
  });
});

describe("a canceled call", () => {
  const hang = () => {
    onCall = () => {};
  };
  const started = async (before: number) => {
    await until(() => deviceAgent.calls().length > before);
    return lastCall()?.id ?? "";
  };

  it("before 2026-07-28 ends by a message, without an answer", async () => {
    hang();
    const before = deviceAgent.calls().length;
    const pending = postRaw(gateway.mcp, legacyCall("press_key", { key: "home" }, "call-1"));
    const callId = await started(before);
    const cancel = JSON.stringify({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: "call-1" },
    });
    expect((await postRaw(gateway.mcp, cancel)).status).toBe(202);
    const answer = await pending;
    expect(answer.messages).toEqual([]);
    expect(cancels()).toContain(callId);
  });

  it("before 2026-07-28 is not ended by a lost connection", async () => {
    hang();
    const before = deviceAgent.calls().length;
    const client = new AbortController();
    const pending = postRaw(gateway.mcp, legacyCall("press_key", { key: "home" }), { signal: client.signal });
    const callId = await started(before);
    client.abort();
    await expect(pending).rejects.toThrow();
    await pause(150);
    expect(cancels()).not.toContain(callId);
    deviceAgent.answer({ id: callId });
  });

  it("is none when two calls of one principal have that id", async () => {
    hang();
    const before = deviceAgent.calls().length;
    const both = [1, 2].map(() => postRaw(gateway.mcp, legacyCall("press_key", { key: "home" }, "same")));
    await until(() => deviceAgent.calls().length === before + 2);
    const ids = deviceAgent
      .calls()
      .slice(-2)
      .map(({ id }) => id);
    const params = { requestId: "same" };
    await postRaw(gateway.mcp, JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }));
    await pause(50);
    for (const id of ids) {
      expect(cancels()).not.toContain(id);
      deviceAgent.answer({ id });
    }
    for (const answer of await Promise.all(both)) expect(answer.message.result.structuredContent).toEqual({ ok: true });
  });

  it("is not the call with the number 1 when the text 1 is named", async () => {
    hang();
    const before = deviceAgent.calls().length;
    const pending = postRaw(gateway.mcp, legacyCall("press_key", { key: "home" }, 1));
    const id = await started(before);
    const params = { requestId: "1" };
    await postRaw(gateway.mcp, JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }));
    await pause(50);
    expect(cancels()).not.toContain(id);
    deviceAgent.answer({ id });
    await pending;
  });

  it.each(["application/json, text/event-stream", "application/json", "text/event-stream"])(
    "since 2026-07-28 ends when its client goes away (%s)",
    async (accept) => {
      hang();
      const before = deviceAgent.calls().length;
      const client = new AbortController();
      const { body, headers } = modern("tools/call", { name: "press_key", arguments: { key: "home" } });
      const options = { headers: { ...headers, accept }, signal: client.signal };
      const pending = postRaw(gateway.mcp, body, options).catch(() => "gone");
      const callId = await started(before);
      client.abort();
      expect(await pending).toBe("gone");
      await until(() => cancels().includes(callId));
    },
  );

  it("since 2026-07-28 ends as well after its stream has begun", async () => {
    hang();
    const before = deviceAgent.calls().length;
    const client = new AbortController();
    const params = { name: "press_key", arguments: { key: "home" }, _meta: { progressToken: 1 } };
    const { body, headers } = modern("tools/call", params);
    const pending = postRaw(gateway.mcp, body, { headers, signal: client.signal }).catch(() => "gone");
    const id = await started(before);
    deviceAgent.send({ type: "progress", id, progress: 1 });
    await pause(50);
    client.abort();
    expect(await pending).toBe("gone");
    await until(() => cancels().includes(id));
  });

  it.each(["auto", "legacy"] as const)("of the SDK's own client reaches the phone (%s)", async (mode) => {
    hang();
    const client = new Client({ name: "sdk", version: "1" }, { versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: `Bearer ${ownerToken}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(gateway.mcp), { requestInit }));
    const before = deviceAgent.calls().length;
    const stop = new AbortController();
    const pending = client.callTool({ name: "press_key", arguments: { key: "home" } }, { signal: stop.signal });
    const id = await started(before);
    stop.abort("enough");
    await expect(pending).rejects.toThrow();
    await until(() => cancels().includes(id));
    await client.close();
  });
});

describe("a slow call", () => {
  it("of 2026-07-28 becomes a stream, so that its client hears something", async () => {
    onCall = (call) => setTimeout(() => deviceAgent.answer(call), 2_300);
    const { body, headers } = modern("tools/call", { name: "press_key", arguments: { key: "home" } });
    const answer = await postRaw(gateway.mcp, body, { headers });
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(answer.text).toMatch(/^: ok\n\n/);
    expect(answer.message.result.structuredContent).toEqual({ ok: true });
  });

  it("before 2026-07-28 sends its first byte at once", async () => {
    let answered = false;
    onCall = (call) => {
      setTimeout(() => {
        answered = true;
        deviceAgent.answer(call);
      }, 800);
    };
    const response = await fetch(gateway.mcp, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${ownerToken}`,
      },
      body: legacyCall("press_key", { key: "home" }),
    });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toBe(": ok\n\n");
    expect(answered).toBe(false);
    while (!(await reader?.read())?.done);
  });
});

it("no log line and no answer holds the token", async () => {
  await postRaw(gateway.mcp, legacyCall("nope"));
  await postRaw(gateway.mcp, "{bad");
  expect(gateway.logged.join("\n")).not.toContain(ownerToken);
});
