import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  createSimulatedPhone,
  type SimulatedPhone,
  type SimulatedPhoneOptions,
} from "../../device-agent/simulated-phone/simulated-phone.ts";
import type { Call } from "../../shared/link/messages.ts";
import { buildProgram, type RunningProgram, runProgram } from "./support/built-process.ts";
import { FakeGateway, type GatewayLink } from "./support/fake-gateway.ts";

const token = "process-token-0123456789-0123456789-0123456789";
const helper = "com.android.adbkeyboard/.AdbIME";
const patient = { timeout: 30_000, interval: 2 };
let program: Awaited<ReturnType<typeof buildProgram>>;
let gateway: FakeGateway;
let directory: string;
let phone: SimulatedPhone;
const running: RunningProgram[] = [];

beforeAll(async () => {
  program = await buildProgram("test/device-agent/support/real-process.ts");
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
  await phone.close();
  await gateway.stop();
  rmSync(directory, { recursive: true, force: true });
});

const note = () => join(directory, "data", "put-back.json");

async function plugIn(options: SimulatedPhoneOptions): Promise<string> {
  phone = createSimulatedPhone({ width: 540, height: 1200, density: 210, serial: "KILL1", ...options });
  const { host, port } = await phone.listen();
  return `${host}:${port}`;
}

/** Starts the device agent and waits until it has linked. */
async function start(address: string, flags: Record<string, string> = {}): Promise<GatewayLink> {
  const own = { gateway: gateway.url, dataDir: join(directory, "data"), phones: "direct", direct: address };
  const started = runProgram(program.file, [JSON.stringify({ ...own, allow: "write", ...flags })], {
    FARHAND_TOKEN: token,
    HOME: directory,
  });
  running.push(started);
  return gateway.link(gateway.links.length + 1);
}

const call = (id: string, tool: string, args: Record<string, unknown>): Call => ({
  type: "call",
  id,
  tool,
  arguments: args,
  digest: `digest-${id}`,
  device: phone.serial,
  principal: { tenant: "t", subject: "s" },
  scopes: ["screen:read", "screen:write"],
  timeoutMs: 40_000,
  wantsProgress: false,
});

async function intoMessage(link: GatewayLink): Promise<void> {
  phone.open("app.farhand.chat");
  link.send(call("focus", "tap_element", { id: "message_input" }));
  await link.wait("result", "focus");
}

/** Kills the device agent at a moment at which it cannot go on. */
async function kill(): Promise<void> {
  phone.freeze();
  const [last] = running.slice(-1);
  last?.process.kill("SIGKILL");
  expect(await last?.ended).toBe("SIGKILL");
  phone.unplug();
  phone.thaw();
}

test("the user's clipboard is back after the device agent was killed while it typed, and no copy of it is left", async () => {
  const address = await plugIn({});
  phone.setClipboard("the user's own");
  const link = await start(address);
  await intoMessage(link);
  link.send(call("typing", "type_text", { text: "你好" }));
  await expect.poll(() => phone.screen.clipboard, patient).toBe("你好");
  await kill();
  expect(phone.screen.clipboard).toBe("你好");
  expect(readFileSync(note(), "utf8")).toContain("the user's own");
  expect(readFileSync(note(), "utf8")).not.toContain("你好");
  expect(statSync(note()).mode & 0o777).toBe(0o600);

  await start(address);
  await expect.poll(() => phone.screen.clipboard, patient).toBe("the user's own");
  await expect.poll(() => existsSync(note()), patient).toBe(false);
  const data = join(directory, "data");
  const files = readdirSync(data).filter((name) => statSync(join(data, name)).isFile());
  const kept = files.map((name) => readFileSync(join(data, name), "utf8"));
  expect([...kept, ...running.map(({ stderr }) => stderr())].join("\n")).not.toContain("the user's own");
}, 90_000);

test("what the user copied after the device agent was killed is not overwritten", async () => {
  const address = await plugIn({});
  phone.setClipboard("the user's own");
  const link = await start(address);
  await intoMessage(link);
  link.send(call("typing", "type_text", { text: "你好" }));
  await expect.poll(() => phone.screen.clipboard, patient).toBe("你好");
  await kill();
  phone.setClipboard("copied since then");

  const next = await start(address);
  await expect.poll(() => existsSync(note()), patient).toBe(false);
  next.send(call("reading", "read_clipboard", {}));
  expect(await next.wait("result", "reading")).toMatchObject({ output: { text: "copied since then" } });
}, 90_000);

test("the user's keyboard is back before anything else is typed by the next device agent", async () => {
  const address = await plugIn({ helperKeyboard: true, quirks: { noScrcpy: true } });
  const before = [phone.screen.inputMethod, phone.screen.enabledInputMethods];
  const link = await start(address, { helperKeyboard: helper });
  await intoMessage(link);
  link.send(call("typing", "type_text", { text: "你好" }));
  await expect.poll(() => phone.screen.inputMethod, patient).toBe(helper);
  await kill();
  expect(phone.screen.inputMethod).toBe(helper);
  expect(existsSync(note())).toBe(true);

  const next = await start(address);
  const typed = phone.screen.receivedInputs.length;
  next.send(call("plain", "type_text", { text: "plain" }));
  await expect.poll(() => phone.screen.receivedInputs.length, patient).toBeGreaterThan(typed);
  expect([phone.screen.inputMethod, phone.screen.enabledInputMethods]).toEqual(before);
  await next.wait("result", "plain");
  expect(existsSync(note())).toBe(false);
}, 90_000);

test("a phone that is away when the device agent comes back gets its keyboard back when it returns", async () => {
  const address = await plugIn({ helperKeyboard: true, quirks: { noScrcpy: true } });
  const before = [phone.screen.inputMethod, phone.screen.enabledInputMethods];
  const link = await start(address, { helperKeyboard: helper });
  await intoMessage(link);
  link.send(call("typing", "type_text", { text: "你好" }));
  await expect.poll(() => phone.screen.inputMethod, patient).toBe(helper);
  await kill();
  phone.freeze();
  const next = await start(address);
  expect(next.received.filter(({ message }) => message.type === "error")).toEqual([]);
  expect(phone.screen.inputMethod).toBe(helper);
  phone.unplug();
  phone.thaw();
  await expect.poll(() => [phone.screen.inputMethod, phone.screen.enabledInputMethods], patient).toEqual(before);
  await expect.poll(() => existsSync(note()), patient).toBe(false);
}, 90_000);
