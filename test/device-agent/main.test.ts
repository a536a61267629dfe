import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { runDeviceAgent } from "../../device-agent/main.ts";
import { FakePhones } from "../support/fake-phones.ts";
import { FakeGateway } from "./support/fake-gateway.ts";

const token = "main-token-0123456789-0123456789-0123456789";
const fresh = () => mkdtempSync(join(tmpdir(), "farhand-main-"));

function run(flags: Record<string, string | boolean>, phones = new FakePhones()) {
  const out: string[] = [];
  const err: string[] = [];
  const stop = new AbortController();
  const exitCode = runDeviceAgent({
    flags: { gateway: "http://127.0.0.1:9", token, dataDir: join(fresh(), "data"), ...flags },
    env: {},
    file: {},
    version: "0.1.0",
    stdout: (line) => void out.push(line),
    stderr: (line) => void err.push(line),
    stop: stop.signal,
    openPhones: async () => phones,
  });
  return { out, err, exitCode, stop: () => stop.abort() };
}

test.each([
  [
    { gateway: "http://gateway.example" },
    "plain http to gateway.example would show the token to the network; use https, or add --allow-insecure-http",
  ],
  [{ gateway: "gateway.example" }, "the gateway's address must look like https://gateway.example"],
  [{ allow: "all" }, "--allow: must be a list of read, write, danger"],
  [{ phones: "usb" }, '--phones: Invalid option: expected one of "auto"|"adb"|"direct"'],
])("a bad option is one clear line and exit code 2: %j", async (flags, line) => {
  const { exitCode, err, out } = run(flags);
  expect(await exitCode).toBe(2);
  expect(err).toEqual([`farhand device-agent: ${line}`]);
  expect(out).toEqual([]);
});

test("an unusable data directory is one clear line and exit code 2", async () => {
  const file = join(fresh(), "file");
  writeFileSync(file, "");
  const { exitCode, err } = run({ dataDir: file });
  expect(await exitCode).toBe(2);
  expect(err).toEqual([`farhand device-agent: cannot use the data directory ${file}: it is a file`]);
});

test("a broken policy at the start is one clear line and exit code 2, and the lock is given back", async () => {
  const dataDir = join(fresh(), "data");
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "policy.json"), '{\n  "default" {}\n}');
  for (let again = 0; again < 2; again++) {
    const { exitCode, err } = run({ dataDir });
    expect(await exitCode).toBe(2);
    expect(err).toEqual([`farhand device-agent: ${join(dataDir, "policy.json")} is not JSON at line 2, column 13`]);
  }
});

test("a token file must be there and hold a token", async () => {
  const file = join(fresh(), "token");
  const { exitCode, err } = runWithFile(file);
  expect(await exitCode).toBe(2);
  expect(err).toEqual([`farhand device-agent: cannot read the token file ${file}`]);
  writeFileSync(file, "short\n");
  const second = runWithFile(file);
  expect(await second.exitCode).toBe(2);
  expect(second.err).toEqual([
    `farhand device-agent: the token file ${file} must hold at least 32 printable characters without spaces`,
  ]);
});

function runWithFile(tokenFile: string) {
  const err: string[] = [];
  const exitCode = runDeviceAgent({
    flags: { gateway: "http://127.0.0.1:9", dataDir: join(fresh(), "data"), tokenFile },
    env: {},
    file: {},
    version: "0.1.0",
    stdout: () => {},
    stderr: (line) => void err.push(line),
    stop: new AbortController().signal,
    openPhones: async () => new FakePhones(),
  });
  return { exitCode, err };
}

test("without a phone it says what to do, waits, and tells of the phone that comes", async () => {
  const gateway = new FakeGateway();
  await gateway.start();
  const phones = new FakePhones();
  const { out, exitCode, stop } = run({ gateway: gateway.url }, phones);
  await gateway.link(1);
  phones.plug("a", undefined, { name: "Desk phone", state: "unauthorized", hint: "Accept the prompt on the phone." });
  await vi.waitFor(() => expect(out).toHaveLength(4));
  expect(out.slice(1)).toEqual([
    "No phone yet. Connect one with USB debugging switched on and accept its prompt, or give --direct HOST:PORT. Waiting.",
    `Linked to ${gateway.url} as da_1.`,
    "Phone Desk phone (serial-a): unauthorized. Accept the prompt on the phone.",
  ]);
  stop();
  expect(await exitCode).toBe(0);
  await gateway.stop();
});

test("a grant for one serial opens that phone and no other", async () => {
  const gateway = new FakeGateway();
  await gateway.start();
  const phones = new FakePhones();
  phones.plug("sim");
  phones.plug("real");
  const { exitCode, stop } = run({ gateway: gateway.url, allowFor: "serial-sim=write" }, phones);
  const link = await gateway.link(1);
  const press = { type: "call" as const, tool: "press_key", arguments: { key: "home" }, digest: "d", timeoutMs: 5_000 };
  const who = { principal: { tenant: "t", subject: "s" }, scopes: ["screen:write" as const], wantsProgress: false };
  link.send({ ...press, ...who, id: "c1", device: "sim" });
  link.send({ ...press, ...who, id: "c2", device: "real" });
  expect(await link.wait("result", "c1")).toMatchObject({ output: { ok: true } });
  expect((await link.wait("error", "c2")).error.code).toBe("write_disabled");
  stop();
  expect(await exitCode).toBe(0);
  await gateway.stop();
});
