import { afterEach, describe, expect, test } from "vitest";
import { toolCaller } from "../../support/tool-caller.ts";
import { Rig } from "../adb/rig.ts";
import { codeOf, never } from "../adb/test-parts.ts";
import { touches } from "./touches.ts";

const rig = new Rig();
afterEach(() => rig.close());

const request = { maxWidth: 540, quality: 70, maxBytes: 700_000 };

test("a point of a picture shrunk for the model lands on the phone's own pixel", async () => {
  const { device, sim } = await rig.device("direct", { width: 1440, height: 3040, density: 560 });
  const caller = toolCaller(device);
  const { output } = await caller.call("take_screenshot", { max_width: 606 });
  expect(output).toMatchObject({ width: 606, native_width: 1440, native_height: 3040, rotation: 0 });
  await caller.call("tap", { x: 303, y: Math.round(Number(output.height) / 2), snap: false });
  const [at] = touches(sim);
  expect(Math.abs((at?.[0] ?? 0) - 720)).toBeLessThanOrEqual(1);
  expect(Math.abs((at?.[1] ?? 0) - 1520)).toBeLessThanOrEqual(2);
});

test("a point outside of the picture is an error, and the phone is not touched", async () => {
  const { device, sim } = await rig.device("direct");
  const caller = toolCaller(device);
  const { output } = await caller.call("take_screenshot");
  for (const point of [
    { x: output.width, y: 10 },
    { x: 10, y: output.height },
    { x: -1, y: 10 },
  ])
    expect(await codeOf(caller.call("tap", { ...point, snap: false }))).toBe("invalid_argument");
  expect(touches(sim)).toEqual([]);
});

describe.each([1, 2, 3] as const)("turned to %i", (rotation) => {
  test("a tap on the older picture is refused without touching, one on a new picture lands", async () => {
    const { device, sim } = await rig.device("direct");
    const caller = toolCaller(device);
    sim.open("app.farhand.notes");
    await caller.call("take_screenshot");
    sim.rotate(rotation);
    expect(await codeOf(caller.call("tap", { x: 200, y: 300, snap: false }))).toBe("screen_changed");
    expect(touches(sim)).toEqual([]);
    const { output } = await caller.call("take_screenshot");
    expect([output.rotation, output.native_width]).toEqual([rotation, rotation === 2 ? 540 : 1200]);
    const x = Number(output.width) - 3;
    await caller.call("tap", { x, y: 100, snap: false, screenshot_id: output.screenshot_id });
    const [at] = touches(sim);
    expect(Math.abs((at?.[0] ?? 0) - (x * sim.screen.width) / Number(output.width))).toBeLessThanOrEqual(2);
  });
});

test("an element that was replaced by another screen is stale, and nothing is touched", async () => {
  const { device, sim } = await rig.device("direct");
  const caller = toolCaller(device);
  sim.open("com.android.settings");
  const { output } = await caller.call("read_ui_tree");
  const row = (output.elements as string[]).find((line) => line.includes("clickable") && line.includes('"')) ?? "";
  sim.open("app.farhand.notes");
  expect(await codeOf(caller.call("tap_element", { ref: row.split(" ")[0] }))).toBe("stale_element");
  expect(touches(sim)).toEqual([]);
});

test("an element that moved since it was read is tapped where it is now", async () => {
  const { device, sim } = await rig.device("direct");
  const caller = toolCaller(device);
  sim.open("app.farhand.chat");
  const field = async () =>
    (await device.readTree(never)).nodes.find((node) => node.resourceId.endsWith("message_input"))?.bounds;
  const before = await field();
  const { output } = await caller.call("read_ui_tree");
  const ref = (output.elements as string[]).find((line) => line.includes("#message_input"))?.split(" ")[0];
  await device.tap({ x: 200, y: (before?.top ?? 0) + 5 }, never);
  const after = await field();
  expect(after?.bottom).toBeLessThan(before?.top ?? 0);
  await caller.call("tap_element", { ref });
  const y = touches(sim).at(-1)?.[1] ?? 0;
  expect([y >= (after?.top ?? 0), y < (after?.bottom ?? 0)]).toEqual([true, true]);
});

test("the last row of pixels, below the navigation bar's edge, can be tapped", async () => {
  const { device, sim } = await rig.device("direct");
  const caller = toolCaller(device);
  const { output } = await caller.call("take_screenshot");
  await caller.call("tap", { x: 270, y: Number(output.height) - 1, snap: false });
  await device.tap({ x: 539, y: 1199 }, never);
  expect(touches(sim)).toEqual([
    [270, 1199],
    [539, 1199],
  ]);
});

test("picture, tree and touches of a foldable are those of the panel that is in use", async () => {
  const { device, sim } = await rig.device("direct", {
    profile: "foldable",
    width: 800,
    height: 700,
    density: 160,
    coverPanel: { width: 400, height: 800, density: 160 },
  });
  const seen = async () => {
    const picture = await device.capture(request, never);
    const tree = await device.readTree(never);
    return [picture.native, tree.size, picture.black];
  };
  expect(await seen()).toEqual([{ width: 800, height: 700 }, { width: 800, height: 700 }, false]);
  sim.fold(true);
  expect(await seen()).toEqual([{ width: 400, height: 800 }, { width: 400, height: 800 }, false]);
  const notes = (await device.readTree(never)).nodes.find((node) => node.text === "Notes")?.bounds;
  await device.tap({ x: (notes?.left ?? 0) + 10, y: (notes?.top ?? 0) + 10 }, never);
  expect(sim.screen.foregroundPackage).toBe("app.farhand.notes");
  sim.fold(false);
  expect(await seen()).toEqual([{ width: 800, height: 700 }, { width: 800, height: 700 }, false]);
});

test("a foldable that was closed after the picture refuses the old point", async () => {
  const { device, sim } = await rig.device("direct", {
    profile: "foldable",
    width: 800,
    height: 700,
    density: 160,
    coverPanel: { width: 400, height: 800, density: 160 },
  });
  const caller = toolCaller(device);
  await caller.call("take_screenshot");
  sim.fold(true);
  expect(await codeOf(caller.call("tap", { x: 300, y: 300, snap: false }))).toBe("screen_changed");
  expect(touches(sim)).toEqual([]);
});

test("a television that lies by nature is read and touched as it stands", async () => {
  const { device, sim } = await rig.device("direct", { profile: "tv", width: 960, height: 540, density: 160 });
  expect(await device.status(never)).toMatchObject({ size: { width: 960, height: 540 }, rotation: 0 });
  expect(await device.startApp("app.farhand.notes", never)).toMatchObject({ packageName: "app.farhand.notes" });
  await device.tap({ x: 900, y: 500 }, never);
  expect(touches(sim)).toEqual([[900, 500]]);
});
