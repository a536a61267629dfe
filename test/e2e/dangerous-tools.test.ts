import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakeApk } from "../device-agent/adb/fake-apk.ts";
import type { McpClient } from "./support/clients.ts";
import { devicesOf, errorOf, type House, openHouse } from "./support/house.ts";

const apk = fakeApk("com.example.fresh", 300_000);
const sha256 = createHash("sha256").update(apk).digest("hex");

const calls: [string, Record<string, unknown>][] = [
  ["run_shell", { command: "touch /sdcard/was-here" }],
  ["start_process", { command: "touch /sdcard/was-here" }],
  ["read_process", { process_id: "p00000000" }],
  ["stop_process", { process_id: "p00000000" }],
  ["push_file", { path: "/sdcard/was-here", content: "x" }],
  ["pull_file", { path: "/sdcard/was-here" }],
  ["install_app", { apks: ["/sdcard/a.apk"] }],
  ["uninstall_app", { package: "app.farhand.notes" }],
  ["clear_app_data", { package: "app.farhand.notes" }],
  ["reboot", {}],
];

describe("where the owner did not allow danger", () => {
  let house: House;
  let client: McpClient;

  beforeAll(async () => {
    house = await openHouse();
    client = await house.connect();
  });
  afterAll(async () => {
    await client?.close();
    await house?.stop();
  });

  test.each(calls)("%s is refused, with the way to allow it", async (tool, input) => {
    const { code, hint } = errorOf(await client.call(tool, input));
    expect(code).toBe("write_disabled");
    expect(hint).toContain("--allow danger");
    expect(house.phones[0]?.files.exists("/sdcard/was-here")).toBe(false);
  });
});

describe("where the owner allowed danger", () => {
  let server: Server;
  let house: House;
  let client: McpClient;

  const told = async (tool: string, input: Record<string, unknown> = {}) => {
    const { structuredContent, isError, content } = await client.call(tool, input);
    expect(isError ?? false, JSON.stringify(content)).toBe(false);
    return structuredContent ?? {};
  };

  beforeAll(async () => {
    server = createServer((_request, response) => response.end(apk)).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    house = await openHouse({ allow: "write,danger", installFrom: origin() });
    client = await house.connect();
  });
  afterAll(async () => {
    await client?.close();
    await house?.stop();
    server?.close();
  });

  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  test("a command runs, and one that takes too long is gone from the phone", async () => {
    expect(await told("run_shell", { command: "echo $((6*7)); ls /nothing" })).toMatchObject({
      stdout: "42\n",
      stderr: "ls: /nothing: No such file or directory\n",
      ok: false,
      timed_out: false,
    });
    expect(await told("run_shell", { command: "sleep 300 | sleep 301", timeout_ms: 300 })).toMatchObject({
      exit_code: null,
      timed_out: true,
    });
    expect(house.phones[0]?.processes().filter(({ name }) => name === "sleep")).toEqual([]);
  });

  test("a file goes there in pieces and comes back", async () => {
    const common = { path: "/sdcard/Download/note.txt", total_size: 11 };
    expect(await told("push_file", { ...common, content: "hello " })).toMatchObject({ done: false, next_offset: 6 });
    expect(errorOf(await client.call("push_file", { ...common, content: "world", offset: 5 })).message).toContain("6");
    expect(await told("push_file", { ...common, content: "world", offset: 6 })).toMatchObject({ done: true });
    expect(await told("pull_file", { path: common.path })).toMatchObject({ content: "hello world", encoding: "text" });
  });

  test("a started process outlives a killed device agent", async () => {
    const { process_id } = await told("start_process", { command: "echo begun; sleep 300" });
    await house.killDeviceAgent();
    await house.startDeviceAgent();
    await house.ready();
    expect(await told("read_process", { process_id })).toMatchObject({ running: true, text: "begun\n" });
    expect(await told("stop_process", { process_id })).toMatchObject({ was_running: true });
    expect(house.phones[0]?.processes().filter(({ name }) => name === "sleep")).toEqual([]);
  });

  test("an app comes from a trusted place, is opened, cleared and removed; another place is refused", async () => {
    const install = { apks: [`${origin()}/fresh.apk?key=secret-key`], sha256: [sha256] };
    expect(await told("install_app", install)).toEqual({ ok: true, package: "com.example.fresh" });
    expect(await told("open_app", { package: "com.example.fresh" })).toMatchObject({ ok: true });
    await told("clear_app_data", { package: "com.example.fresh" });
    await told("uninstall_app", { package: "com.example.fresh" });
    expect((await told("list_apps", { contains: "fresh" })).total).toBe(0);
    const elsewhere = { apks: ["https://127.0.0.1/fresh.apk"], sha256: ["0".repeat(64)] };
    expect(errorOf(await client.call("install_app", elsewhere)).message).toContain("public internet");
  });

  test("commands are written down, what is in files and keys in addresses are not", async () => {
    await told("push_file", { path: "/sdcard/diary", content: "my secret words" });
    await told("run_shell", { command: "echo unmistakable" });
    const logs = ["gateway", "device-agent"].map((side) => join(house.dataDir, side, "audit.jsonl"));
    for (const path of logs) {
      await expect.poll(() => readFileSync(path, "utf8")).toContain("echo unmistakable");
      expect(readFileSync(path, "utf8")).not.toContain("secret");
    }
  });

  test("the phone restarts and comes back", async () => {
    const bootId = () => String(house.phones[0]?.files.read("/proc/sys/kernel/random/boot_id"));
    const before = bootId();
    await told("reboot");
    await expect.poll(bootId, { timeout: 10_000 }).not.toBe(before);
    const state = async () => devicesOf(await client.call("list_devices"))[0]?.state;
    await expect.poll(state, { timeout: 20_000 }).toBe("device");
  });
});
