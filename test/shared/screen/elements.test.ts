import { describe, expect, test } from "vitest";
import { elementsOf } from "../../../shared/screen/elements.ts";
import { findElements, findText } from "../../../shared/screen/match.ts";
import { viewTree } from "../../../shared/screen/tree-view.ts";
import { type Sketch, uiTree } from "../../support/ui-tree.ts";

const row = (text: string, top: number): Sketch => ({
  at: [0, top, 1080, top + 150],
  clickable: true,
  className: "android.widget.LinearLayout",
  inside: [{ at: [40, top + 20, 600, top + 120], text, className: "android.widget.TextView" }],
});

describe("elements of a tree", () => {
  test("every interactive node is kept at any depth, also without a text", () => {
    const deep = [1, 2, 3, 4, 5].reduce<Sketch>((inside) => ({ at: [0, 0, 1080, 2400], inside: [inside] }), {
      at: [10, 10, 90, 90],
      clickable: true,
      className: "android.widget.ImageButton",
    });
    const field: Sketch = { at: [0, 500, 1080, 600], editable: true, hint: "Search" };
    const elements = elementsOf(uiTree([deep, field]));
    expect(elements.map(({ label, interactive }) => [label, interactive])).toEqual([
      ["", true],
      ["Search", true],
    ]);
  });

  test("a container speaks with the texts inside it", () => {
    expect(elementsOf(uiTree([row("Wi-Fi", 0)])).map(({ label }) => label)).toEqual(["Wi-Fi", "Wi-Fi"]);
  });

  test("nodes without area are no targets", () => {
    expect(elementsOf(uiTree([{ at: [0, 0, 0, 0], clickable: true, text: "ghost" }]))).toEqual([]);
  });

  test("a ref stays when the element moves and changes when its text does", () => {
    const [, before] = elementsOf(uiTree([row("Wi-Fi", 0)]));
    const [, moved] = elementsOf(uiTree([row("Wi-Fi", 900)]));
    const [, renamed] = elementsOf(uiTree([row("Bluetooth", 0)]));
    expect(moved?.ref).toBe(before?.ref);
    expect(renamed?.ref).not.toBe(before?.ref);
  });

  test("equal elements have refs of their own", () => {
    const refs = elementsOf(uiTree([row("Same", 0), row("Same", 200), row("Same", 400)])).map(({ ref }) => ref);
    expect(new Set(refs).size).toBe(6);
  });
});

describe("finding", () => {
  const tree = uiTree([row("Save", 0), row("Save & close", 200), row("Don't save", 400)]);

  test("a whole match wins over parts", () => {
    expect(findText(tree, " save ").map(({ node }) => node.text)).toEqual(["Save"]);
  });

  test("parts are found when nothing fits whole", () => {
    expect(findText(tree, "close").map(({ node }) => node.text)).toEqual(["Save & close"]);
  });

  test("full-width and odd blanks do not hide a text", () => {
    expect(findText(uiTree([row("ＯＫ\u00a0Go", 0)]), "ok go")).toHaveLength(1);
  });

  test("an element is found by the short and by the full resource id", () => {
    const button = uiTree([{ at: [0, 0, 9, 9], clickable: true, resourceId: "com.example:id/send" }]);
    expect(findElements(button, { id: "send" })).toHaveLength(1);
    expect(findElements(button, { id: "com.example:id/send" })).toHaveLength(1);
    expect(findElements(button, { id: "end" })).toHaveLength(0);
  });

  test("every element of the view is found again by its ref", () => {
    for (const { ref } of elementsOf(tree)) expect(findElements(tree, { ref })).toHaveLength(1);
  });
});

describe("the view of a tree", () => {
  test("tells one line per element, in the space of the picture, clickable first", () => {
    const tree = uiTree([
      { at: [0, 0, 1080, 100], text: "Title", className: "android.widget.TextView" },
      {
        at: [40, 520, 520, 660],
        text: "Save",
        clickable: true,
        className: "android.widget.Button",
        resourceId: "a.b:id/save",
      },
    ]);
    const { elements, total, truncated } = viewTree(tree, { width: 540, height: 1200 }, { offset: 0, limit: 10 });
    expect(elements.map((one) => one.replace(/^e\w+/, "REF"))).toEqual([
      'REF Button "Save" #save [20,260,260,330] clickable',
      'REF TextView "Title" [0,0,540,50]',
    ]);
    expect([total, truncated]).toEqual([2, false]);
  });

  test("pages through a long list without losing or repeating an element", () => {
    const tree = uiTree(Array.from({ length: 500 }, (_, index) => row(`Row ${index}`, index * 10)));
    const pages: string[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const view = viewTree(tree, tree.size, { offset, limit: 150 });
      pages.push(...view.elements);
      expect(view.total).toBe(1000);
      offset = view.next_offset;
    }
    expect(new Set(pages).size).toBe(1000);
  });

  test("warns when the app draws its own screen", () => {
    const view = viewTree(
      uiTree([{ at: [0, 0, 1080, 2400], focusable: true }]),
      { width: 540, height: 1200 },
      { offset: 0, limit: 9 },
    );
    expect(view.warning).toMatch(/draws its own screen/);
  });
});
