import { createServer, connect as dialTcp, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createLinkConnection } from "../../../gateway/relay/link-connection.ts";
import { encodeFrame } from "../../../shared/link/frame.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { connectFakeDeviceAgent, plainOutput } from "../support/fake-device-agent.ts";
import { connectReady, listedDevices, until } from "../support/ready.ts";
import { legacyCall, postRaw, toolError } from "../support/rpc.ts";
import { ownerToken, startTestGateway, type TestGateway } from "../support/start-test-gateway.ts";

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.stop());

const pressHome = () => postRaw(gateway.mcp, legacyCall("press_key", { key: "home" }));

describe("a device agent that dials", () => {
  it("is welcomed with an id that stays the same", async () => {
    const first = await connectFakeDeviceAgent({ link: gateway.link, connectSeq: 1 });
    const welcome = await first.next("welcome");
    expect(welcome).toMatchObject({ protocol: 1, version: "0.1.0", pingMs: 25000, maxFrameBytes: 8388608 });
    expect(welcome.deviceAgentId).toMatch(/^da_[0-9a-f]{24}$/);
    const second = await connectFakeDeviceAgent({ link: gateway.link, connectSeq: 2 });
    expect((await second.next("welcome")).deviceAgentId).toBe(welcome.deviceAgentId);
  });

  it("replaces its older link, which is closed with 4001", async () => {
    const first = await connectReady(gateway, { connectSeq: 1 });
    const second = await connectReady(gateway, { connectSeq: 2 });
    expect((await first.closed).code).toBe(4001);
    await pressHome();
    expect(second.calls()).toHaveLength(1);
  });

  it("is refused when its number is not newer than the stored one", async () => {
    const first = await connectReady(gateway, { connectSeq: 7 });
    const copy = await connectFakeDeviceAgent({ link: gateway.link, connectSeq: 7 });
    const { error } = await copy.next("refused");
    expect(error.code).toBe("connection_replaced");
    expect((await copy.closed).code).toBe(4001);
    expect((await pressHome()).message.result.structuredContent).toEqual(plainOutput);
    expect(first.calls()).toHaveLength(1);
  });

  it("is refused when no protocol is common, and told both", async () => {
    const hello = { protocol: 9, oldest: 5, version: "9.0.0" };
    const agent = await connectFakeDeviceAgent({ link: gateway.link, hello });
    const { error } = await agent.next("refused");
    expect(error.code).toBe("unsupported");
    expect(error.hint).toBe(
      "The gateway (version 0.1.0) speaks 1, the device agent (version 9.0.0) 5 to 9: update the older one.",
    );
    expect((await agent.closed).code).toBe(4003);
  });

  it("speaks the newest common protocol when it is newer than the gateway", async () => {
    const agent = await connectFakeDeviceAgent({ link: gateway.link, hello: { protocol: 3, oldest: 1 } });
    expect((await agent.next("welcome")).protocol).toBe(1);
  });

  it("gets pong for every ping", async () => {
    const agent = await connectReady(gateway);
    const pong = new Promise((resolve) => {
      agent.socket.on("message", (data, isBinary) => {
        if (!isBinary) resolve(String(data));
      });
    });
    agent.socket.send("ping");
    expect(await pong).toBe("pong");
  });

  it("may send what this version does not know", async () => {
    const agent = await connectReady(gateway);
    agent.socket.send(encodeFrame({ type: "from_the_future", x: 1 }));
    expect((await pressHome()).message.result.structuredContent).toEqual(plainOutput);
  });

  it.each([
    ["bytes that are no frame", new Uint8Array([0, 0, 1])],
    ["a head that is no JSON", new Uint8Array([0, 0, 0, 2, 0x7b, 0x7b])],
  ])("is closed for %s, and the gateway lives on", async (_, bytes) => {
    const agent = await connectReady(gateway);
    agent.socket.send(bytes);
    expect((await agent.closed).code).toBe(4003);
    expect(await listedDevices(gateway)).toMatchObject([{ state: "offline" }]);
  });

  it("is closed when it says something before hello", async () => {
    const socket = new WebSocket(gateway.link, { headers: { authorization: `Bearer ${ownerToken}` } });
    socket.on("open", () => socket.send(encodeFrame({ type: "devices", asOf: 1, devices: [] })));
    const code = await new Promise((resolve) => socket.on("close", resolve));
    expect(code).toBe(4003);
  });
});

describe("an answer that cannot be used", () => {
  it("because it is malformed ends only its own call", async () => {
    const agent = await connectReady(gateway, {
      onCall: (call, self) => {
        if (self.calls().length > 1) return self.answer(call);
        self.socket.send(encodeFrame({ type: "result", id: call.id, output: "text", pictures: [] }));
      },
    });
    expect(toolError(await pressHome()).code).toBe("internal");
    expect((await pressHome()).message.result.structuredContent).toEqual(plainOutput);
    expect(agent.calls()).toHaveLength(2);
  });

  it("because it explains itself at length is cut short", async () => {
    const error = { code: "internal" as const, message: "x".repeat(2_000_000), hint: "y".repeat(2_000_000) };
    await connectReady(gateway, { onCall: ({ id }, self) => self.send({ type: "error", id, error }) });
    const answer = await pressHome();
    expect(toolError(answer).code).toBe("internal");
    expect(answer.text.length).toBeLessThan(5_000);
  });

  it("because its pictures do not add up ends only its own call", async () => {
    await connectReady(gateway, {
      onCall: (call, self) => {
        const pictures = [{ mimeType: "image/jpeg", width: 1, height: 1, bytes: 9 }];
        self.send({ type: "result", id: call.id, output: plainOutput, pictures }, [new Uint8Array(4)]);
      },
    });
    expect(toolError(await pressHome()).code).toBe("internal");
  });

  it("because it is over 8 MiB ends only its own call", async () => {
    const agent = await connectReady(gateway, {
      onCall: (call, self) => {
        if (self.calls().length > 1) return self.answer(call);
        self.answer(call, plainOutput, [new Uint8Array(8 * 1024 * 1024 + 1)]);
      },
    });
    expect(toolError(await pressHome()).code).toBe("too_large");
    expect((await pressHome()).message.result.structuredContent).toEqual(plainOutput);
    expect(agent.socket.readyState).toBe(WebSocket.OPEN);
  });

  it("because it comes twice, or for nobody, changes nothing", async () => {
    const agent = await connectReady(gateway, {
      onCall: (call, self) => {
        self.answer({ id: "nobody" });
        self.answer(call);
        self.answer(call);
      },
    });
    expect((await pressHome()).message.result.structuredContent).toEqual(plainOutput);
    expect((await pressHome()).message.result.structuredContent).toEqual(plainOutput);
    expect(agent.socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe("a connection that breaks in the middle of a write", () => {
  it("delivers the answer over the next one, and the phone is touched once", async () => {
    const first = await connectReady(gateway, { connectSeq: 1, onCall: (_, self) => self.socket.terminate() });
    const pending = pressHome();
    await first.closed;
    const second = await connectFakeDeviceAgent({
      link: gateway.link,
      connectSeq: 2,
      devices: [{}],
      onMessage: (message, self) => {
        if (message.type === "recall") self.answer(message);
      },
    });
    expect((await pending).message.result.structuredContent).toEqual(plainOutput);
    expect(second.calls()).toHaveLength(0);
  });

  it("is outcome_unknown when the device agent was restarted", async () => {
    const first = await connectReady(gateway, { connectSeq: 1, onCall: (_, self) => self.socket.terminate() });
    const pending = pressHome();
    await first.closed;
    await connectFakeDeviceAgent({
      link: gateway.link,
      connectSeq: 2,
      bootId: "boot-0002",
      onMessage: (message, self) => {
        if (message.type === "recall") self.send({ type: "call_state", id: message.id, state: "unknown" });
      },
    });
    expect(toolError(await pending).code).toBe("outcome_unknown");
  });
});

describe("a device agent that says nothing", () => {
  function serve() {
    const clock = createManualClock();
    const seen = { terminated: 0, closed: [] as number[] };
    const never = () => Promise.reject(new TypeError("not asked"));
    const events = createLinkConnection(
      {
        registry: { ownerOf: never as never, streams: {} as never },
        taskDesk: { linked: never, receive: never },
        directory: { admitDeviceAgent: never, saveReport: never },
        clock,
        log: { debug() {}, info() {}, warn() {}, error() {} },
        version: "0.1.0",
        randomId: () => "id",
      },
      "default",
      {
        send() {},
        bufferedBytes: () => 0,
        close: (code) => seen.closed.push(code),
        terminate: () => seen.terminated++,
      },
    );
    return { clock, events, seen };
  }

  it("is closed when no hello comes within ten seconds", async () => {
    const { clock, seen } = serve();
    await clock.advance(9_999);
    expect(seen.closed).toEqual([]);
    await clock.advance(1);
    expect(seen.closed).toEqual([4003]);
  });

  it("is dropped, not only closed, two intervals after its last byte", async () => {
    const { clock, events, seen } = serve();
    await clock.advance(40_000);
    events.message("ping");
    await clock.advance(49_999);
    expect(seen.terminated).toBe(0);
    await clock.advance(1);
    expect(seen.terminated).toBe(1);
  });
});

it("a dead line between them ends no other device agent's calls", async () => {
  const sockets: Socket[] = [];
  const proxy = createServer((incoming) => {
    const outgoing = dialTcp(gateway.port, "127.0.0.1");
    sockets.push(incoming, outgoing);
    incoming.pipe(outgoing);
    outgoing.pipe(incoming);
    for (const socket of [incoming, outgoing]) socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  const port = typeof address === "object" && address ? address.port : 0;
  await connectReady(gateway, { installId: "install-other-0001", devices: [{ key: "other", name: "Other" }] });
  const cut = await connectFakeDeviceAgent({ link: `ws://127.0.0.1:${port}/link`, devices: [{ name: "Cut" }] });
  await until(async () => (await listedDevices(gateway)).length === 2);
  for (const socket of sockets) socket.pause();
  cut.socket.pause();
  const answer = await postRaw(gateway.mcp, legacyCall("press_key", { key: "home", device: "other" }));
  expect(answer.message.result.structuredContent).toEqual(plainOutput);
  for (const socket of sockets) socket.destroy();
  proxy.close();
});

it("a stream that nobody asked for is not accepted", async () => {
  const socket = new WebSocket(`${gateway.link}/stream/0123456789abcdef0123456789abcdef`, {
    headers: { authorization: `Bearer ${ownerToken}` },
  });
  socket.on("error", () => {});
  const status = await new Promise((resolve) => {
    socket.on("unexpected-response", (_, answer) => {
      resolve(answer.statusCode);
      socket.terminate();
    });
  });
  expect(status).toBe(404);
});
