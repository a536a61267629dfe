import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Adb, AdbSocket } from "@yume-chan/adb";
import { AdbScrcpyClient, AdbScrcpyOptions3_3_1 } from "@yume-chan/adb-scrcpy";
import { AndroidKeyCode, AndroidKeyEventAction, AndroidMotionEventAction } from "@yume-chan/scrcpy";
import { ReadableStream } from "@yume-chan/stream-extra";
import { describe, expect, test } from "vitest";
import { createExactReader } from "../../../device-agent/simulated-phone/phone/exact-reader.ts";
import { startPhone } from "./support/running-phone.ts";

const SERVER = "/data/local/tmp/scrcpy-server.jar";
const jarPath = fileURLToPath(
  new URL("../../../node_modules/@u4/minicap-prebuilt/prebuilt/scrcpy/scrcpy-server-v3.3.1.jar", import.meta.url),
);

async function push(adb: Adb, bytes: Uint8Array = readFileSync(jarPath)): Promise<void> {
  const file = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  const sync = await adb.sync();
  await sync.write({ filename: SERVER, file });
  await sync.dispose();
}

function createRead(socket: AdbSocket): () => Promise<Buffer | undefined> {
  const reader = socket.readable.getReader();
  return async () => {
    const { value } = await reader.read();
    return value && Buffer.from(value);
  };
}

async function startSession(adb: Adb, options: Partial<AdbScrcpyOptions3_3_1.Init> = {}) {
  await push(adb);
  const client = await AdbScrcpyClient.start(
    adb,
    SERVER,
    new AdbScrcpyOptions3_3_1({
      video: false,
      audio: false,
      control: true,
      scid: "01234567",
      // The name would come first on the control socket, where this client does not expect it.
      sendDeviceMeta: false,
      ...options,
    }),
  );
  if (!client.controller) throw new Error("no controller");
  return { client, controller: client.controller };
}

const point = (x: number, y: number) => ({
  pointerX: x,
  pointerY: y,
  videoWidth: 1080,
  videoHeight: 2400,
  pressure: 1,
  actionButton: 0,
  buttons: 0,
});

describe("the screen-control server", () => {
  test.each([true, false])("types and pastes through a tunnel (forward: %s)", async (tunnelForward) => {
    const { adb, phone, tap } = await startPhone();
    phone.open("app.farhand.chat");
    await tap("message_input");
    const { client, controller } = await startSession(adb, { tunnelForward });
    await controller.injectText("Hello ");
    await controller.setClipboard({ content: "你好 🎉\nzwei", paste: true, sequence: 7n });
    await expect.poll(() => phone.screen.focusedFieldText).toBe("Hello 你好 🎉\nzwei");
    expect(phone.screen.clipboard).toBe("你好 🎉\nzwei");
    await client.close();
  });

  test("text without a key on the keyboard is not typed", async () => {
    const { adb, phone, tap } = await startPhone();
    phone.open("app.farhand.chat");
    await tap("message_input");
    const { client, controller } = await startSession(adb);
    await controller.injectText("é中a🎉");
    await expect.poll(() => phone.screen.focusedFieldText).toBe("éa");
    await client.close();
  });

  test("a copy on the phone is reported to the client", async () => {
    const { adb, phone } = await startPhone();
    const { client } = await startSession(adb);
    const reader = client.clipboard?.getReader();
    phone.setClipboard("from the phone");
    expect((await reader?.read())?.value).toBe("from the phone");
    await client.close();
  });

  test("a forward tunnel begins with a dummy byte and the device's name, and tells the clipboard on request", async () => {
    const { adb, phone } = await startPhone({ model: "Farhand Sim" });
    phone.setClipboard("kept");
    await push(adb);
    const server = await adb.subprocess.shellProtocol?.spawn(
      `CLASSPATH=${SERVER} app_process / com.genymobile.scrcpy.Server 3.3.1 video=false audio=false tunnel_forward=true clipboard_autosync=false`,
    );
    server?.exited.catch(() => {});
    let socket: AdbSocket | undefined;
    const open = async () => {
      socket = await adb.createSocket("localabstract:scrcpy").catch(() => undefined);
      return socket;
    };
    await expect.poll(open).toBeDefined();
    if (!socket) throw new Error("no socket");
    const reader = createExactReader({ read: createRead(socket) });
    expect(await reader.take(1)).toEqual(Buffer.of(0));
    expect((await reader.take(64))?.toString("utf8").replaceAll("\0", "")).toBe("Farhand Sim");
    // TYPE_GET_CLIPBOARD without a copy key.
    await socket.writable.getWriter().write(Buffer.of(8, 0));
    expect(await reader.take(9)).toEqual(Buffer.from("\0\0\0\0\x04kept"));
  });

  test("touches tap, and two fingers zoom a map", async () => {
    const { adb, phone } = await startPhone();
    phone.open("app.farhand.maps");
    const { client, controller } = await startSession(adb);
    const touch = (action: number, pointerId: bigint, x: number, y: number) =>
      controller.injectTouch({ action, pointerId, ...point(x, y) } as Parameters<typeof controller.injectTouch>[0]);
    await touch(AndroidMotionEventAction.Down, 0n, 500, 1200);
    await touch(AndroidMotionEventAction.Down, 1n, 580, 1200);
    await touch(AndroidMotionEventAction.Move, 0n, 460, 1200);
    await touch(AndroidMotionEventAction.Move, 1n, 620, 1200);
    await touch(AndroidMotionEventAction.Up, 0n, 460, 1200);
    await touch(AndroidMotionEventAction.Up, 1n, 620, 1200);
    await expect.poll(() => phone.screen.texts).toContain("Zoom 200%");
    await client.close();
  });

  test("keys, panels, the panel's light and rotation work", async () => {
    const { adb, phone } = await startPhone();
    phone.open("com.android.settings");
    const { client, controller } = await startSession(adb);
    await controller.expandNotificationPanel();
    await expect.poll(() => phone.screen.texts).toContain("No notifications");
    await controller.collapseNotificationPanel();
    await controller.rotateDevice();
    await expect.poll(() => phone.screen.rotation).toBe(1);
    await controller.injectKeyCode({
      action: AndroidKeyEventAction.Down,
      keyCode: AndroidKeyCode.AndroidHome,
      repeat: 0,
      metaState: 0,
    });
    await expect.poll(() => phone.screen.foregroundPackage).toBe("com.google.android.apps.nexuslauncher");
    await client.close();
  });

  test("it wakes the phone, deletes its own file, and stays when told so", async () => {
    const { adb, phone } = await startPhone();
    phone.lock();
    const { client } = await startSession(adb);
    await expect.poll(() => phone.screen.wakefulness).toBe("Awake");
    expect(phone.files.exists(SERVER)).toBe(false);
    await client.close();
    const second = await startSession(adb, { cleanup: false, scid: "00000002" });
    expect(phone.files.exists(SERVER)).toBe(true);
    await second.client.close();
  });

  test("the server ends when its client goes", async () => {
    const { adb, text } = await startPhone();
    const { client } = await startSession(adb);
    expect(await text("pidof app_process")).toMatch(/^\d+\n$/);
    await client.close();
    await expect.poll(() => text("pidof app_process || echo none")).toBe("none\n");
  });

  test("a client of another version is refused in the server's words", async () => {
    const { adb, run } = await startPhone();
    await push(adb);
    const { status, stderr } = await run(
      `CLASSPATH=${SERVER} app_process / com.genymobile.scrcpy.Server 3.3.3 video=false audio=false`,
    );
    expect(status).toBe(1);
    expect(stderr).toContain("[server] ERROR: The server version (3.3.1) does not match the client (3.3.3)");
  });

  test("a file that is not the server cannot be run", async () => {
    const { adb, run } = await startPhone();
    const start = `CLASSPATH=${SERVER} app_process / com.genymobile.scrcpy.Server 3.3.1`;
    expect(await run(start)).toMatchObject({ status: 134 });
    await push(adb, Buffer.from("PK\x03\x04 not really"));
    expect((await run(start)).stderr).toContain("ClassNotFoundException");
  });

  test("some vendors kill it", async () => {
    const { adb, run } = await startPhone({ quirks: { noScrcpy: true } });
    await push(adb);
    expect(await run(`CLASSPATH=${SERVER} app_process / com.genymobile.scrcpy.Server 3.3.1`)).toMatchObject({
      status: 137,
      stderr: "Killed \n",
    });
  });
});
