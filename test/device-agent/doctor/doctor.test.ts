import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Finding } from "../../../device-agent/doctor/finding.ts";
import { runDoctor } from "../../../device-agent/doctor/run-doctor.ts";
import { createSimulatedPhone } from "../../../device-agent/simulated-phone/simulated-phone.ts";
import { ownerToken, startTestGateway, type TestGateway } from "../../gateway/support/start-test-gateway.ts";
import { FakePhones } from "../../support/fake-phones.ts";
import { openDirectAdb } from "../simulated-phone/support/direct-adb.ts";

let folder: string;
const closers: (() => Promise<unknown>)[] = [];
// The first picture loads the fonts, which takes seconds on a busy machine.
beforeAll(() => void createSimulatedPhone().picture());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "farhand-doctor-"));
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  rmSync(folder, { recursive: true, force: true });
});

async function simulated(options: Parameters<typeof createSimulatedPhone>[0] = {}) {
  const sim = createSimulatedPhone({ width: 540, height: 1200, density: 210, ...options });
  const { host, port } = await sim.listen();
  closers.push(() => sim.close());
  return { sim, port, direct: `${host}:${port}` };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address && typeof address === "object" ? address.port : 0;
}

async function run(flags: Record<string, string>, phones?: FakePhones) {
  const out: string[] = [];
  const err: string[] = [];
  const given = { dataDir: join(folder, "data"), phones: "direct", ocrDir: join(folder, "no-ocr"), ...flags };
  const exitCode = await runDoctor({
    flags: { ...given, json: true },
    env: {},
    file: {},
    stdout: (line) => void out.push(line),
    stderr: (line) => void err.push(line),
    ...(phones ? { openPhones: async () => phones } : {}),
  });
  const lines = out.map((line) => JSON.parse(line));
  const findings = lines.filter(({ event }) => event === "finding") as Finding[];
  const about = (check: string) => findings.filter((finding) => finding.check === check);
  return { exitCode, err, findings, about, result: lines.at(-1) };
}

describe("a phone", () => {
  test("that is ready passes, and nothing was done to it but a key that means nothing", async () => {
    const { sim, direct } = await simulated();
    const before = sim.screen.foregroundActivity;
    mkdirSync(join(folder, "data"));
    const { exitCode, findings, result } = await run({ direct, allow: "write" });
    expect(
      findings.filter(({ level }) => level !== "ok").map(({ subject, check }) => [subject, check]),
      JSON.stringify(findings),
    ).toEqual([
      ["device agent", "device_agent"],
      ["gateway", "gateway"],
    ]);
    expect(findings).toContainEqual({
      event: "finding",
      level: "ok",
      subject: `Farhand Sim (${sim.serial})`,
      check: "phone",
      message: "Android 14, ready.",
    });
    expect([exitCode, result.usable, result.fail]).toEqual([0, true, 0]);
    expect(sim.screen.receivedInputs.map(({ kind }) => kind)).toEqual(["key"]);
    expect(sim.screen.foregroundActivity).toBe(before);
    expect([readdirSync(folder), readdirSync(join(folder, "data"))]).toEqual([["data"], []]);
  });

  test("of a vendor that refuses input fails, with the name of that vendor's switch", async () => {
    const { direct } = await simulated({ manufacturer: "Xiaomi", quirks: { injectDenied: "exit 0" } });
    const { exitCode, about } = await run({ direct });
    expect(about("input")).toMatchObject([
      {
        level: "fail",
        message: expect.stringMatching(/^The phone has refused injected input\. Not usable: tap, /),
        fix: expect.stringContaining('"USB debugging (Security settings)"'),
      },
    ]);
    expect(exitCode).toBe(1);
  });

  test("that is locked, dark, saving, with two panels and without the helper can be used, with a word on each", async () => {
    const { sim, direct, port } = await simulated({ keyguard: "pin", quirks: { noScrcpy: true, secondDisplay: true } });
    sim.lock();
    const adb = await openDirectAdb(port);
    await adb.createSocketAndWait(
      "shell:settings put system screen_off_timeout 30000; settings put global low_power 1",
    );
    await adb.close();
    const { exitCode, findings } = await run({ direct });
    expect(sim.screen.wakefulness).toBe("Asleep");
    const warned = findings.filter(({ level, subject }) => level === "warn" && subject.includes(sim.serial));
    expect(warned.map(({ check }) => check)).toEqual(["helper", "lock", "screen_timeout", "battery_saver", "displays"]);
    for (const { message, fix } of warned)
      expect([message, fix]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)]);
    expect(exitCode).toBe(0);
  });

  test("that does not answer fails", async () => {
    const { sim, direct } = await simulated({ authorization: "prompt" });
    const { exitCode, about } = await run({ direct });
    expect(about("phone")).toMatchObject([{ level: "fail", message: expect.stringContaining("unauthorized") }]);
    expect(about("phone")[0]?.fix).toMatch(/prompt/);
    expect(exitCode).toBe(1);
    expect(sim.screen.receivedInputs).toEqual([]);
  });

  test("that is missing is missed, with how to connect one", async () => {
    const { exitCode, about } = await run({}, new FakePhones());
    expect(about("phones")).toMatchObject([{ level: "fail", fix: expect.stringContaining("USB debugging") }]);
    expect(exitCode).toBe(1);
  });
});

describe("several phones", () => {
  test("are told one by one, and what lies at this machine once", async () => {
    const phones = new FakePhones();
    phones.plug("a");
    phones.plug("b");
    phones.plug("c", undefined, { state: "offline", hint: "Unlock the phone." });
    phones.findings = [{ level: "warn", check: "device_agent", message: "No add-on.", fix: "Add it." }];
    const { about } = await run({}, phones);
    expect(about("device_agent")).toHaveLength(1);
    expect(about("phone")).toMatchObject([
      {
        subject: "c (serial-c)",
        level: "fail",
        message: "Its state is offline, so it cannot be used now.",
        fix: "Unlock the phone.",
      },
    ]);
    expect(about("policy").map(({ subject }) => subject)).toEqual(["a (serial-a)", "b (serial-b)", "c (serial-c)"]);
  });
});

describe("the owner's policy", () => {
  const policy = (text: string) => {
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data", "policy.json"), text);
    const phones = new FakePhones();
    phones.plug("a");
    return run({}, phones);
  };

  test("is told in one sentence", async () => {
    const { about, exitCode } = await policy('{"default": {"screen:write": "allow", "device:danger": "ask"}}');
    expect(about("policy")).toMatchObject([
      { level: "ok", message: "Looking is allowed, touching and typing allowed, dangerous calls asked for each time." },
    ]);
    expect(exitCode).toBe(0);
  });

  test("that leaves a phone out, or forbids looking, is pointed out", async () => {
    expect((await policy('{"allowedSerials": ["other"]}')).about("policy")).toMatchObject([{ level: "warn" }]);
    rmSync(join(folder, "data"), { recursive: true });
    expect((await policy('{"default": {"screen:read": "deny"}}')).about("policy")).toMatchObject([{ level: "warn" }]);
  });

  test("that is broken fails, with the place of the fault", async () => {
    const { about, exitCode } = await policy("{\n  oops");
    expect(about("policy")[0]).toMatchObject({ level: "fail", subject: "device agent" });
    expect(about("policy")[0]?.message).toMatch(/policy\.json is not JSON at line 2, column 3\.$/);
    expect(exitCode).toBe(1);
  });
});

describe("the gateway", () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startTestGateway();
    closers.push(() => gateway.stop());
  });
  const phones = new FakePhones();
  phones.plug("a");
  const ask = (flags: Record<string, string>) => run({ gateway: gateway.url, ...flags }, phones);

  test("that answers and takes the token passes, and is left without a link", async () => {
    const { findings, exitCode } = await ask({ token: ownerToken });
    const about = findings.filter(({ subject }) => subject === "gateway");
    expect(about.map(({ level, check }) => [level, check])).toEqual([
      ["ok", "gateway"],
      ["ok", "clock"],
      ["ok", "token"],
    ]);
    expect(exitCode).toBe(0);
    expect(gateway.logged.join("\n")).not.toContain("a device agent is connected");
  });

  test("that does not take the token fails, and a token that was not given is pointed out", async () => {
    expect((await ask({ token: "x".repeat(40) })).about("token")).toMatchObject([{ level: "fail" }]);
    expect((await ask({})).about("token")).toMatchObject([{ level: "warn" }]);
    const { about, exitCode } = await ask({ tokenFile: join(folder, "nothing") });
    expect(about("token")).toMatchObject([{ level: "fail", message: expect.stringContaining("cannot read") }]);
    expect(exitCode).toBe(1);
  });

  test("that is not there, or is something else, fails", async () => {
    const port = await freePort();
    const { about } = await ask({ gateway: `http://127.0.0.1:${port}`, token: ownerToken });
    expect(about("gateway")[0]).toMatchObject({ level: "fail", message: expect.stringContaining("ECONNREFUSED") });
    const elsewhere = await ask({ gateway: `${gateway.url}/other`, token: ownerToken });
    expect(elsewhere.about("gateway")[0]).toMatchObject({
      level: "fail",
      message: expect.stringContaining("HTTP 404"),
    });
  });
});

test("settings that make no sense are one line each and exit code 2", async () => {
  const { exitCode, err } = await run({ gateway: "http://gateway.example" }, new FakePhones());
  expect(exitCode).toBe(2);
  expect(err).toEqual([expect.stringMatching(/^farhand device-agent doctor: plain http to gateway\.example/)]);
  expect(existsSync(join(folder, "data"))).toBe(false);
});
