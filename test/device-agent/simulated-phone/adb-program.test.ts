import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createSimulatedPhone,
  type SimulatedPhone,
  type SimulatedPhoneOptions,
} from "../../../device-agent/simulated-phone/simulated-phone.ts";

const run = promisify(execFile);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

describe.skipIf(process.env.FARHAND_TEST_WITHOUT_ADB)("the adb program and its own server", () => {
  let home: string;
  let serverPort: number;
  let serial: string;
  let phone: SimulatedPhone;
  const phones: SimulatedPhone[] = [];

  const adb = async (...args: string[]) => {
    const { stdout, stderr } = await run("adb", ["-P", String(serverPort), ...args], {
      env: { ...process.env, HOME: home, ADB_MDNS: "0" },
      maxBuffer: 64 * 1024 * 1024,
      encoding: "buffer",
    });
    return { stdout: stdout.toString(), bytes: stdout, stderr: stderr.toString() };
  };
  const failing = (...args: string[]) =>
    adb(...args).then(
      () => ({ code: 0, stderr: "", stdout: "" }),
      (error: { code: number; stderr: Buffer; stdout: Buffer }) => ({
        code: error.code,
        stderr: error.stderr.toString(),
        stdout: error.stdout.toString(),
      }),
    );
  async function connectPhone(options: SimulatedPhoneOptions = {}): Promise<[SimulatedPhone, string]> {
    const added = createSimulatedPhone(options);
    phones.push(added);
    const { port } = await added.listen();
    await adb("connect", `127.0.0.1:${port}`);
    return [added, `127.0.0.1:${port}`];
  }

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "simulated-phone-"));
    serverPort = await freePort();
    await adb("start-server");
    [phone, serial] = await connectPhone({ width: 540, height: 1200, density: 210 });
  });
  afterAll(async () => {
    await adb("kill-server").catch(() => {});
    for (const each of phones) await each.close();
    await rm(home, { recursive: true, force: true });
  });

  test("lists it as any phone", async () => {
    expect((await adb("devices", "-l")).stdout).toContain(
      `${serial.padEnd(22)} device product:farhand_sim model:Farhand_Sim device:farhand_sim`,
    );
    expect((await adb("-s", serial, "get-state")).stdout).toBe("device\n");
  });

  test("shell tells output, errors and status apart; exec-out mixes errors in", async () => {
    expect(await failing("-s", serial, "shell", "echo out; echo err >&2; exit 5")).toEqual({
      code: 5,
      stdout: "out\n",
      stderr: "err\n",
    });
    expect((await adb("-s", serial, "exec-out", "echo out; echo err >&2")).stdout).toBe("out\nerr\n");
  });

  test("exec-out gives a whole PNG of the screen", async () => {
    const { bytes } = await adb("-s", serial, "exec-out", "screencap", "-p");
    expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([540, 1200]);
    expect(bytes.subarray(-8, -4).toString("latin1")).toBe("IEND");
  });

  test("push and pull keep a file of 3 MB, and folders arrive", async () => {
    const local = join(home, "data.bin");
    const data = Buffer.alloc(3 * 1024 * 1024, "farhand ");
    await writeFile(local, data);
    await adb("-s", serial, "push", local, "/sdcard/Download/");
    await adb("-s", serial, "pull", "/sdcard/Download/data.bin", join(home, "back.bin"));
    expect((await readFile(join(home, "back.bin"))).equals(data)).toBe(true);
    const refused = await failing("-s", serial, "push", local, "/system/");
    expect(refused.stdout + refused.stderr).toContain("Read-only file system");
  });

  test("reverse and forward lead through", async () => {
    const server = createServer((socket) => socket.end("served by the host"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    await adb("-s", serial, "reverse", "localabstract:web", `tcp:${address.port}`);
    expect((await adb("-s", serial, "reverse", "--list")).stdout).toContain(`localabstract:web tcp:${address.port}`);
    const local = (await adb("-s", serial, "forward", "tcp:0", "localabstract:web")).stdout.trim();
    const { connect } = await import("node:net");
    const text = await new Promise<string>((resolve, reject) => {
      let received = "";
      const socket = connect(Number(local), "127.0.0.1");
      socket.on("data", (chunk) => {
        received += chunk.toString();
      });
      socket.on("close", () => resolve(received));
      socket.on("error", reject);
    });
    expect(text).toBe("served by the host");
    await adb("-s", serial, "reverse", "--remove-all");
    expect((await adb("-s", serial, "reverse", "--list")).stdout.trim()).toBe("");
    await new Promise((resolve) => server.close(resolve));
  });

  test("root and remount answer as on a production build", async () => {
    expect((await adb("-s", serial, "root")).stdout).toBe("adbd cannot run as root in production builds\n");
    const remount = await failing("-s", serial, "remount");
    expect(remount.stdout + remount.stderr).toContain("Not running as root");
  });

  test("install names what is wrong with a file that is no app", async () => {
    const local = join(home, "broken.apk");
    await writeFile(local, "not an archive");
    const { stderr, stdout } = await failing("-s", serial, "install", local);
    expect(stderr + stdout).toContain("INSTALL_PARSE_FAILED_NOT_APK");
  });

  test("a phone that asks is unauthorized until it is allowed", async () => {
    const [asking, askingSerial] = await connectPhone({ authorization: "prompt" });
    await expect
      .poll(async () => (await adb("devices")).stdout, { timeout: 5_000 })
      .toContain(`${askingSerial}\tunauthorized`);
    expect((await failing("-s", askingSerial, "shell", "true")).stderr).toContain("unauthorized");
    await expect.poll(() => asking.pendingKeys().length).toBeGreaterThan(0);
    asking.allowPendingKeys();
    await expect
      .poll(async () => (await adb("devices")).stdout, { timeout: 5_000 })
      .toContain(`${askingSerial}\tdevice`);
  });

  test("Android 6 speaks the old protocol", async () => {
    const [, old] = await connectPhone({ quirks: { oldAndroid: true } });
    expect((await adb("-s", old, "shell", "getprop ro.build.version.sdk; false")).stdout).toBe("23\r\n");
    expect((await adb("-s", old, "features")).stdout).not.toContain("shell_v2");
    expect((await adb("-s", old, "exec-out", "screencap")).bytes.length).toBe(12 + 1080 * 2400 * 4);
  });

  test("a pulled cable is noticed, and connecting again works", async () => {
    phone.unplug();
    await adb("connect", serial);
    await expect
      .poll(
        () =>
          adb("-s", serial, "shell", "echo back").then(
            ({ stdout }) => stdout,
            () => "",
          ),
        { timeout: 5_000 },
      )
      .toBe("back\n");
  });
});
