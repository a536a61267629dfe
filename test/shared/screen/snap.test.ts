import { describe, expect, test } from "vitest";
import { snap } from "../../../shared/screen/snap.ts";
import { uiTree } from "../../support/ui-tree.ts";

const button = { at: [100, 100, 300, 200] as [number, number, number, number], clickable: true, text: "OK" };

describe("a tap near an element", () => {
  test("goes to its centre", () => {
    expect(snap(uiTree([button]), { x: 110, y: 195 })?.point).toEqual({ x: 200, y: 150 });
  });

  test("just beside it means it too", () => {
    expect(snap(uiTree([button]), { x: 310, y: 150 })?.point).toEqual({ x: 200, y: 150 });
  });

  test("far from every element stays where it is", () => {
    expect(snap(uiTree([button]), { x: 600, y: 600 })).toBeNull();
  });

  test("takes the smallest element that holds the point", () => {
    const inner = { at: [110, 110, 150, 150] as [number, number, number, number], clickable: true, text: "x" };
    expect(snap(uiTree([{ ...button, inside: [inner] }]), { x: 120, y: 120 })?.element.label).toBe("x");
  });

  test("on a map, a slider, a list or in a text field keeps its exact place", () => {
    for (const surface of [
      { at: [0, 0, 1080, 2000] as [number, number, number, number], clickable: true, text: "map" },
      { ...button, className: "android.widget.SeekBar" },
      { ...button, scrollable: true },
      { ...button, editable: true },
    ]) {
      const found = snap(uiTree([surface]), { x: 110, y: 195 });
      expect([found?.point, found?.moved]).toEqual([{ x: 110, y: 195 }, false]);
    }
  });

  test("does not go to what is disabled", () => {
    expect(snap(uiTree([{ ...button, enabled: false }]), { x: 110, y: 195 })).toBeNull();
  });
});

describe("a tap while the keyboard is shown", () => {
  const keyboard = [{ left: 0, top: 150, right: 1080, bottom: 2400 }];

  test("on a key is not moved to what lies under the keyboard", () => {
    expect(snap(uiTree([button]), { x: 150, y: 160 }, keyboard)).toBeNull();
    expect(snap(uiTree([{ ...button, at: [100, 100, 300, 1200] }]), { x: 150, y: 160 }, keyboard)).toBeNull();
  });

  test("on the part of an element that looks out is not moved onto the keyboard", () => {
    const found = snap(uiTree([{ ...button, at: [100, 100, 300, 400] }]), { x: 120, y: 120 }, keyboard);
    expect([found?.element.label, found?.point, found?.moved]).toEqual(["OK", { x: 120, y: 120 }, false]);
  });

  test("just beside an element whose centre is covered stays where it is", () => {
    expect(snap(uiTree([{ ...button, at: [100, 130, 300, 400] }]), { x: 120, y: 120 }, keyboard)).toBeNull();
  });

  test("above the keyboard snaps as ever", () => {
    expect(snap(uiTree([{ ...button, at: [100, 50, 300, 140] }]), { x: 120, y: 120 }, keyboard)?.point).toEqual({
      x: 200,
      y: 95,
    });
  });
});
