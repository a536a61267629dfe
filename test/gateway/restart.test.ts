import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connectFakeDeviceAgent, plainOutput } from "./support/fake-device-agent.ts";
import { connectReady, listedDevices, pause, until } from "./support/ready.ts";
import { legacyCall, postRaw, toolError } from "./support/rpc.ts";
import { startTestGateway } from "./support/start-test-gateway.ts";

const pressHome = legacyCall("press_key", { key: "home" });

it("a restarted gateway serves the same client and finds the same devices under the same names", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "farhand-restart-"));
  const headers = { "mcp-session-id": "from-before-the-restart" };
  const before = await startTestGateway({ dataDir });
  const agent = await connectReady(before, { connectSeq: 1 });
  const devices = await listedDevices(before);
  expect((await postRaw(before.mcp, pressHome, { headers })).status).toBe(200);
  await before.stop();
  expect(agent.received.map(({ type }) => type)).toContain("drain");
  expect((await agent.closed).code).toBe(1001);

  const after = await startTestGateway({ dataDir, port: before.port });
  const pending = postRaw(after.mcp, pressHome, { headers });
  await pause(50);
  await connectFakeDeviceAgent({ link: after.link, connectSeq: 2 });
  expect((await pending).message.result.structuredContent).toEqual(plainOutput);
  const told = ({ id, name, state }: Record<string, unknown>) => ({ id, name, state });
  expect((await listedDevices(after)).map(told)).toEqual(devices.map(told));

  const replayed = await connectFakeDeviceAgent({ link: after.link, connectSeq: 1 });
  expect((await replayed.next("refused")).error.code).toBe("connection_replaced");
  await after.stop();
  await rm(dataDir, { recursive: true });
});

it("a gateway that stops lets the call under way finish and takes no new one", async () => {
  const gateway = await startTestGateway();
  const agent = await connectReady(gateway, { onCall: (call, self) => setTimeout(() => self.answer(call), 400) });
  const pending = postRaw(gateway.mcp, pressHome);
  await until(() => agent.calls().length === 1);
  const stopped = gateway.stop();
  const refused = await postRaw(gateway.mcp, pressHome).catch(() => ({ status: 503 }));
  expect(refused.status).toBe(503);
  expect((await pending).message.result.structuredContent).toEqual(plainOutput);
  await stopped;
  expect(agent.calls()).toHaveLength(1);
});

it("a call that does not finish in five seconds is ended", async () => {
  const gateway = await startTestGateway();
  const agent = await connectReady(gateway, { onCall: () => {} });
  const pending = postRaw(gateway.mcp, pressHome);
  await until(() => agent.calls().length === 1);
  const startedAt = Date.now();
  await gateway.stop();
  expect(Date.now() - startedAt).toBeGreaterThan(4_500);
  expect(Date.now() - startedAt).toBeLessThan(12_000);
  expect(toolError(await pending).code).toBe("device_offline");
  expect(agent.received.map(({ type }) => type)).toContain("cancel");
});
