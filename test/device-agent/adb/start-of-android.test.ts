import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { asksHasStarted, hasStarted } from "../../../device-agent/adb/phones/start-of-android.ts";
import { checkPhones } from "../../../device-agent/doctor/check-phones.ts";
import { createPolicy } from "../../../device-agent/policy/policy.ts";
import { policySchema } from "../../../device-agent/policy/policy-schema.ts";
import { hasAdb } from "./adb-server.ts";
import { FakeAdbServer, sections, shell } from "./fake-adb-server.ts";
import { Rig, type RouteKind } from "./rig.ts";
import { scriptedRunner } from "./scripted-runner.ts";
import { codeOf, never } from "./test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

const routes: RouteKind[] = hasAdb || process.env.CI === "true" ? ["adb server", "direct"] : ["direct"];
const starting = { startMs: Number.POSITIVE_INFINITY };
const hint = "Android is still starting.";
const patient = { timeout: 20_000 };

describe.each(routes)("a phone on which Android is still starting, by %s", (route) => {
  test("is listed with a hint, refuses calls for now, and is usable once it has started", async () => {
    const { sim, address } = await rig.phone({ ...starting, model: "Slow" });
    const phones = await rig.phonesBy(route, address);
    await expect.poll(() => phones.list()[0], patient).toMatchObject({ key: sim.serial, state: "device", hint });
    expect(() => phones.open(sim.serial)).toThrow(
      expect.objectContaining({
        code: "device_offline",
        message: "Android is still starting on the phone, so it cannot be used yet.",
        retryAfterMs: 5000,
      }),
    );
    const programs = new Set(sim.ranPrograms().map(([program]) => program));
    expect(programs.has("screencap") || programs.has("dumpsys")).toBe(false);
    sim.finishStart();
    await expect.poll(() => phones.list()[0]?.hint, patient).toBeUndefined();
    expect(phones.list()).toMatchObject([{ key: sim.serial, name: "Slow", state: "device" }]);
    expect(await phones.open(sim.serial).status(never)).toMatchObject({ awake: true });
  });
});

test("a handle that was there before a restart is refused meanwhile and works afterwards", async () => {
  const { device, sim } = await rig.device("direct", {});
  await device.status(never);
  sim.files.write("/data/local/tmp/kept", Buffer.from("x"));
  await sim.reboot();
  const codes = new Set<unknown>();
  await expect
    .poll(async () => {
      const code = await codeOf(device.status(never));
      codes.add(code);
      return code;
    }, patient)
    .toBe("no error");
  codes.delete("no error");
  expect([...codes].every((code) => code === "device_offline")).toBe(true);
});

test("a phone that never says that it has started is taken as started when it has run for long", async () => {
  let ahead = 0;
  const clock = {
    now: () => Date.now() + ahead,
    sleep: (ms: number, signal?: AbortSignal) => delay(ms, undefined, { signal }),
  };
  const { sim, address } = await rig.phone({ quirks: { neverSaysStarted: true }, clock });
  const phones = await rig.phonesBy("direct", address);
  await expect.poll(() => phones.list()[0]?.hint, patient).toBe(hint);
  ahead = 10 * 60_000;
  await expect.poll(() => phones.list()[0]?.hint, patient).toBeUndefined();
  expect(await phones.open(sim.serial).status(never)).toMatchObject({ awake: true });
});

test("while it starts it is asked seldom, and not for what needs services", async () => {
  const asked: number[] = [];
  const others: string[] = [];
  const server = new FakeAdbServer(
    shell(
      sections((command) => {
        if (command === "getprop") return "[ro.serialno]: [HW1]\n";
        if (command === "getprop sys.boot_completed") asked.push(Date.now());
        else if (/^(pm|dumpsys|screencap)/.test(command)) others.push(command);
        return "";
      }),
    ),
  );
  server.show("X device transport_id:1\n");
  await server.listen();
  try {
    const phones = await rig.phones({ server: { host: "127.0.0.1", port: server.port } });
    await expect.poll(() => asked.length, patient).toBeGreaterThanOrEqual(3);
    expect(phones.list()).toMatchObject([{ key: "HW1", hint }]);
    const gaps = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
    expect(others).toEqual([]);
  } finally {
    await server.kill();
  }
});

test("the doctor says why it cannot be looked at", async () => {
  const { sim, address } = await rig.phone(starting);
  const phones = await rig.phonesBy("direct", address);
  await expect.poll(() => phones.list()[0]?.hint, patient).toBe(hint);
  const policy = createPolicy({
    rules: () => policySchema.parse({}),
    grants: { all: [], bySerial: {} },
    path: "/data/policy.json",
  });
  const found = await checkPhones(phones, policy);
  expect(found[0]).toMatchObject({ level: "fail", check: "phone", message: expect.stringContaining("still starting") });
  expect(sim.ranPrograms().some(([program]) => program === "input")).toBe(false);
});

describe("what counts as started", () => {
  const of = (entries: Record<string, string>) => hasStarted(new Map(Object.entries(entries)));

  test("is either property, as 1", () => {
    expect(of({ "sys.boot_completed": "1" })).toBe(true);
    expect(of({ "dev.bootcomplete": "1" })).toBe(true);
    expect(of({ "sys.boot_completed": "0", "dev.bootcomplete": "1" })).toBe(true);
    expect(of({ "sys.boot_completed": "0" })).toBe(false);
    expect(of({ "sys.boot_completed": "" })).toBe(false);
    expect(of({})).toBe(false);
  });

  const phone = (answers: Record<string, string>) => scriptedRunner((command) => answers[command] ?? "");
  const path = "package:/system/framework/framework-res.apk\n";

  test("is, late and without a word, a package service that answers", async () => {
    const late = phone({ "cat /proc/uptime": "500.12 900.00\n", "pm path android": path });
    expect(await asksHasStarted(late, 0, never)).toBe(true);
    const waited = phone({ "pm path android": path });
    expect([await asksHasStarted(waited, 119_000, never), await asksHasStarted(waited, 120_000, never)]).toEqual([
      false,
      true,
    ]);
    const early = phone({ "cat /proc/uptime": "20.12 90.00\n", "pm path android": path });
    expect(await asksHasStarted(early, 0, never)).toBe(false);
    expect(early.asked).not.toContain("pm path android");
  });

  test.each([
    "cmd: Can't find service: package\n",
    "Error: Could not access the Package Manager.  Is the system running?\n",
    "",
  ])("is not a package service that says %j", async (answer) => {
    const asked = phone({ "cat /proc/uptime": "500.12 900.00\n", "pm path android": answer });
    expect(await asksHasStarted(asked, 600_000, never)).toBe(false);
  });
});
