import type { UiNode, UiTree } from "../../shared/device.ts";

export type Sketch = Partial<Omit<UiNode, "bounds" | "path" | "depth">> & {
  at: [left: number, top: number, right: number, bottom: number];
  inside?: Sketch[];
};

const plain: Omit<UiNode, "bounds" | "path" | "depth"> = {
  className: "android.view.View",
  packageName: "com.example.notes",
  text: "",
  description: "",
  hint: "",
  resourceId: "",
  clickable: false,
  longClickable: false,
  checkable: false,
  checked: false,
  focusable: false,
  focused: false,
  scrollable: false,
  editable: false,
  enabled: true,
  selected: false,
  password: false,
};

/** A tree from a sketch in which only what matters is said. */
export function uiTree(
  roots: Sketch[],
  shape: Omit<UiTree, "nodes"> = { size: { width: 1080, height: 2400 }, rotation: 0 },
): UiTree {
  return { ...shape, nodes: roots.flatMap((root, index) => flatten(root, String(index), 0)) };
}

function flatten({ at, inside = [], ...told }: Sketch, path: string, depth: number): UiNode[] {
  const [left, top, right, bottom] = at;
  const node: UiNode = { ...plain, ...told, path, depth, bounds: { left, top, right, bottom } };
  return [node, ...inside.flatMap((child, index) => flatten(child, `${path}.${index}`, depth + 1))];
}
