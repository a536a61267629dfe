import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { AdbServerClient } from "@yume-chan/adb";
import { afterEach, expect, test } from "vitest";
import { createServerConnector } from "../../../device-agent/adb/server/connector.ts";
import { openServerConnection } from "../../../device-agent/adb/server/server-connection.ts";
import { type CommandRunner, createCommandRunner } from "../../../device-agent/adb/shell/command-runner.ts";
import { createPacketParser } from "../../../device-agent/adb/shell/shell-v2.ts";
import { FakeAdbServer, packet, type Serve, sections, shell } from "./fake-adb-server.ts";
import { clock, never, until } from "./test-parts.ts";

const servers: FakeAdbServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill();
});

async function runnerOn(
  serve: Serve,
  features = "shell_v2",
): Promise<{ runner: CommandRunner; server: FakeAdbServer }> {
  const server = new FakeAdbServer(serve);
  server.features = features;
  servers.push(server);
  await server.listen();
  const client = new AdbServerClient(createServerConnector({ host: "127.0.0.1", port: server.port }));
  const row = {
    serial: "S1",
    state: "device",
    hint: undefined,
    product: "",
    model: "",
    usb: undefined,
    transportId: "1",
  };
  const connect = (signal: AbortSignal) => openServerConnection(client, row, "host:transport:S1", signal);
  return { runner: createCommandRunner({ connect, clock, random: Math.random }), server };
}

const quick = { signal: never, timeoutMs: 2000, task: "answer" };
const settled = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => error,
  );

test("output, error output and exit code arrive apart", async () => {
  const { runner } = await runnerOn((_, socket) => {
    socket.end(Buffer.concat([Buffer.from("OKAY"), packet(1, "out"), packet(2, "err"), packet(3, Uint8Array.of(7))]));
  });
  const result = await runner.run("x", quick);
  expect(Buffer.from(result.stdout).toString()).toBe("out");
  expect(Buffer.from(result.stderr).toString()).toBe("err");
  expect(result.exitCode).toBe(7);
});

test("packets may be cut anywhere on their way", () => {
  const whole = Buffer.concat([packet(1, "hello"), packet(2, ""), packet(1, " world"), packet(3, Uint8Array.of(3))]);
  for (let size = 1; size <= whole.length; size++) {
    const seen: Record<number, string> = {};
    const parse = createPacketParser((id, data) => {
      seen[id] = (seen[id] ?? "") + Buffer.from(data).toString("latin1");
    });
    for (let at = 0; at < whole.length; at += size) parse(whole.subarray(at, at + size));
    expect(seen).toEqual({ 1: "hello world", 3: "\u0003" });
  }
});

test("an answer that ends without an exit code is a lost connection, not a short success", async () => {
  const { runner } = await runnerOn((_, socket) => socket.end(Buffer.concat([Buffer.from("OKAY"), packet(1, "half")])));
  expect(await settled(runner.run("x", quick))).toMatchObject({ code: "device_offline" });
  expect(await settled(runner.run("x", { ...quick, writes: true }))).toMatchObject({ code: "outcome_unknown" });
});

test("a reset in the middle is an error at once", async () => {
  const { runner } = await runnerOn((_, socket) => {
    socket.write(Buffer.concat([Buffer.from("OKAY"), packet(1, "half")]));
    setTimeout(() => socket.resetAndDestroy(), 20);
  });
  const startedAt = Date.now();
  expect(await settled(runner.run("x", { ...quick, timeoutMs: 10_000 }))).toMatchObject({ code: "device_offline" });
  expect(Date.now() - startedAt).toBeLessThan(1000);
});

test("a command that never answers ends at its deadline, and its socket is closed", async () => {
  const { runner, server } = await runnerOn((_, socket) => socket.write("OKAY"));
  expect(await settled(runner.run("x", { ...quick, timeoutMs: 100 }))).toMatchObject({
    code: "deadline_exceeded",
    message: "The phone did not answer within 0.1 s.",
  });
  await until(() => server.openSockets === 0, 2000);
});

test("a server that never opens the command ends at the deadline too", async () => {
  const { runner, server } = await runnerOn(() => {});
  expect(await settled(runner.run("x", { ...quick, timeoutMs: 100 }))).toMatchObject({ code: "deadline_exceeded" });
  await until(() => server.openSockets === 0, 2000);
});

test("a caller that gives up is answered at once, and the socket is closed", async () => {
  const { runner, server } = await runnerOn((_, socket) => socket.write("OKAY"));
  const caller = new AbortController();
  const running = settled(runner.run("x", { ...quick, signal: caller.signal }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  caller.abort();
  expect(await running).toMatchObject({ code: "canceled" });
  await until(() => server.openSockets === 0, 2000);
});

test("a write that the server refused to begin is offline, not unknown", async () => {
  const { runner } = await runnerOn((_, socket) => socket.end("FAIL000edevice offline"));
  expect(await settled(runner.run("x", { ...quick, writes: true }))).toMatchObject({ code: "device_offline" });
});

test("a write whose opening was never answered is unknown", async () => {
  const { runner } = await runnerOn((_, socket) => socket.resetAndDestroy());
  expect(await settled(runner.run("x", { ...quick, writes: true }))).toMatchObject({ code: "outcome_unknown" });
});

test("a command longer than adb can name is refused, and nothing is sent", async () => {
  const seen: string[] = [];
  const { runner } = await runnerOn((service, socket) => {
    seen.push(service);
    socket.end();
  });
  expect(await settled(runner.run("x".repeat(70_000), quick))).toMatchObject({ code: "too_large" });
  expect(seen).toEqual([]);
});

test("several commands take one round trip", async () => {
  let trips = 0;
  const answer = shell(sections((command) => `<${command}>\n`));
  const { runner } = await runnerOn((service, socket) => {
    trips += 1;
    answer(service, socket);
  });
  expect(await runner.sections(["wm size", "dumpsys power"], quick)).toEqual(["<wm size>\n", "<dumpsys power>\n"]);
  expect(trips).toBe(1);
});

test("a phone without the shell protocol proves its exit code with a marker", async () => {
  const { runner } = await runnerOn((service, socket) => {
    const marker = /^exec:(.*); echo "(\w+)\$\?"$/.exec(service)?.[2];
    socket.end(`OKAYhello${marker}5\n`);
  }, "cmd");
  const result = await runner.run("x", quick);
  expect([Buffer.from(result.stdout).toString(), result.exitCode]).toEqual(["hello", 5]);
});

test("a cut answer of such a phone is no success", async () => {
  const { runner } = await runnerOn((_, socket) => socket.end("OKAYhello"), "cmd");
  expect(await settled(runner.run("x", quick))).toMatchObject({ code: "device_offline" });
});

test("the terminal of the oldest phones is undone", async () => {
  const { runner } = await runnerOn((service, socket) => {
    if (service.startsWith("exec:")) return socket.end("FAIL0006closed");
    const marker = /echo "(\w+)\$\?"$/.exec(service)?.[1];
    return socket.end(`OKAYa\r\nb\r\r\nc\rd${marker}0\r\n`);
  }, "");
  expect(Buffer.from((await runner.run("x", quick)).stdout).toString()).toBe("a\nb\nc\rd");
});

test("thousands of commands leave no memory behind", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const { runner, server } = await runnerOn(shell(() => "x".repeat(200)));
  const heapAfter = async (count: number) => {
    for (let at = 0; at < count; at += 20) {
      await Promise.all(Array.from({ length: 20 }, () => runner.run("true", quick)));
    }
    collect();
    return process.memoryUsage().heapUsed;
  };
  await heapAfter(600);
  const before = await heapAfter(200);
  const after = await heapAfter(1000);
  expect((after - before) / 1000).toBeLessThan(500);
  expect(server.openSockets).toBeLessThan(5);
}, 30_000);
