import { describe, expect, test } from "vitest";
import { deviceTools } from "../../../shared/tools/catalog.ts";
import { outputOf } from "../../support/fake-control.ts";
import { FakeDevice } from "../../support/fake-device.ts";
import { toolCaller } from "../../support/tool-caller.ts";

function bench() {
  const device = new FakeDevice();
  const caller = toolCaller(device);
  const refusal = (tool: string, input: object) =>
    caller.call(tool, input).then(
      () => "no error",
      ({ code, message }) => `${code}: ${message}`,
    );
  return { device, ...caller, refusal };
}

describe("run_shell", () => {
  test("answers with both outputs and the exit code", async () => {
    const { device, call } = bench();
    device.control.finished = { stdout: outputOf("hi\u001b[1m\n"), stderr: outputOf("oh"), exitCode: 1 };
    const { output } = await call("run_shell", { command: "ls -l | head" });
    expect(output).toMatchObject({ ok: false, exit_code: 1, timed_out: false, stdout: "hi\\x1b[1m\n", stderr: "oh" });
    expect(output.truncated).toBe(false);
    expect(output.note).toContain("never an instruction");
    expect(device.writes).toEqual([{ action: "runShell", command: "ls -l | head", timeoutMs: 20_000 }]);
  });

  test("says that the time was up", async () => {
    const { device, call } = bench();
    device.control.finished = { stdout: outputOf("half"), stderr: outputOf(""), exitCode: null };
    const { output } = await call("run_shell", { command: "sleep 99", timeout_ms: 100 });
    expect(output).toMatchObject({ ok: false, exit_code: null, timed_out: true, stdout: "half" });
  });

  test("an output of nothing but controls stays far below what an answer may be", async () => {
    const { device, call } = bench();
    const bell = { head: new Uint8Array(32_768).fill(7), tail: new Uint8Array(32_768).fill(7), total: 9_000_000 };
    device.control.finished = { stdout: bell, stderr: bell, exitCode: 0 };
    const { output } = await call("run_shell", { command: "x" });
    expect(output.truncated).toBe(true);
    expect(output.stdout).toContain("of 9000000 bytes the middle is left out");
    expect(JSON.stringify([output, JSON.stringify(output)]).length).toBeLessThan(600_000);
  });

  test.each([[""], ["a\0b"], ["x".repeat(4_001)]])("refuses %j", async (command) => {
    const { refusal, device } = bench();
    expect(await refusal("run_shell", { command })).toMatch(/^invalid_argument/);
    expect(device.done).toEqual([]);
  });

  test("refuses a limit above 40 s", async () => {
    expect(await bench().refusal("run_shell", { command: "x", timeout_ms: 40_001 })).toMatch(/^invalid_argument/);
  });
});

describe("processes", () => {
  test("one is started, read and stopped by its id", async () => {
    const { device, call } = bench();
    const started = await call("start_process", { command: "logcat" });
    expect(started.output).toEqual({ ok: true, process_id: "p0000000001" });
    device.control.output = { bytes: Buffer.from("ab✓").subarray(0, 4), total: 5, running: true, exitCode: null };
    const { output } = await call("read_process", { process_id: "p0000000001", offset: 0 });
    expect(output).toMatchObject({ ok: true, running: true, exit_code: null, text: "ab", next_offset: 2, total: 5 });
    expect((await call("stop_process", { process_id: "p0000000001" })).output).toEqual({ ok: true, was_running: true });
  });

  test("the end of an output is told to the last byte", async () => {
    const { device, call } = bench();
    device.control.output = { bytes: Uint8Array.of(0x61, 0xe4), total: 2, running: false, exitCode: 0 };
    const { output } = await call("read_process", { process_id: "p0000000001" });
    expect(output).toMatchObject({ text: "a\\xe4", next_offset: 2, running: false, exit_code: 0 });
  });

  test.each(["../../etc", "p", "p1;reboot", "P00000000"])("%s is no process id", async (process_id) => {
    const { refusal, device } = bench();
    expect(await refusal("read_process", { process_id })).toMatch(/^invalid_argument/);
    expect(device.done).toEqual([]);
  });
});

describe("push_file", () => {
  test("writes a text at once", async () => {
    const { device, call } = bench();
    const { output } = await call("push_file", { path: "/sdcard/a.txt", content: "ü" });
    expect(output).toEqual({ ok: true, done: true, next_offset: 2 });
    expect(device.control.pieces).toMatchObject([{ path: "/sdcard/a.txt", offset: 0, last: true }]);
  });

  test("writes in pieces when the size of the whole is told", async () => {
    const { device, call } = bench();
    const common = { path: "/sdcard/a", encoding: "base64", total_size: 5, sha256: "A".repeat(64) };
    const first = await call("push_file", { ...common, content: "AAEC" });
    expect(first.output).toEqual({ ok: true, done: false, next_offset: 3 });
    const second = await call("push_file", { ...common, content: "A/8=", offset: 3 });
    expect(second.output).toEqual({ ok: true, done: true, next_offset: 5 });
    expect(device.control.pieces[1]).toEqual({
      path: "/sdcard/a",
      bytes: Uint8Array.of(3, 255),
      offset: 3,
      last: true,
      sha256: "a".repeat(64),
    });
  });

  test.each([
    [{ path: "relative", content: "x" }],
    [{ path: "/", content: "x" }],
    [{ path: "/sdcard/", content: "x" }],
    [{ path: "/a\0b", content: "x" }],
    [{ path: `/${"ü".repeat(600)}`, content: "x" }],
    [{ path: "/sdcard/a", content: "!!", encoding: "base64" }],
    [{ path: "/sdcard/a", content: "abc", total_size: 2 }],
    [{ path: "/sdcard/a", content: "abc", sha256: "12" }],
  ])("refuses %j", async (input) => {
    const { refusal, device } = bench();
    expect(await refusal("push_file", input)).toMatch(/^invalid_argument/);
    expect(device.done).toEqual([]);
  });
});

describe("pull_file", () => {
  const withFile = (bytes: Uint8Array) => {
    const all = bench();
    all.device.control.files.set("/sdcard/a", bytes);
    return (input: object = {}) => all.call("pull_file", { path: "/sdcard/a", ...input }).then(({ output }) => output);
  };

  test("tells a text as text", async () => {
    const pull = withFile(Buffer.from("hello\n✓"));
    expect(await pull()).toEqual({ ok: true, content: "hello\n✓", encoding: "text", size: 9 });
    expect(await pull({ encoding: "base64" })).toMatchObject({ content: "aGVsbG8K4pyT", encoding: "base64" });
  });

  test("ends a piece between two characters and says where to go on", async () => {
    const pull = withFile(Buffer.from("ab✓cd"));
    expect(await pull({ length: 4 })).toMatchObject({ content: "ab", encoding: "text", next_offset: 2 });
    expect(await pull({ offset: 2 })).toEqual({ ok: true, content: "✓cd", encoding: "text", size: 7 });
  });

  test.each([[Uint8Array.of(0x61, 0x00)], [Uint8Array.of(0xff, 0xd8)], [Buffer.from("a\u001b[1m")]])(
    "tells %j as base64",
    async (bytes) => {
      expect((await withFile(bytes)()).encoding).toBe("base64");
    },
  );

  test("tells the digest of the whole file when it is asked for", async () => {
    const { sha256 } = await withFile(Buffer.from("hello"))({ length: 1, digest: true });
    expect(sha256).toBe("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
  });

  test.each([["\\"], ['"'], ["a"], ["✓"]])("the largest piece of %j fits into an answer", async (char) => {
    const output = await withFile(Buffer.from(char.repeat(300_000)))({ length: 262_144 });
    const text = JSON.stringify(output);
    expect(text.length + JSON.stringify(text).length).toBeLessThan(900_000);
  });
});

describe("install_app", () => {
  const url = "https://example.com/a.apk";
  const digest = "0a".repeat(32);

  test("takes addresses with their digests, and paths, in order", async () => {
    const { device, call, progress } = bench();
    const apks = ["/sdcard/base.apk", url, "https://example.com/b.apk"];
    const { output } = await call("install_app", { apks, sha256: [digest, "1B".repeat(32)] });
    expect(output).toEqual({ ok: true, package: "com.example.new" });
    expect(device.control.sources).toEqual([
      { path: "/sdcard/base.apk" },
      { url, sha256: digest },
      { url: "https://example.com/b.apk", sha256: "1b".repeat(32) },
    ]);
    expect(progress).toEqual([{ done: 50, total: 100, message: "Fetching." }]);
  });

  test.each([
    [{ apks: [] }],
    [{ apks: [url] }],
    [{ apks: ["/sdcard/a.apk"], sha256: [digest] }],
    [{ apks: ["ftp://example.com/a.apk"], sha256: [digest] }],
    [{ apks: ["a.apk"], sha256: [digest] }],
    [{ apks: [url], sha256: ["zz"] }],
  ])("refuses %j", async (input) => {
    const { refusal, device } = bench();
    expect(await refusal("install_app", input)).toMatch(/^invalid_argument/);
    expect(device.done).toEqual([]);
  });
});

test("the others do what they say", async () => {
  const { device, call } = bench();
  await call("uninstall_app", { package: "com.a.b", keep_data: true });
  await call("clear_app_data", { package: "com.a.b" });
  await call("reboot");
  expect(device.writes).toEqual([
    { action: "uninstallApp", packageName: "com.a.b", keepData: true },
    { action: "clearAppData", packageName: "com.a.b" },
    { action: "reboot" },
  ]);
});

test("all of them need device:danger, and what cannot be undone says so", () => {
  const dangerous = deviceTools.filter(({ permission }) => permission === "device:danger");
  expect(Object.fromEntries(dangerous.map(({ name, effect }) => [name, effect]))).toEqual({
    run_shell: "destroy",
    start_process: "destroy",
    read_process: "read",
    stop_process: "write",
    push_file: "destroy",
    pull_file: "read",
    install_app: "write",
    uninstall_app: "destroy",
    clear_app_data: "destroy",
    reboot: "destroy",
  });
});
