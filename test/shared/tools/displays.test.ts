import { beforeEach, describe, expect, test } from "vitest";
import { FakeDevice } from "../../support/fake-device.ts";
import { type ToolCaller, toolCaller } from "../../support/tool-caller.ts";
import { uiTree } from "../../support/ui-tree.ts";

let phone: FakeDevice;
let car: FakeDevice;
let caller: ToolCaller;

beforeEach(() => {
  phone = new FakeDevice();
  car = new FakeDevice();
  // Of the same size as the main one, so that only the display tells them apart.
  car.tree = uiTree([{ at: [100, 200, 500, 400], text: "Play", clickable: true }]);
  phone.displays.set(3, car);
  caller = toolCaller(phone);
});

const shot = async (input: object = {}) => String((await caller.call("take_screenshot", input)).output.screenshot_id);

describe("a picture of another display", () => {
  test.each([
    ["tap", { x: 150, y: 150 }, { action: "tap", x: 300, y: 300 }],
    ["double_tap", { x: 150, y: 150 }, { action: "doubleTap", x: 300, y: 300 }],
    ["long_press", { x: 150, y: 150 }, { action: "swipe" }],
    ["swipe", { x: 150, y: 150, to_x: 150, to_y: 900 }, { action: "swipe" }],
    ["pinch", { x: 270, y: 600, scale: 2 }, { action: "pinch" }],
  ])("takes a %s with its coordinates there", async (tool, input, done) => {
    car.route = "scrcpy";
    const screenshot_id = await shot({ display: 3 });
    await shot();
    const { output } = await caller.call(tool, { ...input, screenshot_id });
    expect(output).toMatchObject({ ok: true, display: 3 });
    expect(phone.writes).toEqual([]);
    expect(car.writes).toMatchObject([done]);
  });

  test("and one of the main display may not be mixed up", async () => {
    const other = await shot({ display: 3 });
    const main = await shot();
    await expect(caller.call("tap", { x: 10, y: 10 })).rejects.toMatchObject({
      code: "invalid_argument",
      message: "Your pictures of this phone differ in size, rotation or display, so screenshot_id is required.",
    });
    await caller.call("tap", { x: 10, y: 10, snap: false, screenshot_id: main });
    await caller.call("tap", { x: 10, y: 20, snap: false, screenshot_id: other });
    expect(phone.writes).toEqual([{ action: "tap", x: 20, y: 20 }]);
    expect(car.writes).toEqual([{ action: "tap", x: 20, y: 40 }]);
  });

  test("needs no id while it is the only one", async () => {
    await shot({ display: 3 });
    const { output } = await caller.call("tap", { x: 55, y: 105, observe: "tree" });
    expect(output).toMatchObject({ display: 3, snapped: true, label: '"Play"', observed: { total: 1 } });
    expect(car.writes).toEqual([{ action: "tap", x: 300, y: 300 }]);
    expect(phone.done).toEqual([]);
  });

  test("is unchanged only if it is one of that display", async () => {
    const other = await shot({ display: 3 });
    expect((await caller.call("take_screenshot", { if_changed_since: other })).output.unchanged).toBeUndefined();
    const { output } = await caller.call("take_screenshot", { if_changed_since: other, display: 3 });
    expect(output).toMatchObject({ unchanged: true, display: 3, screenshot_id: other });
  });
});

test("trees, texts and elements of another display are looked for there", async () => {
  const { output: tree } = await caller.call("read_ui_tree", { display: 3 });
  expect(tree).toMatchObject({ display: 3, total: 1 });
  const ref = (tree.elements as string[])[0]?.split(" ")[0];
  expect((await caller.call("tap_element", { ref, display: 3 })).output).toMatchObject({ ok: true, display: 3 });
  expect((await caller.call("tap_text", { text: "play", display: 3 })).output).toMatchObject({ found_by: "tree" });
  car.texts = [{ text: "Volume", score: 0.9, bounds: { left: 0, top: 0, right: 100, bottom: 40 } }];
  expect((await caller.call("read_text", { display: 3 })).output).toMatchObject({ display: 3, total: 1 });
  expect((await caller.call("tap_text", { text: "volume", display: 3 })).output).toMatchObject({ found_by: "ocr" });
  expect(car.writes).toHaveLength(3);
  expect(phone.writes).toEqual([]);
});

test("keys and text go where the focus is unless a display is named", async () => {
  await caller.call("press_key", { key: "back" });
  await caller.call("press_key", { key: "enter", display: 3, times: 2 });
  await caller.call("type_text", { text: "here" });
  const { output } = await caller.call("type_text", { text: "there", display: "3", submit: true });
  expect(output).toMatchObject({ ok: true, display: 3 });
  expect(phone.writes.map(({ action }) => action)).toEqual(["pressKey", "typeText"]);
  expect(car.writes.map(({ action }) => action)).toEqual(["pressKey", "pressKey", "typeText", "pressKey"]);
});

test("the main display may be named and is not told", async () => {
  const { output } = await caller.call("take_screenshot", { display: 0 });
  expect(output).not.toHaveProperty("display");
  await caller.call("tap", { x: 10, y: 10, snap: false });
  expect(phone.writes).toHaveLength(1);
});

test("a display that is not there is refused and nothing is sent", async () => {
  for (const [tool, input] of [
    ["take_screenshot", {}],
    ["press_key", { key: "back" }],
    ["type_text", { text: "a" }],
  ] as const)
    await expect(caller.call(tool, { ...input, display: 9 })).rejects.toMatchObject({ code: "target_not_found" });
  for (const display of [-1, 1.5, "", null, "two"])
    await expect(caller.call("press_key", { key: "back", display })).rejects.toMatchObject({
      code: "invalid_argument",
    });
  expect(phone.writes).toEqual([]);
});

test("a picture whose display has gone is refused and nothing is sent", async () => {
  const screenshot_id = await shot({ display: 3 });
  phone.displays.delete(3);
  await expect(caller.call("tap", { x: 10, y: 10, screenshot_id })).rejects.toMatchObject({ code: "target_not_found" });
  expect([...phone.writes, ...car.writes]).toEqual([]);
});
