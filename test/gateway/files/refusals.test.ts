import { afterEach, describe, expect, test } from "vitest";
import { limits } from "../../../shared/limits.ts";
import { someBytes } from "../../device-agent/spool/spool-bench.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { connectReady } from "../support/ready.ts";
import { startTestGateway, type TestGateway, tokenFor } from "../support/start-test-gateway.ts";
import { ask, type Joined, type JoinedOptions, joinGatewayAndDeviceAgent } from "./joined.ts";

const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close();
});

async function join(options: JoinedOptions = {}): Promise<Joined> {
  const joined = await joinGatewayAndDeviceAgent(options);
  closes.push(() => joined.close());
  return joined;
}

const post = (gateway: TestGateway, bytes = 10, token?: string) =>
  ask(gateway, "", { method: "POST", body: Buffer.from(someBytes(bytes)), ...(token === undefined ? {} : { token }) });

describe("the phone's owner", () => {
  test.each([
    ["denies danger", {}],
    ["wants to be asked", { default: { "device:danger": "ask" } }],
  ])("who %s gets no uploads", async (_, policy) => {
    const { gateway } = await join({ policy });
    const answer = await post(gateway);
    expect([answer.status, answer.json.error.code]).toEqual([403, "write_disabled"]);
    expect(answer.json.error.hint).toContain("--allow danger");
  });

  test("who keeps the phone out of reach keeps its files there too", async () => {
    const policy: Record<string, unknown> = { default: { "device:danger": "allow" } };
    const { gateway, spool } = await join({ policy: { ...policy, allowedSerials: ["another"] } });
    const answer = await post(gateway);
    expect([answer.status, answer.json.error.code]).toEqual([403, "device_not_allowed"]);
    expect(() => spool().report({ tenant: "default", subject: "owner" }, "file_x")).toThrow();
  });
});

test("a file that expired is not found", async () => {
  const clock = createManualClock(Date.now());
  const { gateway } = await join({ spool: { clock } });
  const { id } = (await post(gateway)).json;
  expect((await ask(gateway, `/${id}`)).status).toBe(200);
  await clock.advance(limits.spoolAgeMs);
  const answer = await ask(gateway, `/${id}`);
  expect([answer.status, answer.json.error.code]).toEqual([404, "target_not_found"]);
});

test("a device agent whose clock is a day behind keeps files as long as any other", async () => {
  const clock = createManualClock(Date.now() - 2 * limits.spoolAgeMs);
  const { gateway } = await join({ spool: { clock } });
  const made = await post(gateway);
  expect(Math.abs(Date.parse(made.json.expires_at) - Date.now() - limits.spoolAgeMs)).toBeLessThan(10 * 60_000);
  expect((await ask(gateway, `/${made.json.id}`)).status).toBe(200);
});

test("a full spool says so, and takes more when something was deleted", async () => {
  const roomLimits = { spoolBytes: 1_000, spoolFiles: 10, downloadBytes: 1_000 };
  const { gateway } = await join({ spool: { roomLimits } });
  const { id } = (await post(gateway, 800)).json;
  const full = await post(gateway, 300);
  expect([full.status, full.json.error.code]).toEqual([413, "too_large"]);
  expect(full.json.error.message).toContain("1000 bytes of files");
  expect(full.json.error.hint).toContain("DELETE /files");
  await ask(gateway, `/${id}`, { method: "DELETE" });
  expect((await post(gateway, 300)).status).toBe(201);
});

test("a token for some devices has the files of those alone", async () => {
  const token = tokenFor("owner", ["screen:read", "device:danger"], ["dev_00000000000000000000"]);
  const { gateway } = await join({ gateway: { tokens: [token] } });
  const { id } = (await post(gateway)).json;
  expect((await ask(gateway, `/${id}`, { token: token.token })).status).toBe(404);
  expect((await post(gateway, 10, token.token)).json.error.code).toBe("device_not_found");
});

test("an older device agent, which keeps no files, is named as the reason", async () => {
  const gateway = await startTestGateway();
  closes.push(() => gateway.stop());
  const deviceAgent = await connectReady(gateway);
  const answer = await post(gateway);
  expect([answer.status, answer.json.error.code]).toEqual([501, "unsupported"]);
  deviceAgent.close();
});

test("without any device there is nowhere to keep a file", async () => {
  const gateway = await startTestGateway();
  closes.push(() => gateway.stop());
  const answer = await post(gateway);
  expect([answer.status, answer.json.error.code]).toEqual([404, "device_not_found"]);
});
