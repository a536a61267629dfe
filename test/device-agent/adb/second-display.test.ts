import { afterEach, describe, expect, test } from "vitest";
import type { SimulatedPhone } from "../../../device-agent/simulated-phone/simulated-phone.ts";
import type { Device, DeviceScreen } from "../../../shared/device.ts";
import { toolCaller } from "../../support/tool-caller.ts";
import { hasAdb } from "./adb-server.ts";
import { Rig, type RouteKind } from "./rig.ts";
import { codeOf, never, until } from "./test-parts.ts";

const rig = new Rig();
afterEach(() => rig.close());

const request = { maxWidth: 720, quality: 70, maxBytes: 700_000 };
const routes: RouteKind[] = hasAdb || process.env.CI === "true" ? ["adb server", "direct"] : ["direct"];
const twoDisplays = { quirks: { secondDisplay: true } };

const inputs = (sim: SimulatedPhone) =>
  sim.screen.receivedInputs.map(({ displayId, source, kind, detail }) => `${displayId} ${source} ${kind} ${detail}`);
const argvs = (sim: SimulatedPhone, program: string) =>
  sim.ranPrograms().flatMap((argv) => (argv[0] === program && argv.length > 1 ? [argv.join(" ")] : []));

/** Presses a key that does nothing here until it goes by scrcpy. */
async function warm(screen: DeviceScreen): Promise<void> {
  for (let press = 0; press < 200; press++) {
    if ((await screen.pressKey("move_home", never)) === "scrcpy") return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("The channel did not open.");
}

/** The middle of what says `text` on a display. */
async function placeOf(screen: DeviceScreen, text: string) {
  const { nodes } = await screen.readTree(never);
  const bounds = nodes.find((node) => node.text === text || node.description === text)?.bounds;
  if (!bounds) throw new Error(`There is no ${text}.`);
  return { x: Math.round((bounds.left + bounds.right) / 2), y: Math.round((bounds.top + bounds.bottom) / 2) };
}

describe.each(routes)("a phone with two displays by %s", (route) => {
  test("a touch goes to the display whose picture its coordinates are in", async () => {
    const { device, sim } = await rig.device(route, twoDisplays);
    const caller = toolCaller(device);
    const main = await caller.call("take_screenshot");
    const second = await caller.call("take_screenshot", { display: 2 });
    expect(main.output).toMatchObject({ native_width: 540, native_height: 1200 });
    expect(main.output).not.toHaveProperty("display");
    expect(second.output).toMatchObject({ native_width: 720, native_height: 748, width: 540, display: 2 });
    // The panel has a number of 64 bits, the display that it shows has a small one.
    expect(argvs(sim, "screencap").at(-1)).toBe("screencap -p -d 4630946219955703955");
    const at = { x: 270, y: 280, snap: false };
    expect(await codeOf(caller.call("tap", at))).toBe("invalid_argument");
    const told = await caller.call("tap", { ...at, screenshot_id: second.output.screenshot_id });
    expect(told.output).toMatchObject({ ok: true, display: 2, route: "input", x: 270, y: 280 });
    await caller.call("tap", { ...at, screenshot_id: main.output.screenshot_id });
    expect(inputs(sim)).toEqual(["2 shell tap 360 373", "0 shell tap 270 280"]);
    expect(argvs(sim, "input")).toEqual(["input -d 2 tap 360 373", "input tap 270 280"]);
  });

  test("each display has its own tree, whichever was used last", async () => {
    const { device, sim } = await rig.device(route, twoDisplays);
    const second = device.display(2);
    await second.tap(await placeOf(second, "Notes"), never);
    expect([sim.screen.foregroundPackage, sim.secondScreen?.foregroundPackage]).toEqual([
      "com.google.android.apps.nexuslauncher",
      "app.farhand.notes",
    ]);
    const packages = async (screen: DeviceScreen) =>
      new Set((await screen.readTree(never)).nodes.map(({ packageName }) => packageName));
    expect(await packages(device)).toEqual(new Set(["com.google.android.apps.nexuslauncher"]));
    expect(await packages(second)).toEqual(new Set(["app.farhand.notes"]));
    expect(await second.readTree(never)).toMatchObject({ size: { width: 720, height: 748 }, rotation: 0 });
    expect(await device.foreground(never)).toMatchObject({
      packageName: "com.google.android.apps.nexuslauncher",
      elsewhere: ["app.farhand.notes"],
    });
    expect(await second.foreground(never)).toMatchObject({ packageName: "app.farhand.notes" });
    const caller = toolCaller(device);
    const { output } = await caller.call("read_screen", { display: 2 });
    expect(output).toMatchObject({ display: 2, app: "app.farhand.notes", native_width: 720, unstable: false });
    const { output: about } = await caller.call("device_info");
    expect(about.screen).toMatchObject({ other_displays: [{ id: 2, width: 720, height: 748, rotation: 0 }] });
  });

  test("keys and text go to the display that is named, else to where the focus is", async () => {
    const { device, sim } = await rig.device(route, twoDisplays);
    sim.open("app.farhand.chat");
    const second = device.display(2);
    await second.tap(await placeOf(second, "Chat"), never);
    const caller = toolCaller(device);
    await caller.call("tap_element", { id: "message_input" });
    await caller.call("tap_element", { id: "message_input", display: 2 });
    sim.setClipboard("the user's own");
    const typed = async (input: object) => (await caller.call("type_text", input)).output;
    expect(await typed({ text: "over there" })).toMatchObject({ ok: true, verified: "true", route: "input" });
    expect(await typed({ text: " Grüße", display: 2 })).toMatchObject({ ok: true, display: 2, route: "clipboard" });
    expect(await typed({ text: "over here", display: 0 })).toMatchObject({ ok: true, verified: "true" });
    expect(sim.secondScreen?.focusedFieldText).toBe("over there Grüße");
    await caller.call("press_key", { key: "move_end", display: 2 });
    expect(await typed({ text: " ✓", display: 0 })).toMatchObject({ ok: true, verified: "true", route: "clipboard" });
    expect(sim.screen.focusedFieldText).toBe("over here ✓");
    expect(sim.secondScreen?.focusedFieldText).toBe("over there Grüße");
    await caller.call("press_key", { key: "home", display: 2 });
    await until(() => sim.secondScreen?.foregroundPackage === "com.google.android.apps.nexuslauncher");
    expect(sim.screen.foregroundPackage).toBe("app.farhand.chat");
    await caller.call("press_key", { key: "home", display: 0 });
    await until(() => sim.screen.foregroundPackage === "com.google.android.apps.nexuslauncher");
  });
});

test.each([0, 1, 2, 3] as const)(
  "a picture of the other display turned by %i quarters is where touches go",
  async (rotation) => {
    const { device, sim } = await rig.device("direct", { quirks: { secondDisplay: true, noScrcpy: true } });
    const caller = toolCaller(device);
    const before = await caller.call("take_screenshot", { display: 2 });
    sim.rotate(rotation === 0 ? 1 : 0);
    sim.rotateSecond(rotation);
    const point = { x: 100, y: 300, snap: false };
    const old = codeOf(caller.call("tap", { ...point, screenshot_id: before.output.screenshot_id }));
    expect(await old).toBe(rotation === 0 ? "no error" : "screen_changed");
    const sent = rotation === 0 ? 1 : 0;
    expect(inputs(sim)).toHaveLength(sent);
    const [across, down] = rotation % 2 === 0 ? [720, 748] : [748, 720];
    const now = await caller.call("take_screenshot", { display: 2, max_width: 748 });
    expect(now.output).toMatchObject({ rotation, native_width: across, native_height: down });
    await caller.call("tap", { ...point, screenshot_id: now.output.screenshot_id });
    expect(inputs(sim).slice(sent)).toEqual(["2 shell tap 100 300"]);
    expect(await device.display(2).readTree(never)).toMatchObject({ rotation, size: { width: across, height: down } });
  },
);

test("every gesture reaches the other display by the channel that aims at it", async () => {
  const { device, sim } = await rig.device("direct", twoDisplays);
  const second = device.display(2);
  await second.tap(await placeOf(second, "Maps"), never);
  await warm(second);
  const begun = inputs(sim).length;
  const middle = { x: 360, y: 400 };
  expect(await second.tap({ x: 719, y: 747 }, never)).toBe("scrcpy");
  expect(await second.doubleTap(middle, never)).toBe("scrcpy");
  expect(await second.swipe(middle, { x: 200, y: 300 }, 60, never)).toBe("scrcpy");
  expect(await second.swipe(middle, middle, 600, never)).toBe("scrcpy");
  expect(await second.pinch(middle, 2, never)).toBe("scrcpy");
  expect(await second.pressKey("home", never)).toBe("scrcpy");
  await until(() => inputs(sim).at(-1) === "2 scrcpy key KEYCODE_HOME");
  const sent = inputs(sim).slice(begun);
  expect(sent.every((one) => one.startsWith("2 scrcpy "))).toBe(true);
  expect(sent.slice(0, 2)).toEqual(["2 scrcpy motion down 0 719 747", "2 scrcpy motion up 0 719 747"]);
  expect(sent.filter((one) => one.includes("motion down 1"))).toHaveLength(1);
  const started = argvs(sim, "app_process").filter((line) => line.includes("display_id=2"));
  expect(started).toHaveLength(1);
  expect(sim.screen.foregroundPackage).toBe("com.google.android.apps.nexuslauncher");
});

test("without the channel every gesture of one finger reaches it too", async () => {
  const { device, sim } = await rig.device("direct", { quirks: { secondDisplay: true, noScrcpy: true } });
  const second = device.display(2);
  const at = { x: 30, y: 700 };
  await second.tap(at, never);
  await second.doubleTap(at, never);
  await second.swipe(at, { x: 30, y: 500 }, 100, never);
  await second.pressKey("back", never);
  await second.typeText("hi", never);
  expect(new Set(inputs(sim).map((one) => one.slice(0, 8)))).toEqual(new Set(["2 shell "]));
  expect(argvs(sim, "input").every((line) => line.startsWith("input -d 2 "))).toBe(true);
  expect(await codeOf(second.pinch({ x: 360, y: 374 }, 2, never))).toBe("unsupported");
});

test("an Android that takes input on its main display only says so before anything is sent", async () => {
  const { device, sim } = await rig.device("direct", { profile: "android9", ...twoDisplays });
  const second = device.display(2);
  const asked: ((screen: DeviceScreen) => Promise<unknown>)[] = [
    (screen) => screen.tap({ x: 5, y: 5 }, never),
    (screen) => screen.doubleTap({ x: 5, y: 5 }, never),
    (screen) => screen.swipe({ x: 5, y: 5 }, { x: 50, y: 50 }, 100, never),
    (screen) => screen.pinch({ x: 360, y: 370 }, 2, never),
    (screen) => screen.pressKey("back", never),
    (screen) => screen.typeText("hi", never),
  ];
  for (const ask of asked) expect(await codeOf(ask(second))).toBe("unsupported");
  expect(inputs(sim)).toEqual([]);
  expect(argvs(sim, "input")).toEqual([]);
  expect(await second.capture(request, never)).toMatchObject({ native: { width: 720, height: 748 } });
  expect(await codeOf(second.readTree(never))).toBe("unsupported");
  // Its own display is as good as any phone's.
  expect(await device.display(0).pressKey("back", never)).toBe("input");
});

test("an Android that takes input there but describes its main display only is touched and typed on all the same", async () => {
  const { device, sim } = await rig.device("direct", { profile: "android10", ...twoDisplays });
  const caller = toolCaller(device);
  const { output: shot } = await caller.call("take_screenshot", { display: 2 });
  const { output } = await caller.call("tap", { x: 20, y: 500, screenshot_id: shot.screenshot_id });
  expect(output).toMatchObject({ ok: true, display: 2, snapped: false });
  expect((await caller.call("type_text", { text: "a", display: 2 })).output).toMatchObject({
    verified: "unverifiable",
  });
  expect(new Set(sim.screen.receivedInputs.map(({ displayId }) => displayId))).toEqual(new Set([2]));
  expect(await codeOf(caller.call("read_ui_tree", { display: 2 }))).toBe("unsupported");
});

test("a display that is not there is named as such, with those that are", async () => {
  const { device, sim } = await rig.device("direct", twoDisplays);
  const caller = toolCaller(device);
  for (const [tool, input] of [
    ["take_screenshot", {}],
    ["read_ui_tree", {}],
    ["press_key", { key: "back" }],
    ["tap_text", { text: "Notes" }],
  ] as const) {
    const thrown = await caller.call(tool, { ...input, display: 7 }).catch((error: unknown) => error);
    expect(thrown, tool).toMatchObject({ code: "target_not_found", message: expect.stringContaining("0, 2") });
  }
  expect(await codeOf(caller.call("take_screenshot", { display: -1 }))).toBe("invalid_argument");
  expect(inputs(sim)).toEqual([]);
});

test("a foldable has one display, whose panel follows the hinge", async () => {
  const { device, sim } = await rig.device("direct", {
    profile: "foldable",
    width: 800,
    height: 700,
    density: 160,
    coverPanel: { width: 400, height: 800, density: 160 },
  });
  const panel = async (screen: Device) => {
    await screen.capture(request, never);
    return argvs(sim, "screencap")
      .at(-1)
      ?.match(/-d (\d+)/)?.[1];
  };
  expect(await panel(device)).toBe("4619827259835644672");
  sim.fold(true);
  expect(await panel(device)).toBe("4630946219955703955");
  expect(await device.status(never)).not.toHaveProperty("otherDisplays");
  expect(await codeOf(device.display(2).tap({ x: 1, y: 1 }, never))).toBe("target_not_found");
});
