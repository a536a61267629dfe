import { beforeEach, describe, expect, test } from "vitest";
import { CodedError } from "../../../shared/errors.ts";
import { FakeDevice } from "../../support/fake-device.ts";
import { type ToolCaller, toolCaller } from "../../support/tool-caller.ts";
import { uiTree } from "../../support/ui-tree.ts";

let phone: FakeDevice;
let caller: ToolCaller;

beforeEach(() => {
  phone = new FakeDevice();
  phone.tree = uiTree([
    { at: [100, 200, 500, 400], text: "Save", clickable: true },
    { at: [100, 500, 500, 700], text: "Delete", clickable: true },
    { at: [100, 800, 500, 900], text: "Delete", clickable: true, className: "android.widget.Button" },
  ]);
  caller = toolCaller(phone);
});

const codeOf = async (work: Promise<unknown>) => {
  const thrown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return thrown instanceof CodedError ? thrown.code : thrown;
};

describe("tap", () => {
  test("needs a picture first and sends nothing without one", async () => {
    expect(await codeOf(caller.call("tap", { x: 10, y: 10 }))).toBe("invalid_argument");
    expect(phone.writes).toEqual([]);
  });

  test("goes from the picture to the phone's pixels", async () => {
    await caller.call("take_screenshot");
    await caller.call("tap", { x: 400, y: 1000, snap: false });
    expect(phone.writes).toEqual([{ action: "tap", x: 800, y: 2000 }]);
  });

  test("centres on the element and says which", async () => {
    await caller.call("take_screenshot");
    const { output } = await caller.call("tap", { x: 60, y: 110 });
    expect(phone.writes).toEqual([{ action: "tap", x: 300, y: 300 }]);
    expect(output).toMatchObject({ ok: true, x: 150, y: 150, snapped: true, label: '"Save"' });
  });

  test("goes exactly where it was told when the phone gives no tree", async () => {
    await caller.call("take_screenshot");
    phone.before = (action) => {
      if (action === "readTree") throw new CodedError("ui_not_idle", "The screen keeps moving.");
    };
    const { output } = await caller.call("tap", { x: 60, y: 110 });
    expect(phone.writes).toEqual([{ action: "tap", x: 120, y: 220 }]);
    expect(output).toMatchObject({ snapped: false });
  });

  test("is refused when the screen turned since the picture, and sends nothing", async () => {
    await caller.call("take_screenshot");
    phone.screen = { ...phone.screen, size: { width: 2400, height: 1080 }, rotation: 1 };
    expect(await codeOf(caller.call("tap", { x: 60, y: 110 }))).toBe("screen_changed");
    expect(phone.writes).toEqual([]);
  });

  test("on the keyboard goes exactly where it was told, whatever lies under it", async () => {
    await caller.call("take_screenshot");
    phone.screen.keyboard = [{ left: 0, top: 200, right: 1080, bottom: 2400 }];
    const { output } = await caller.call("tap", { x: 60, y: 110 });
    expect(phone.writes).toEqual([{ action: "tap", x: 120, y: 220 }]);
    expect(output).toMatchObject({ ok: true, snapped: false });
    expect(phone.done.map(({ action }) => action)).not.toContain("readTree");
  });

  test("outside the picture is an error, never the edge", async () => {
    await caller.call("take_screenshot");
    for (const place of [
      { x: 540, y: 10 },
      { x: -1, y: 10 },
      { x: 10, y: 1200 },
    ]) {
      expect(await codeOf(caller.call("tap", place))).toBe("invalid_argument");
    }
    expect(phone.writes).toEqual([]);
  });

  test("on a dark screen is refused", async () => {
    await caller.call("take_screenshot");
    phone.screen.awake = false;
    expect(await codeOf(caller.call("tap", { x: 60, y: 110 }))).toBe("screen_off");
  });

  test("shows the settled screen when asked, in the same answer", async () => {
    await caller.call("take_screenshot");
    const { output, pictures } = await caller.call("tap", { x: 60, y: 110, observe: "both" });
    expect(output.observed).toMatchObject({ settled: true, unstable: false, total: 3, width: 540 });
    expect(pictures).toHaveLength(1);
  });

  test("stays a success when the screen cannot be shown afterwards", async () => {
    await caller.call("take_screenshot");
    phone.before = (action) => {
      if (action === "capture") throw new CodedError("screen_secure", "This app forbids pictures.");
    };
    const { output, pictures } = await caller.call("tap", { x: 60, y: 110, observe: "screenshot" });
    expect(output).toMatchObject({ ok: true, observed: { settled: false, error: { code: "screen_secure" } } });
    expect(pictures).toEqual([]);
  });
});

describe("tap_text", () => {
  test("taps the only element that shows the text", async () => {
    const { output } = await caller.call("tap_text", { text: "save" });
    expect(phone.writes).toEqual([{ action: "tap", x: 300, y: 300 }]);
    expect(output.tapped).toMatch(/^e\w+ View "Save" \[50,100,250,200\] clickable$/);
  });

  test("lists the candidates and taps nothing when several fit, until one is chosen", async () => {
    const { output } = await caller.call("tap_text", { text: "Delete" });
    expect(output.ok).toBe(false);
    expect(output.candidates).toHaveLength(2);
    expect(phone.writes).toEqual([]);
    await caller.call("tap_text", { text: "Delete", index: 1 });
    expect(phone.writes).toEqual([{ action: "tap", x: 300, y: 850 }]);
  });

  test("says so when the text is not there, or the number is too high", async () => {
    expect(await codeOf(caller.call("tap_text", { text: "Buy" }))).toBe("target_not_found");
    expect(await codeOf(caller.call("tap_text", { text: "Delete", index: 2 }))).toBe("target_not_found");
    expect(phone.writes).toEqual([]);
  });

  test("refuses an element that the keyboard covers and says how to get rid of it", async () => {
    phone.screen.keyboard = [{ left: 0, top: 600, right: 1080, bottom: 2400 }];
    const thrown = await caller.call("tap_text", { text: "Delete", index: 1 }).catch((error: unknown) => error);
    expect(thrown).toMatchObject({
      code: "target_covered",
      message: "The element is covered by the keyboard; nothing was tapped.",
      hint: "Press back once to hide the keyboard, then call again.",
    });
    expect(await codeOf(caller.call("tap_element", { text: "Delete", index: 0 }))).toBe("target_covered");
    expect(phone.writes).toEqual([]);
    await caller.call("tap_text", { text: "Save" });
    expect(phone.writes).toEqual([{ action: "tap", x: 300, y: 300 }]);
  });

  test("taps nothing when the phone turned while its tree was read", async () => {
    phone.before = (action) => {
      if (action === "readTree") phone.screen = { ...phone.screen, size: { width: 2400, height: 1080 }, rotation: 1 };
    };
    expect(await codeOf(caller.call("tap_text", { text: "Save" }))).toBe("screen_changed");
    expect(phone.writes).toEqual([]);
  });

  test("takes texts of 1 to 100 characters", async () => {
    expect(await codeOf(caller.call("tap_text", { text: "" }))).toBe("invalid_argument");
    expect(await codeOf(caller.call("tap_text", { text: "x".repeat(101) }))).toBe("invalid_argument");
  });
});

describe("tap_element", () => {
  test("finds an element by the ref of an earlier tree although it moved", async () => {
    const { output } = await caller.call("read_ui_tree");
    const [ref] = String((output.elements as string[])[0]).split(" ");
    phone.tree = uiTree([{ at: [100, 1200, 500, 1400], text: "Save", clickable: true }]);
    await caller.call("tap_element", { ref });
    expect(phone.writes).toEqual([{ action: "tap", x: 300, y: 1300 }]);
  });

  test("refuses a ref whose place now shows something else", async () => {
    const { output } = await caller.call("read_ui_tree");
    const [ref] = String((output.elements as string[])[0]).split(" ");
    phone.tree = uiTree([{ at: [100, 200, 500, 400], text: "Delete all", clickable: true }]);
    expect(await codeOf(caller.call("tap_element", { ref }))).toBe("stale_element");
    expect(phone.writes).toEqual([]);
  });

  test("wants exactly one way of naming", async () => {
    expect(await codeOf(caller.call("tap_element", {}))).toBe("invalid_argument");
    expect(await codeOf(caller.call("tap_element", { text: "Save", id: "save" }))).toBe("invalid_argument");
  });
});

test("long_press stays in one place for the time given", async () => {
  await caller.call("take_screenshot");
  await caller.call("long_press", { x: 60, y: 110, duration_ms: 1200 });
  const place = { x: 300, y: 300 };
  expect(phone.writes).toEqual([{ action: "swipe", from: place, to: place, durationMs: 1200 }]);
});

test("swipe goes between two points of the picture, and both must be in it", async () => {
  await caller.call("take_screenshot", { max_width: 270 });
  await caller.call("swipe", { x: 100, y: 500, to_x: 100, to_y: 100 });
  expect(phone.writes).toEqual([
    { action: "swipe", from: { x: 400, y: 2000 }, to: { x: 400, y: 400 }, durationMs: 400 },
  ]);
  expect(await codeOf(caller.call("swipe", { x: 100, y: 500, to_x: 100, to_y: 600 }))).toBe("invalid_argument");
});

test("pictures of two widths make coordinates ambiguous until the picture is named", async () => {
  const { output: wide } = await caller.call("take_screenshot");
  const { output: narrow } = await caller.call("take_screenshot", { max_width: 270 });
  expect(await codeOf(caller.call("tap", { x: 60, y: 110, snap: false }))).toBe("invalid_argument");
  await caller.call("tap", { x: 60, y: 110, snap: false, screenshot_id: wide.screenshot_id });
  await caller.call("tap", { x: 60, y: 110, snap: false, screenshot_id: narrow.screenshot_id });
  expect(phone.writes).toEqual([
    { action: "tap", x: 120, y: 220 },
    { action: "tap", x: 240, y: 440 },
  ]);
});

test("every touch and key says which way it went", async () => {
  await caller.call("take_screenshot");
  phone.route = "scrcpy";
  const point = { x: 60, y: 110 };
  for (const [tool, input] of [
    ["tap", point],
    ["double_tap", point],
    ["long_press", point],
    ["swipe", { ...point, to_x: 60, to_y: 300 }],
    ["pinch", { ...point, scale: 2 }],
    ["press_key", { key: "back" }],
    ["tap_text", { text: "Save" }],
    ["tap_element", { text: "Save" }],
  ] as const) {
    expect((await caller.call(tool, input)).output, tool).toMatchObject({ ok: true, route: "scrcpy" });
  }
});

describe("double_tap", () => {
  test("goes where a tap would go, and once", async () => {
    await caller.call("take_screenshot");
    const { output } = await caller.call("double_tap", { x: 60, y: 110 });
    expect(phone.writes).toEqual([{ action: "doubleTap", x: 300, y: 300 }]);
    expect(output).toMatchObject({ ok: true, x: 150, y: 150, snapped: true, label: '"Save"', route: "input" });
  });
});

describe("pinch", () => {
  beforeEach(() => {
    phone.route = "scrcpy";
  });

  test("keeps the point exactly and the scale as told", async () => {
    await caller.call("take_screenshot");
    await caller.call("pinch", { x: 60, y: 110, scale: 0.5 });
    expect(phone.writes).toEqual([{ action: "pinch", x: 120, y: 220, scale: 0.5 }]);
  });

  test("refuses a scale that moves nothing or is out of bounds", async () => {
    await caller.call("take_screenshot");
    for (const scale of [1, 1.04, 0.96, 0, -2, 11]) {
      expect(await codeOf(caller.call("pinch", { x: 60, y: 110, scale })), String(scale)).toBe("invalid_argument");
    }
    expect(phone.writes).toEqual([]);
  });

  test("needs a picture, a screen that is on, and a phone with a way for two fingers", async () => {
    expect(await codeOf(caller.call("pinch", { x: 60, y: 110, scale: 2 }))).toBe("invalid_argument");
    await caller.call("take_screenshot");
    phone.route = "input";
    expect(await codeOf(caller.call("pinch", { x: 60, y: 110, scale: 2 }))).toBe("unsupported");
    phone.screen.awake = false;
    expect(await codeOf(caller.call("pinch", { x: 60, y: 110, scale: 2 }))).toBe("screen_off");
    expect(phone.writes).toEqual([]);
  });
});
