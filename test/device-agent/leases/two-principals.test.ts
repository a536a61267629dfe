import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLeaseFile } from "../../../device-agent/leases/lease-file.ts";
import { createLeases } from "../../../device-agent/leases/leases.ts";
import { createSystemClock } from "../../../device-agent/system-clock.ts";
import { deviceTools } from "../../../shared/tools/catalog.ts";
import { toolDigests } from "../../../shared/tools/digest.ts";
import { listedDevices, until } from "../../gateway/support/ready.ts";
import { legacyCall, postRaw } from "../../gateway/support/rpc.ts";
import { ownerToken, startTestGateway, type TestGateway, tokenFor } from "../../gateway/support/start-test-gateway.ts";
import { FakeDevice } from "../../support/fake-device.ts";
import { createLogLines } from "../support/log-lines.ts";
import { createSmallDeviceAgent } from "../support/small-device-agent.ts";

const ann = tokenFor("ann", ["screen:read", "screen:write", "device:lease"]);
const bob = tokenFor("bob", ["screen:read", "screen:write", "device:lease"]);
let gateway: TestGateway;
let folder: string;
let connectSeq = 0;
const stops: (() => Promise<void>)[] = [];

/** A device agent with the phones "a" and "b", on the data directory that all of one test share. */
async function startDeviceAgent() {
  const { log } = createLogLines();
  const clock = createSystemClock();
  const file = createLeaseFile({ path: join(folder, "leases.json"), log });
  let ids = 0;
  const newId = () => `lease_${++ids}_${connectSeq}`;
  const { deviceAgent, phones, device } = createSmallDeviceAgent(gateway.port, {
    tools: deviceTools,
    toolDigests: await toolDigests(deviceTools),
    token: async () => ownerToken,
    identity: {
      installId: "install-0123456789",
      bootId: `boot-${connectSeq}000`,
      nextConnectSeq: async () => ++connectSeq,
    },
    leases: createLeases({ clock, log, file, kept: await file.read(), newId }),
  });
  const other = new FakeDevice();
  phones.plug("b", other);
  await deviceAgent.start();
  stops.push(() => deviceAgent.stop());
  await until(async () => (await listedDevices(gateway)).filter(({ state }) => state === "device").length === 2);
  return { deviceAgent, a: device, b: other };
}

beforeEach(async () => {
  gateway = await startTestGateway({ tokens: [ann, bob] });
  folder = mkdtempSync(join(tmpdir(), "farhand-leases-"));
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function call(who: { token: string }, tool: string, args: object = {}) {
  const { message } = await postRaw(gateway.mcp, legacyCall(tool, args), { token: who.token });
  const told = JSON.parse(message.result.content[0].text);
  return told.error ?? told;
}

test("two people share two phones without touching each other's", async () => {
  const { a, b } = await startDeviceAgent();
  const first = await call(ann, "acquire_device", { any: true });
  const second = await call(bob, "acquire_device", { any: true });
  expect([first.name, second.name]).toEqual(["a", "b"]);
  expect(await call(bob, "acquire_device", { any: true })).toMatchObject({ code: "device_busy" });

  const refused = await call(bob, "wake", { device: "a" });
  expect(refused).toMatchObject({
    code: "device_busy",
    message: `The phone is leased to ann until ${first.expires_at}.`,
  });
  expect(refused.retry_after_ms).toBeGreaterThan(590_000);
  expect(await call(bob, "wake", { device: "a", lease_id: first.lease_id })).toMatchObject({ code: "device_busy" });
  expect(await call(bob, "foreground_app", { device: "a" })).toMatchObject({ ok: true });
  expect(await call(ann, "wake", { device: "a", lease_id: first.lease_id })).toMatchObject({ ok: true });
  expect([a.writes, b.writes]).toEqual([[{ action: "wake" }], []]);

  await until(async () => (await listedDevices(gateway)).every(({ lease_holder }) => lease_holder !== undefined));
  expect((await listedDevices(gateway)).map(({ lease_holder }) => lease_holder)).toEqual(["ann", "bob"]);
  expect((await listedDevices(gateway))[0]?.lease_expires_at).toBe(first.expires_at);

  expect(await call(bob, "release_device", { lease_id: first.lease_id })).toMatchObject({ code: "target_not_found" });
  expect(await call(ann, "release_device", { lease_id: first.lease_id })).toMatchObject({ ok: true, name: "a" });
  expect(await call(bob, "wake", { device: "a" })).toMatchObject({ ok: true });
});

test("of two conversations of one token only the one with the lease_id writes, and the other one can take it up", async () => {
  const { a } = await startDeviceAgent();
  const held = await call(ann, "acquire_device", { device: "a" });
  expect(await call(ann, "wake", { device: "a" })).toMatchObject({
    code: "device_busy",
    message: `You (ann) lease this phone until ${held.expires_at}; this call names no lease.`,
  });
  expect(a.writes).toEqual([]);
  expect(await call(ann, "acquire_device", { any: true })).toMatchObject({ name: "b" });
  const again = await call(ann, "acquire_device", { device: "a", minutes: 20 });
  expect(again.lease_id).toBe(held.lease_id);
  expect(Date.parse(again.expires_at)).toBeGreaterThan(Date.parse(held.expires_at));
  expect(await call(ann, "wake", { device: "a", lease_id: again.lease_id })).toMatchObject({ ok: true });
});

test("a lease holds after the device agent was restarted", async () => {
  const before = await startDeviceAgent();
  const { lease_id, expires_at } = await call(ann, "acquire_device", { device: "a" });
  await before.deviceAgent.stop();
  await until(async () => (await listedDevices(gateway)).every(({ state }) => state === "offline"));
  const { a } = await startDeviceAgent();
  expect(await call(bob, "wake", { device: "a" })).toMatchObject({
    code: "device_busy",
    message: `The phone is leased to ann until ${expires_at}.`,
  });
  expect(await call(ann, "wake", { device: "a", lease_id })).toMatchObject({ ok: true });
  expect(a.writes).toEqual([{ action: "wake" }]);
});
