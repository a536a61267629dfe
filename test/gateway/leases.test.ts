import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodedError } from "../../shared/errors.ts";
import type { Call } from "../../shared/link/messages.ts";
import type { FakeDeviceAgent } from "./support/fake-device-agent.ts";
import { connectReady, listedDevices, until } from "./support/ready.ts";
import { legacy, legacyCall, postRaw, toolError } from "./support/rpc.ts";
import { startTestGateway, type TestGateway, tokenFor } from "./support/start-test-gateway.ts";

const bob = tokenFor("bob", ["screen:read", "screen:write", "device:lease"]);
let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startTestGateway({ tokens: [bob] });
});
afterEach(() => gateway.stop());

const three = [{ name: "Alpha" }, { key: "two", name: "Beta" }, { key: "three", name: "Gamma" }];
const acquire = (args: object, id = 1) => postRaw(gateway.mcp, legacyCall("acquire_device", args, id));
const told = (answer: Awaited<ReturnType<typeof acquire>>) => answer.message.result.structuredContent;
const inAnHour = () => Date.now() + 3_600_000;

/** Takes every lease except on the phones that it is told are busy. */
const lends =
  (...busy: string[]) =>
  (call: Call, agent: FakeDeviceAgent) => {
    if (!busy.includes(call.device)) {
      return agent.answer(call, { ok: true, lease_id: `lease_${call.device}`, expires_at: "2026-11-30T12:10:00.000Z" });
    }
    const error = new CodedError("device_busy", "The phone is leased to ann until then.", { retryAfterMs: 5_000 });
    agent.send({ type: "error", id: call.id, error: error.toBody() });
  };

describe("list_devices", () => {
  it("tells who holds a phone and until when, as long as that is true", async () => {
    const leaseExpiresAt = inAnHour();
    await connectReady(gateway, {
      devices: [
        { name: "Alpha", leaseHolder: "ann", leaseExpiresAt },
        { key: "two", name: "Beta", leaseHolder: "ann", leaseExpiresAt: Date.now() - 1 },
        { key: "three", name: "Gamma" },
      ],
    });
    const [alpha, beta, gamma] = await listedDevices(gateway);
    const until = new Date(leaseExpiresAt).toISOString();
    expect(alpha).toMatchObject({ lease_holder: "ann", lease_expires_at: until });
    for (const free of [beta, gamma]) expect(free).not.toHaveProperty("lease_holder");
  });

  it("forgets the holder when the device agent no longer names one", async () => {
    const agent = await connectReady(gateway, { devices: [{ leaseHolder: "ann", leaseExpiresAt: inAnHour() }] });
    agent.report([{}]);
    await until(async () => (await listedDevices(gateway))[0]?.lease_holder === undefined);
  });
});

describe("acquire_device", () => {
  it("takes the only phone when none is named, and says which it is", async () => {
    const agent = await connectReady(gateway, { onCall: lends() });
    const [device] = await listedDevices(gateway);
    expect(told(await acquire({ minutes: 3 }))).toEqual({
      ok: true,
      lease_id: "lease_serial-1",
      device: device?.id,
      name: "Pixel",
      expires_at: "2026-11-30T12:10:00.000Z",
    });
    expect(agent.calls()[0]?.arguments).toEqual({ minutes: 3 });
  });

  it("asks for a name when there are several, as every tool does", async () => {
    const agent = await connectReady(gateway, { devices: three, onCall: lends() });
    expect(toolError(await acquire({}))).toMatchObject({ code: "invalid_argument" });
    expect(agent.calls()).toHaveLength(0);
  });

  it("tries one phone after the other when any will do", async () => {
    const agent = await connectReady(gateway, { devices: three, onCall: lends("serial-1", "two") });
    expect(told(await acquire({ any: true }))).toMatchObject({ name: "Gamma", lease_id: "lease_three" });
    expect(agent.calls().map(({ device }) => device)).toEqual(["serial-1", "two", "three"]);
    expect(new Set(agent.calls().map(({ id }) => id)).size).toBe(3);
  });

  it("tries last the phones that are known to be held, and not at all those that are not ready", async () => {
    const lease = { leaseHolder: "ann", leaseExpiresAt: inAnHour() };
    const devices = [{ ...three[0], ...lease }, { ...three[1], state: "offline" }, { ...three[2] }];
    const agent = await connectReady(gateway, { devices, onCall: lends("three") });
    expect(told(await acquire({ any: true }))).toMatchObject({ name: "Alpha" });
    expect(agent.calls().map(({ device }) => device)).toEqual(["three", "serial-1"]);
  });

  it("says when all are taken, and when to come back", async () => {
    await connectReady(gateway, { devices: three, onCall: lends("serial-1", "two", "three") });
    expect(toolError(await acquire({ any: true }))).toEqual({
      code: "device_busy",
      message: "None of the 3 devices that fit is free now.",
      hint: "list_devices tells who holds which device and until when.",
      retry_after_ms: 5_000,
    });
  });

  it("finds no phone for a label that none has", async () => {
    const agent = await connectReady(gateway, { devices: three, onCall: lends() });
    expect(toolError(await acquire({ label: "kitchen" }))).toMatchObject({
      code: "device_not_found",
      message: "No device has this label.",
    });
    expect(agent.calls()).toHaveLength(0);
  });

  it("wants one of device, label and any", async () => {
    await connectReady(gateway, { devices: three, onCall: lends() });
    for (const args of [
      { device: "Alpha", any: true },
      { label: "x", any: true },
    ]) {
      expect(toolError(await acquire(args))).toMatchObject({ message: "Give one of device, label and any." });
    }
    expect(told(await acquire({ device: "Beta", any: false }))).toMatchObject({ name: "Beta" });
  });

  it("stays with the phone that took it when the client repeats its key", async () => {
    const agent = await connectReady(gateway, { devices: three, onCall: lends() });
    const params = { name: "acquire_device", arguments: { any: true }, _meta: { "farhand/idempotencyKey": "k1" } };
    const repeat = () => postRaw(gateway.mcp, legacy("tools/call", params));
    expect(told(await repeat())).toMatchObject({ name: "Alpha" });
    agent.report([{ name: "Alpha", leaseHolder: "owner", leaseExpiresAt: inAnHour() }, ...three.slice(1)]);
    await until(async () => (await listedDevices(gateway)).some(({ lease_holder }) => lease_holder === "owner"));
    expect(told(await repeat())).toMatchObject({ name: "Alpha" });
    expect(new Set(agent.calls().map(({ id }) => id)).size).toBe(1);
  });
});

describe("release_device", () => {
  const knows = (lease: string, device: string) => (call: Call, agent: FakeDeviceAgent) => {
    if (call.device === device && call.arguments.lease_id === lease) return agent.answer(call, { ok: true });
    const error = new CodedError("target_not_found", "You have no such lease on this phone: it has ended already.");
    agent.send({ type: "error", id: call.id, error: error.toBody() });
  };
  const release = (args: object) => postRaw(gateway.mcp, legacyCall("release_device", args));

  it("finds the phone of a lease, asking those first that the caller holds", async () => {
    const held = { leaseHolder: "owner", leaseExpiresAt: inAnHour() };
    const devices = [{ ...three[0] }, { ...three[1], ...held }, { ...three[2] }];
    const agent = await connectReady(gateway, { devices, onCall: knows("lease_1", "two") });
    expect(told(await release({ lease_id: "lease_1" }))).toMatchObject({ ok: true, name: "Beta" });
    expect(agent.calls().map(({ device }) => device)).toEqual(["two"]);
  });

  it("finds it also when the list does not tell of the lease yet", async () => {
    await connectReady(gateway, { devices: three, onCall: knows("lease_1", "three") });
    expect(told(await release({ lease_id: "lease_1" }))).toMatchObject({ ok: true, name: "Gamma" });
    expect(toolError(await release({ lease_id: "lease_2" }))).toMatchObject({ code: "target_not_found" });
    expect(toolError(await release({ lease_id: "lease_1", device: "Alpha" }))).toMatchObject({
      code: "target_not_found",
    });
  });
});

describe("lease_id", () => {
  it("travels as an argument of writes, or in _meta for clients that keep it out of the model's sight", async () => {
    const agent = await connectReady(gateway);
    await postRaw(gateway.mcp, legacyCall("press_key", { key: "home", lease_id: "lease_1" }));
    const meta = { _meta: { "farhand/leaseId": "lease_2" } };
    await postRaw(gateway.mcp, legacy("tools/call", { name: "press_key", arguments: { key: "home" }, ...meta }));
    await postRaw(gateway.mcp, legacy("tools/call", { name: "foreground_app", ...meta }));
    expect(agent.calls().map(({ arguments: args }) => args.lease_id)).toEqual(["lease_1", "lease_2", undefined]);
  });
});
