import { afterEach, expect, test } from "vitest";
import { toolCaller } from "../../support/tool-caller.ts";
import { Rig } from "../adb/rig.ts";
import { codeOf, never } from "../adb/test-parts.ts";
import { runsOf } from "./touches.ts";

const rig = new Rig();
afterEach(() => rig.close());

const small = { width: 540, height: 1200, density: 210 };

test.each(["exit 0", "exit 255"] as const)(
  "a phone that refuses injected input (%s) is asked once, says what to switch on, and is known for it",
  async (injectDenied) => {
    const { device, sim } = await rig.device("direct", { ...small, profile: "xiaomi", quirks: { injectDenied } });
    const failure = await device.tap({ x: 100, y: 100 }, never).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "input_permission_denied",
      hint: expect.stringContaining("USB debugging (Security settings)"),
    });
    expect(runsOf(sim, "input").length).toBeLessThanOrEqual(1);
    expect(sim.screen.receivedInputs).toEqual([]);
    const { limitations } = await device.facts(never);
    expect(limitations.filter(({ tool }) => tool === "tap")).toHaveLength(1);
  },
);

test("a lock screen that takes over a second to go away is waited for", async () => {
  const { device, sim } = await rig.device("direct", { keyguard: "swipe", quirks: { slowKeyguardMs: 1300 } });
  sim.lock();
  expect(await device.wake(never)).toMatchObject({ awake: true, locked: false });
  expect(sim.screen.isLocked).toBe(false);
});

test("a lock screen with a secret is told as one, and no app is taken to be in front of it", async () => {
  const { device, sim } = await rig.device("direct", { keyguard: "pin", pin: "735194" });
  sim.open("app.farhand.notes");
  sim.lock();
  expect(await device.wake(never)).toMatchObject({ awake: true, locked: true, secureLock: true });
  const { output } = await toolCaller(device).call("foreground_app");
  expect(output).toMatchObject({ locked: true, overlay: "keyguard" });
  expect(JSON.stringify(sim.ranPrograms())).not.toContain("735194");
});

test("a phone that does not let its settings be changed works all the same", async () => {
  const { device } = await rig.device("direct", { quirks: { secureSettingsDenied: true } });
  expect(await device.status(never)).toMatchObject({ awake: true });
  await device.tap({ x: 100, y: 100 }, never);
  expect(await codeOf(device.readTree(never))).toBe("no error");
});

test("a screen that went off by itself is told, and wakes", async () => {
  const { device, sim } = await rig.device("direct", { screenTimeoutMs: 400, keyguard: "swipe" });
  await expect.poll(() => sim.screen.wakefulness, { timeout: 5000 }).toBe("Asleep");
  expect(await codeOf(device.readTree(never))).toBe("screen_off");
});
