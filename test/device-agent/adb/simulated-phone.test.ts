import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { hasAdb } from "./adb-server.ts";
import { Rig, type RouteKind } from "./rig.ts";
import { codeOf, never } from "./test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

const request = { maxWidth: 540, quality: 70, maxBytes: 700_000 };
const routes: RouteKind[] = hasAdb || process.env.CI === "true" ? ["adb server", "direct"] : ["direct"];

describe.each(routes)("a simulated phone by %s", (route) => {
  test("tells its screen, takes a picture and reads its tree", async () => {
    const { device } = await rig.device(route, { width: 1080, height: 2400, density: 420, clock: earlyInAMinute() });
    expect(await device.status(never)).toEqual({
      size: { width: 1080, height: 2400 },
      rotation: 0,
      awake: true,
      locked: false,
      secureLock: false,
      keyboard: [],
    });
    const pictures = [
      await device.capture(request, never),
      await device.capture(request, never),
      await device.capture(request, never),
    ];
    for (const picture of pictures) {
      expect(picture).toMatchObject({
        mimeType: "image/jpeg",
        width: 540,
        height: 1200,
        native: { width: 1080, height: 2400 },
      });
    }
    expect(new Set(pictures.map((picture) => picture.fingerprint)).size).toBe(1);
    const tree = await device.readTree(never);
    expect(tree.nodes.length).toBeGreaterThan(5);
    expect(tree).toMatchObject({ size: { width: 1080, height: 2400 }, rotation: 0 });
  });

  test("gives ten trees at once", async () => {
    const { device } = await rig.device(route);
    const trees = await Promise.all(Array.from({ length: 10 }, () => device.readTree(never)));
    expect(trees.every((tree) => tree.nodes.length > 5)).toBe(true);
  });

  test("starts, shows and stops an app", async () => {
    const { device, sim } = await rig.device(route);
    expect(await device.startApp("app.farhand.notes", never)).toEqual({
      packageName: "app.farhand.notes",
      activity: "app.farhand.notes.MainActivity",
      overlay: null,
    });
    expect(sim.screen.foregroundPackage).toBe("app.farhand.notes");
    expect((await device.foreground(never)).packageName).toBe("app.farhand.notes");
    await device.stopApp("app.farhand.notes", never);
    expect((await device.foreground(never)).packageName).not.toBe("app.farhand.notes");
    expect(await codeOf(device.startApp("no.such.app", never))).toBe("target_not_found");
    expect(await codeOf(device.startApp("no such;app", never))).toBe("invalid_argument");
  });

  test("lists its apps with their kind and version", async () => {
    const { device } = await rig.device(route);
    const all = await device.listApps("all", never);
    const notes = all.find((app) => app.packageName === "app.farhand.notes");
    expect(notes).toMatchObject({ system: false, versionCode: expect.any(Number) });
    expect(all.find((app) => app.packageName === "com.android.settings")?.system).toBe(true);
    expect((await device.listApps("user", never)).every((app) => !app.system)).toBe(true);
  });

  test("takes taps, swipes and keys where they were meant", async () => {
    const { device, sim } = await rig.device(route);
    await device.tap({ x: 270, y: 600 }, never);
    await device.swipe({ x: 250, y: 900 }, { x: 250, y: 300 }, 200, never);
    await device.pressKey("home", never);
    expect(sim.screen.receivedInputs.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(sim.screen.receivedInputs[0])).toContain("600");
  });

  test("sleeps, says so, and wakes", async () => {
    const { device, sim } = await rig.device(route);
    expect(await device.sleep(never)).toMatchObject({ awake: false });
    expect(sim.screen.wakefulness).toBe("Asleep");
    expect(await codeOf(device.capture(request, never))).toBe("screen_off");
    expect(await codeOf(device.readTree(never))).toBe("screen_off");
    expect(sim.screen.wakefulness).toBe("Asleep");
    expect(await device.wake(never)).toMatchObject({ awake: true, locked: false });
    expect(await device.wake(never)).toMatchObject({ awake: true });
    expect(JSON.stringify(sim.screen.receivedInputs)).not.toContain('"POWER"');
  });

  test("a keyguard without a secret is dismissed, one with a PIN stays", async () => {
    const swipe = await rig.device(route, { keyguard: "swipe" });
    swipe.sim.lock();
    expect(await swipe.device.wake(never)).toMatchObject({ awake: true, locked: false });
    const pin = await rig.device(route, { keyguard: "pin" });
    pin.sim.lock();
    expect(await pin.device.wake(never)).toMatchObject({ awake: true, locked: true, secureLock: true });
  });

  test("turned, its picture, tree and state turn with it", async () => {
    const { device, sim } = await rig.device(route);
    sim.open("app.farhand.notes");
    for (const [rotation, width] of [
      [1, 1200],
      [2, 540],
      [3, 1200],
      [0, 540],
    ] as const) {
      sim.rotate(rotation);
      const status = await device.status(never);
      expect([status.rotation, status.size.width]).toEqual([sim.screen.rotation, sim.screen.width]);
      const picture = await device.capture(request, never);
      expect(picture).toMatchObject({ rotation: status.rotation, native: status.size });
      expect((await device.readTree(never)).rotation).toBe(status.rotation);
      if (sim.screen.rotation === rotation) expect(status.size.width).toBe(width);
    }
  });

  test("has a clipboard, and types what no key can", async () => {
    const { device, sim } = await rig.device(route);
    sim.setClipboard("the owner's own");
    expect(await device.readClipboard(never)).toBe("the owner's own");
    expect(await device.writeClipboard("你好 👍", never)).toBe("你好 👍");
    expect(sim.screen.clipboard).toBe("你好 👍");
  });

  test("names what lies over the app in front", async () => {
    const { device } = await rig.device(route);
    await device.startApp("app.farhand.chat", never);
    await device.pressKey("notifications", never);
    expect(await device.foreground(never)).toEqual({
      packageName: "app.farhand.chat",
      activity: "app.farhand.chat.ConversationActivity",
      overlay: "notification_shade",
    });
    await device.pressKey("back", never);
    const attach = (await device.readTree(never)).nodes.find((node) => node.description === "Attach a photo");
    await device.tap({ x: (attach?.bounds.left ?? 0) + 10, y: (attach?.bounds.top ?? 0) + 10 }, never);
    expect((await device.foreground(never)).overlay).toBe("permission_dialog");
  });

  test("comes back by itself after its cable was pulled", async () => {
    const { device, sim } = await rig.device(route);
    await device.status(never);
    sim.unplug();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await device.status(never)).toMatchObject({ awake: true });
  });

  test("frozen, it is late and not silent, and works again when it thaws", async () => {
    const { device, sim } = await rig.device(route);
    await device.status(never);
    sim.freeze();
    const caller = AbortSignal.timeout(500);
    expect(await codeOf(device.status(caller))).toBe("deadline_exceeded");
    sim.thaw();
    expect(await device.status(never)).toMatchObject({ awake: true });
  });
});

/** The clock on the phone's screen must not turn between two pictures that have to be equal. */
function earlyInAMinute() {
  const offset = 1_800_000_000_000 - Date.now();
  return {
    now: () => Date.now() + offset,
    sleep: (ms: number, signal?: AbortSignal) => delay(ms, undefined, { signal }),
  };
}
