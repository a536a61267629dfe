import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AdbServerClient } from "@yume-chan/adb";
import { afterEach, expect, test } from "vitest";
import { ScrcpyChannel } from "../../../device-agent/adb/scrcpy/scrcpy-channel.ts";
import { bundledScrcpyServer } from "../../../device-agent/adb/scrcpy/scrcpy-server-file.ts";
import { createServerConnector } from "../../../device-agent/adb/server/connector.ts";
import { openServerConnection } from "../../../device-agent/adb/server/server-connection.ts";
import { Clipboard } from "../../../device-agent/adb/text/clipboard.ts";
import { FakeAdbServer } from "./fake-adb-server.ts";
import { FakeScrcpy } from "./fake-scrcpy.ts";
import { clock, codeOf, never, silent, until } from "./test-parts.ts";

const official = bundledScrcpyServer();
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

async function clipboardOf(phone: FakeScrcpy, serverFile: string | undefined = official) {
  const server = new FakeAdbServer(phone.serve);
  server.features = "shell_v2,cmd,stat_v2,fixed_push_mkdir";
  await server.listen();
  open.push({ close: () => server.kill() });
  const client = new AdbServerClient(createServerConnector({ host: "127.0.0.1", port: server.port }));
  const row = {
    serial: "S1",
    state: "device",
    hint: undefined,
    product: "",
    model: "",
    usb: undefined,
    transportId: "1",
  };
  const connect = (signal: AbortSignal) => openServerConnection(client, row, "host:transport:S1", signal);
  const channel = new ScrcpyChannel({ connect, clock, random: Math.random, logger: silent, serverFile });
  open.push(channel);
  return Object.assign(new Clipboard(channel, clock), { channel });
}

test("any text is written and read back as it is", async () => {
  const phone = new FakeScrcpy();
  const clipboard = await clipboardOf(phone);
  for (const text of ["hello", "你好 👍\n'\"$(x)", "x".repeat(100_000), ""]) {
    await clipboard.write(text, never);
    expect(await clipboard.read(never)).toBe(text);
  }
  expect(phone.started).toHaveLength(1);
  expect(phone.pushedBytes).toBe(90_788);
  expect(phone.pasted).toEqual([]);
});

test("the helper takes no picture, no sound, presses no power key and sends no name", async () => {
  const phone = new FakeScrcpy();
  await (await clipboardOf(phone)).open(never);
  const words = phone.started[0]?.split(" ") ?? [];
  expect(words.slice(0, 5)).toEqual([
    "exec:CLASSPATH=/data/local/tmp/farhand-scrcpy.jar",
    "app_process",
    "/",
    "com.genymobile.scrcpy.Server",
    "3.3.1",
  ]);
  expect(words).toEqual(
    expect.arrayContaining([
      "video=false",
      "audio=false",
      "power_on=false",
      "send_device_meta=false",
      "tunnel_forward=true",
      "clipboard_autosync=false",
    ]),
  );
});

test("an empty clipboard is an empty text", async () => {
  expect(await (await clipboardOf(new FakeScrcpy())).read(never)).toBe("");
});

test("pasting presses the paste key once", async () => {
  const phone = new FakeScrcpy();
  await (await clipboardOf(phone)).paste("é", never);
  expect(phone.pasted).toEqual(["é"]);
});

test("a helper that died is started again", async () => {
  const phone = new FakeScrcpy();
  const clipboard = await clipboardOf(phone);
  await clipboard.write("one", never);
  phone.die();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await clipboard.write("two", never);
  expect(await clipboard.read(never)).toBe("two");
  expect(phone.started).toHaveLength(2);
});

test("closing leaves nothing running on the phone", async () => {
  const phone = new FakeScrcpy();
  const clipboard = await clipboardOf(phone);
  await clipboard.write("one", never);
  clipboard.channel.close();
  await until(() => phone.openSockets === 0, 1000);
});

test("a phone that does not let it run has no clipboard for us", async () => {
  const phone = new FakeScrcpy();
  phone.refuses = true;
  const clipboard = await clipboardOf(phone);
  expect(await codeOf(clipboard.read(never))).toBe("clipboard_unavailable");
});

test("only the published helper is ever started", async () => {
  const folder = await mkdtemp(join(tmpdir(), "farhand-"));
  open.push({ close: () => rm(folder, { recursive: true }) });
  const other = join(folder, "scrcpy-server.jar");
  await writeFile(other, "not scrcpy");
  const phone = new FakeScrcpy();
  const clipboard = await clipboardOf(phone, other);
  expect(await codeOf(clipboard.read(never))).toBe("clipboard_unavailable");
  expect(phone.started).toEqual([]);
  await clipboard.channel.checkServer();
  expect(clipboard.channel.impossible?.message).toBe(
    "The helper program of this device agent is not the published scrcpy-server 3.3.1.",
  );
});

test("a device agent without the helper says so", async () => {
  const channel = new ScrcpyChannel({
    connect: () => Promise.reject(new Error("never asked")),
    clock,
    random: Math.random,
    logger: silent,
    serverFile: undefined,
  });
  const clipboard = new Clipboard(channel, clock);
  expect(await codeOf(clipboard.write("x", never))).toBe("clipboard_unavailable");
});

test("giving up while the helper starts leaves no failure that nobody hears", async () => {
  const failures: unknown[] = [];
  const fail = (reason: unknown) => failures.push(reason);
  process.on("unhandledRejection", fail);
  const phone = new FakeScrcpy();
  phone.hangs = true;
  const { channel } = await clipboardOf(phone);
  channel.warmUp();
  await until(() => phone.started.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 30));
  channel.close();
  await until(() => phone.openSockets === 0, 1000);
  await new Promise((resolve) => setTimeout(resolve, 30));
  process.off("unhandledRejection", fail);
  expect(failures).toEqual([]);
});
