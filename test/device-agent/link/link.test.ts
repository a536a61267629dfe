import { expect, test } from "vitest";
import { createLink } from "../../../device-agent/link/link.ts";
import type { LinkConnection } from "../../../device-agent/link/open-link.ts";
import type { ToDeviceAgent } from "../../../shared/link/messages.ts";
import { createManualClock, settled } from "../../support/manual-clock.ts";
import { createFakeDial } from "../support/fake-dial.ts";
import { createLogLines } from "../support/log-lines.ts";

const token = "token-that-nobody-may-read-in-a-log-0123456789";

async function startLink({ random = () => 0.5 }: { random?: () => number } = {}) {
  const clock = createManualClock();
  const { log, lines } = createLogLines();
  const dialled = createFakeDial();
  const messages: ToDeviceAgent[] = [];
  const retries: number[] = [];
  const connections: LinkConnection[] = [];
  let connectSeq = 0;
  const link = createLink({
    clock,
    random,
    log,
    dial: dialled.dial,
    url: "ws://127.0.0.1:1/link",
    token: async () => token,
    hello: async () => ({
      type: "hello",
      protocol: 1,
      oldest: 1,
      version: "0.1.0",
      installId: "install-0123456789",
      name: "bench",
      bootId: "boot-0123",
      connectSeq: ++connectSeq,
      maxFrameBytes: 8_388_608,
      tools: { tap: "abc" },
      streams: [],
      heldTasks: [],
    }),
    events: {
      linked: (_welcome, connection) => void connections.push(connection),
      message: (message) => void messages.push(message),
      unlinked: (_reason, retryInMs) => void retries.push(retryInMs),
    },
  });
  link.start();
  await settled();
  return { clock, lines, link, messages, retries, connections, ...dialled };
}

test("says hello first, with a connectSeq that grows with each attempt", async () => {
  const { last, attempts, clock } = await startLink();
  last().open();
  expect(last().received).toEqual([
    {
      type: "hello",
      protocol: 1,
      oldest: 1,
      version: "0.1.0",
      installId: "install-0123456789",
      name: "bench",
      bootId: "boot-0123",
      connectSeq: 1,
      maxFrameBytes: 8_388_608,
      tools: { tap: "abc" },
      streams: [],
      heldTasks: [],
    },
  ]);
  last().end(1006);
  await clock.advance(250);
  last().open();
  expect(attempts).toHaveLength(2);
  expect(last().received).toMatchObject([{ type: "hello", connectSeq: 2 }]);
});

test("gives up on a gateway that takes the connection but sends no welcome within ten seconds", async () => {
  const { last, clock, retries } = await startLink();
  last().open();
  await clock.advance(9_999);
  expect(last().terminated).toBe(false);
  const first = last();
  await clock.advance(1);
  expect(first.terminated).toBe(true);
  expect(retries).toEqual([250]);
});

test("gives up on an address that does not answer within ten seconds", async () => {
  const { attempts, clock } = await startLink();
  await clock.advance(10_250);
  expect(attempts.map(({ terminated }) => terminated)).toEqual([true, false]);
});

test.each([1000, 1001, 1006, 1009, 1011, 1012, 4004, 4999])("dials again after close code %i", async (code) => {
  const { last, attempts, clock } = await startLink();
  last().welcome();
  last().end(code, "whatever");
  await clock.advance(250);
  expect(attempts).toHaveLength(2);
});

test.each([
  ["HTTP 401", (attempt: ReturnType<typeof createFakeDial>) => attempt.last().decline(401)],
  ["close code 4002", (attempt: ReturnType<typeof createFakeDial>) => attempt.last().end(4002)],
])("says that the token was refused and tries again only after a minute: %s", async (_name, happen) => {
  const bench = await startLink({ random: () => 0 });
  happen(bench);
  await bench.clock.advance(59_999);
  expect(bench.attempts).toHaveLength(1);
  await bench.clock.advance(1);
  expect(bench.attempts).toHaveLength(2);
  expect(bench.lines.join()).toContain("The gateway refused the token");
});

test("warns of a second process with the same identity and does not fight with it", async () => {
  const { last, attempts, clock, lines } = await startLink({ random: () => 0 });
  last().welcome();
  last().end(4001, "replaced");
  await clock.advance(59_000);
  expect(attempts).toHaveLength(1);
  expect(lines.join()).toContain("Two device agents use one identity");
  await clock.advance(1_000);
  expect(attempts).toHaveLength(2);
});

test("shows the gateway's hint when it is refused, and tries again slowly", async () => {
  const { last, attempts, clock, lines } = await startLink({ random: () => 0 });
  last().open();
  last().say({
    type: "refused",
    error: { code: "unsupported", message: "Protocol 1 is too old.", hint: "Install version 3 or newer." },
  });
  await clock.advance(59_000);
  expect(attempts).toHaveLength(1);
  expect(lines.join()).toContain("Install version 3 or newer.");
  await clock.advance(1_000);
  expect(attempts).toHaveLength(2);
});

test("an unstable link does not reset the back-off, a stable one does", async () => {
  const { last, clock, retries } = await startLink();
  for (let failure = 0; failure < 4; failure++) {
    last().welcome();
    await clock.advance(5_000);
    last().end(1006);
    await clock.advance(10_000);
  }
  last().welcome();
  await clock.advance(25_000);
  last().sayRaw("pong");
  await clock.advance(5_000);
  last().end(1006);
  await settled();
  expect(retries).toEqual([250, 500, 1_000, 2_000, 250]);
});

test("ends a link on which nothing comes for two intervals, whatever it sends itself", async () => {
  const { last, clock } = await startLink();
  last().welcome({ pingMs: 20_000 });
  const first = last();
  await clock.advance(39_999);
  expect(first.received.filter((message) => message === "ping")).toHaveLength(1);
  expect(first.terminated).toBe(false);
  await clock.advance(1);
  expect(first.terminated).toBe(true);
});

test("keeps a link whose gateway answers pings", async () => {
  const { last, clock, attempts } = await startLink();
  last().welcome();
  for (let minute = 0; minute < 10; minute++) {
    await clock.advance(25_000);
    last().sayRaw("pong");
  }
  expect(attempts).toHaveLength(1);
  expect(last().received.filter((message) => message === "ping")).toHaveLength(10);
});

test("closes with the protocol code after a malformed message", async () => {
  const { last } = await startLink();
  last().welcome();
  last().sayRaw(new Uint8Array([0, 0, 0, 200, 123]));
  expect(last().closedWith).toMatchObject({ code: 4003 });
});

test("closes with the protocol code after a call that lacks its arguments", async () => {
  const { last, messages } = await startLink();
  last().welcome();
  last().say({ type: "call", id: "c1", tool: "tap" });
  expect(last().closedWith).toMatchObject({ code: 4003 });
  expect(messages).toEqual([]);
});

test("ignores message types that it does not know", async () => {
  const { last, messages } = await startLink();
  last().welcome();
  last().say({ type: "weather", sunny: true });
  last().say({ type: "cancel", id: "c1" });
  expect(last().closedWith).toBeUndefined();
  expect(messages).toEqual([{ type: "cancel", id: "c1" }]);
});

test("does as the gateway says when it is about to stop: finishes here, dials again later", async () => {
  const { last, attempts, clock } = await startLink({ random: () => 0.5 });
  last().welcome();
  last().say({ type: "drain", reconnectInMs: 4_000 });
  await clock.advance(1_000);
  expect(last().closedWith).toBeUndefined();
  last().end(1001);
  await clock.advance(4_999);
  expect(attempts).toHaveLength(1);
  await clock.advance(1);
  expect(attempts).toHaveLength(2);
});

test("leaves a draining gateway by itself when the time has come", async () => {
  const { attempts, last, clock } = await startLink({ random: () => 0 });
  last().welcome();
  last().say({ type: "drain", reconnectInMs: 3_000 });
  await clock.advance(3_000);
  expect(attempts[0]?.closedWith).toMatchObject({ code: 1001 });
  expect(attempts).toHaveLength(2);
});

test("a message of an ended link is not heard any more", async () => {
  const { attempts, clock, messages, last } = await startLink();
  last().welcome({ pingMs: 1_000 });
  await clock.advance(2_000);
  attempts[0]?.say({ type: "cancel", id: "late" });
  expect(messages).toEqual([]);
});

test("stops with a goodbye and dials no more", async () => {
  const { link, last, attempts, clock } = await startLink();
  last().welcome();
  const stopped = link.stop();
  last().end(1001);
  await stopped;
  expect(last().closedWith).toMatchObject({ code: 1001 });
  await clock.advance(600_000);
  expect(attempts).toHaveLength(1);
});

test("never writes the token into the log", async () => {
  const { last, clock, lines } = await startLink();
  expect(last().target.token).toBe(token);
  for (const end of [4001, 4002, 4003, 1006]) {
    last().welcome();
    last().end(end, "reason");
    await clock.advance(120_000);
    last().decline(401);
    await clock.advance(120_000);
  }
  expect(lines.length).toBeGreaterThan(4);
  expect(lines.join()).not.toContain(token);
});

test("drops progress and holds results while the network takes nothing", async () => {
  const { last, connections, clock } = await startLink();
  last().welcome();
  const [connection] = connections;
  last().buffered = 16 * 1024 * 1024 + 1;
  const seen = last().received.length;
  void connection?.send({ type: "progress", id: "c1", progress: 1 });
  void connection?.send({ type: "result", id: "c1", output: { ok: true }, pictures: [] });
  await clock.advance(1_000);
  expect(last().received).toHaveLength(seen);
  last().buffered = 0;
  await clock.advance(20);
  expect(last().received.slice(seen)).toEqual([{ type: "result", id: "c1", output: { ok: true }, pictures: [] }]);
});

test("an answer over the frame size fails alone", async () => {
  const { last, connections } = await startLink();
  last().welcome({ maxFrameBytes: 1_000 });
  const picture = { mimeType: "image/jpeg", width: 1, height: 1, bytes: 2_000 };
  await connections[0]?.send({ type: "result", id: "big", output: {}, pictures: [picture] }, [new Uint8Array(2_000)]);
  await connections[0]?.send({ type: "result", id: "small", output: {}, pictures: [] });
  expect(last().received.slice(1)).toMatchObject([
    { type: "error", id: "big", error: { code: "too_large" } },
    { type: "result", id: "small" },
  ]);
  expect(last().closedWith).toBeUndefined();
});
