import { afterEach, expect, test } from "vitest";
import { Rig } from "./rig.ts";
import { codeOf, never } from "./test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

const request = { maxWidth: 540, quality: 70, maxBytes: 700_000 };

test("tells facts of itself", async () => {
  const { device } = await rig.device("direct", {
    model: "Test 5",
    manufacturer: "Maker",
    width: 720,
    height: 1600,
    density: 320,
  });
  expect(await device.facts(never)).toMatchObject({
    model: "Test 5",
    manufacturer: "Maker",
    androidRelease: "14",
    sdk: 34,
    physicalSize: { width: 720, height: 1600 },
    density: 320,
    // The rig reads no text from pixels; everything else works on this phone.
    limitations: [{ tool: "read_text", reason: expect.any(String) }],
  });
});

test("warnings on two displays do not spoil its picture", async () => {
  const { device } = await rig.device("direct", { quirks: { secondDisplay: true, multiDisplayWarning: true } });
  expect(await device.capture(request, never)).toMatchObject({ native: { width: 540, height: 1200 }, black: false });
});

test("a screen that never rests is said to move, within time", async () => {
  const { device } = await rig.device("direct", { quirks: { uiNotIdle: "always" } });
  const startedAt = Date.now();
  expect(await codeOf(device.readTree(never))).toBe("ui_not_idle");
  expect(Date.now() - startedAt).toBeLessThan(15_000);
});

test("an old dump that lies about is never taken for the screen", async () => {
  const { device } = await rig.device("direct", { quirks: { nullRoot: "always", staleDump: true } });
  expect(await codeOf(device.readTree(never))).toBe("ui_unavailable");
});

test("a stack trace in front of the tree does no harm", async () => {
  const { device } = await rig.device("direct", { quirks: { miuiDumpNoise: true } });
  expect((await device.readTree(never)).nodes.length).toBeGreaterThan(5);
});

test.each(["exit 0", "exit 255"] as const)(
  "injected input that is refused with %s is told and remembered",
  async (injectDenied) => {
    const { device } = await rig.device("direct", { quirks: { injectDenied } });
    expect(await codeOf(device.tap({ x: 1, y: 1 }, never))).toBe("input_permission_denied");
    expect((await device.facts(never)).limitations.map((limit) => limit.tool)).toContain("tap");
  },
);

test("Android 6, which has no shell protocol, does everything too", async () => {
  const { device, sim } = await rig.device("direct", { quirks: { oldAndroid: true } });
  expect(await device.status(never)).toMatchObject({ size: { width: 540, height: 1200 }, awake: true });
  expect(await device.capture(request, never)).toMatchObject({ native: { width: 540, height: 1200 } });
  expect(await device.capture(request, never)).toMatchObject({ native: { width: 540, height: 1200 } });
  expect((await device.readTree(never)).nodes.length).toBeGreaterThan(5);
  expect(await device.startApp("app.farhand.notes", never)).toMatchObject({ packageName: "app.farhand.notes" });
  await device.pressKey("home", never);
  expect(sim.screen.foregroundPackage).not.toBe("app.farhand.notes");
  expect((await device.listApps("all", never)).length).toBeGreaterThan(1);
});
