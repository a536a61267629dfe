import { afterEach, expect, test } from "vitest";
import { pinchPaths } from "../../../device-agent/adb/input/scrcpy-gestures.ts";
import type { SimulatedPhone } from "../../../device-agent/simulated-phone/simulated-phone.ts";
import type { Device } from "../../../shared/device.ts";
import { Rig } from "./rig.ts";
import { codeOf, never, until } from "./test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

/** The middle of the map. */
const middle = { x: 270, y: 620 };
const inputs = (sim: SimulatedPhone) => sim.screen.receivedInputs.map(({ source, kind }) => `${source} ${kind}`);
const details = (sim: SimulatedPhone) => sim.screen.receivedInputs.map(({ detail }) => detail);

async function zoomOf(device: Device): Promise<number> {
  const { nodes } = await device.readTree(never);
  return Number(nodes.map(({ text }) => /^Zoom (\d+)%$/.exec(text)?.[1]).find((zoom) => zoom !== undefined));
}

/** Presses a key that does nothing here until it goes by scrcpy. */
async function warm(device: Device): Promise<void> {
  for (let press = 0; press < 100; press++) {
    if ((await device.pressKey("move_home", never)) === "scrcpy") return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("The channel did not open.");
}

test("the first input goes by the phone's program and later ones by the channel that it opened", async () => {
  const { device, sim } = await rig.device("direct");
  expect(await device.tap({ x: 270, y: 600 }, never)).toBe("input");
  await warm(device);
  const before = inputs(sim).length;
  expect(await device.tap({ x: 271, y: 601 }, never)).toBe("scrcpy");
  expect(await device.swipe({ x: 100, y: 900 }, { x: 100, y: 500 }, 60, never)).toBe("scrcpy");
  expect(await device.pressKey("home", never)).toBe("scrcpy");
  // The channel acknowledges nothing: the phone may still be at it.
  await until(() => details(sim).at(-1) === "KEYCODE_HOME");
  expect(details(sim).slice(before)).toEqual([
    "down 0 271 601",
    "up 0 271 601",
    "down 0 100 900",
    "up 0 100 500",
    "KEYCODE_HOME",
  ]);
});

test("a double tap is one on the phone, by either way", async () => {
  const { device, sim } = await rig.device("direct");
  await device.startApp("app.farhand.maps", never);
  expect(await device.doubleTap(middle, never)).toBe("input");
  expect(await zoomOf(device)).toBe(200);
  await warm(device);
  expect(await device.doubleTap(middle, never)).toBe("scrcpy");
  expect(await zoomOf(device)).toBe(400);
  expect(inputs(sim).filter((one) => one === "shell tap")).toHaveLength(2);
});

test("two taps by the program are close enough on a phone on which programs start slowly", async () => {
  const { device } = await rig.device("direct", { latency: "real", quirks: { noScrcpy: true } });
  await device.startApp("app.farhand.maps", never);
  expect(await device.doubleTap(middle, never)).toBe("input");
  expect(await zoomOf(device)).toBe(200);
});

test("two fingers zoom in and out by about what was asked", async () => {
  const { device } = await rig.device("direct");
  await device.startApp("app.farhand.maps", never);
  expect(await device.pinch(middle, 2, never)).toBe("scrcpy");
  expect(await zoomOf(device)).toBeGreaterThan(190);
  expect(await zoomOf(device)).toBeLessThan(210);
  await device.pinch(middle, 0.5, never);
  expect(await zoomOf(device)).toBeGreaterThan(95);
  expect(await zoomOf(device)).toBeLessThan(105);
});

test("a phone that does not let the helper run has no pinch, and says why", async () => {
  const { device, sim } = await rig.device("direct", { quirks: { noScrcpy: true } });
  const thrown = await device.pinch(middle, 2, never).catch((error: unknown) => error);
  expect(thrown).toMatchObject({
    code: "unsupported",
    message: "Two fingers need the helper program (scrcpy). The phone does not let the helper program (scrcpy) run.",
  });
  expect(inputs(sim)).toEqual([]);
  expect(await device.tap(middle, never)).toBe("input");
  expect((await device.facts(never)).limitations.map(({ tool }) => tool)).toContain("pinch");
});

test("a phone that refuses events over the channel is asked by its program, which gives the reason", async () => {
  const { device, sim } = await rig.device("direct", { quirks: { injectDenied: "exit 0" } });
  await device.readClipboard(never);
  expect(await codeOf(device.tap(middle, never))).toBe("input_permission_denied");
  expect(await codeOf(device.pinch(middle, 2, never))).toBe("input_permission_denied");
  expect(inputs(sim)).toEqual([]);
});

test("a channel that died is noticed before anything is sent by it", async () => {
  const { device, sim } = await rig.device("direct");
  await device.tap(middle, never);
  await warm(device);
  sim.unplug();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const before = inputs(sim).length;
  expect(await device.tap(middle, never)).toBe("input");
  expect(inputs(sim).slice(before)).toEqual(["shell tap"]);
});

test("a gesture that is given up leaves no finger on the screen", async () => {
  const { device, sim } = await rig.device("direct");
  await warm(device);
  const giveUp = new AbortController();
  const swiping = device.swipe({ x: 100, y: 900 }, { x: 100, y: 300 }, 3000, giveUp.signal);
  setTimeout(() => giveUp.abort(), 100);
  expect(await codeOf(swiping)).toBe("canceled");
  await until(() => /^cancel 0 /.test(details(sim).at(-1) ?? ""));
});

test("a point that is off the screen as it is turned now is refused by the channel", async () => {
  const { device, sim } = await rig.device("direct");
  await warm(device);
  sim.rotate(1);
  await device.status(never);
  const before = inputs(sim).length;
  expect(await codeOf(device.tap({ x: 270, y: 1100 }, never))).toBe("screen_changed");
  expect(inputs(sim)).toHaveLength(before);
});

test("the keyboard is told while it is shown, and gone after back", async () => {
  const { device, sim } = await rig.device("direct");
  await device.startApp("app.farhand.chat", never);
  expect((await device.status(never)).keyboard).toEqual([]);
  const { nodes } = await device.readTree(never);
  const field = nodes.find(({ resourceId }) => resourceId === "app.farhand.chat:id/message_input")?.bounds;
  if (!field) throw new Error("no field");
  await device.tap({ x: (field.left + field.right) / 2, y: (field.top + field.bottom) / 2 }, never);
  expect(sim.screen.isKeyboardShown).toBe(true);
  const { keyboard, size } = await device.status(never);
  expect(keyboard).toHaveLength(1);
  expect(keyboard[0]).toMatchObject({ left: 0, right: size.width });
  expect(keyboard[0]?.top).toBeGreaterThan(size.height / 2);
  await device.pressKey("back", never);
  await device.status(never);
  expect((await device.status(never)).keyboard).toEqual([]);
});

test("two fingers keep off the edges and take the side that has room", () => {
  const screen = { width: 1080, height: 2400 };
  expect(pinchPaths({ x: 540, y: 1200 }, 2, screen)).toEqual([
    { from: { x: 540, y: 900 }, to: { x: 540, y: 600 } },
    { from: { x: 540, y: 1500 }, to: { x: 540, y: 1800 } },
  ]);
  const low = pinchPaths({ x: 540, y: 2200 }, 0.5, screen) ?? [];
  expect(low.map(({ from, to }) => [Math.round(from.x), from.y, Math.round(to.x), to.y])).toEqual([
    [66, 2200, 303, 2200],
    [1014, 2200, 777, 2200],
  ]);
  expect(pinchPaths({ x: 20, y: 20 }, 2, screen)).toBeUndefined();
});
