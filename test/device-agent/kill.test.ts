import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Call } from "../../shared/link/messages.ts";
import { buildProgram, type RunningProgram, runProgram } from "./support/built-process.ts";
import { FakeGateway } from "./support/fake-gateway.ts";

const token = "process-token-0123456789-0123456789-0123456789";
let program: Awaited<ReturnType<typeof buildProgram>>;
let gateway: FakeGateway;
let directory: string;
const running: RunningProgram[] = [];

beforeAll(async () => {
  program = await buildProgram("test/device-agent/support/killable-process.ts");
});
afterAll(() => program.remove());
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "farhand-kill-"));
  gateway = new FakeGateway();
  await gateway.start();
});
afterEach(async () => {
  for (const { process, ended } of running.splice(0)) {
    process.kill("SIGKILL");
    await ended;
  }
  await gateway.stop();
  rmSync(directory, { recursive: true, force: true });
});

function start(): RunningProgram {
  const args = [gateway.url, join(directory, "data"), join(directory, "presses")];
  const started = runProgram(program.file, args, { FARHAND_TOKEN: token });
  running.push(started);
  return started;
}

const presses = () => readFileSync(join(directory, "presses"), "utf8");

const press = (id: string, key: string): Call => ({
  type: "call",
  id,
  tool: "press_key",
  arguments: { key },
  digest: `digest-${key}`,
  device: "a",
  principal: { tenant: "t", subject: "s" },
  scopes: ["screen:write"],
  timeoutMs: 30_000,
  wantsProgress: false,
});

test("a write that was under way when the process was killed is never repeated; an answered one is replayed", async () => {
  const first = start();
  const link = await gateway.link(1);
  link.send(press("answered", "home"));
  await link.wait("result", "answered");
  link.send(press("hanging", "camera"));
  await vi.waitFor(() => expect(presses()).toBe("home\ncamera\n"), { timeout: 5_000 });
  first.process.kill("SIGKILL");
  await first.ended;

  start();
  const next = await gateway.link(2);
  expect(next.hello.installId).toBe(link.hello.installId);
  expect(next.hello.bootId).not.toBe(link.hello.bootId);
  expect(next.hello.connectSeq).toBe(2);
  next.send({ type: "recall", id: "hanging" });
  next.send({ type: "recall", id: "answered" });
  expect((await next.wait("error", "hanging")).error.code).toBe("outcome_unknown");
  expect(await next.wait("result", "answered")).toMatchObject({ output: { ok: true } });
  next.send(press("answered", "home"));
  next.send({ type: "recall", id: "never" });
  expect(await next.wait("call_state", "never")).toMatchObject({ state: "unknown" });
  expect(presses()).toBe("home\ncamera\n");
});

test("a second process on the same data directory is refused with one line and exit code 2", async () => {
  const first = start();
  await gateway.link(1);
  const second = start();
  expect(await second.ended).toBe(2);
  expect(second.stderr()).toBe(
    `farhand device-agent: another device agent (process ${first.process.pid}) already uses this data directory: ${join(directory, "data", "device-agent.lock")}\n`,
  );
});

test("SIGTERM says goodbye to the gateway and ends with 0; neither stdout nor stderr nor a file holds the token", async () => {
  const process = start();
  const link = await gateway.link(1);
  await link.wait("devices");
  process.process.kill("SIGTERM");
  expect(await process.ended).toBe(0);
  expect(link.closed).toEqual({ code: 1001 });
  const events = process.stdout().trimEnd().split("\n");
  expect(events.map((line) => JSON.parse(line))).toEqual([
    { event: "started", version: "0.1.0", data_dir: join(directory, "data") },
    { event: "devices", devices: [{ key: "a", serial: "serial-a", name: "a", state: "device" }] },
    { event: "linked", gateway: gateway.url, device_agent_id: "da_1" },
  ]);
  const data = join(directory, "data");
  expect(readdirSync(data).toSorted()).toEqual([
    "audit.jsonl",
    "device-agent.json",
    "journal.jsonl",
    "spool",
    "tasks.jsonl",
  ]);
  expect(readdirSync(join(data, "spool"))).toEqual([]);
  const names = readdirSync(data).filter((name) => name !== "spool");
  const files = names.map((name) => readFileSync(join(data, name), "utf8"));
  expect([process.stdout(), process.stderr(), ...files].join("\n")).not.toContain(token);
});
