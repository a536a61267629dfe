import type { UiTree } from "../device.ts";
import { type Element, elementsOf } from "./elements.ts";

/** How an element is named; exactly one field is set. */
export interface Selector {
  ref?: string | undefined;
  text?: string | undefined;
  text_contains?: string | undefined;
  desc?: string | undefined;
  desc_contains?: string | undefined;
  id?: string | undefined;
}

/** All elements that fit, in document order; a node and its own container are one. */
export function findElements(tree: UiTree, selector: Selector): Element[] {
  const all = elementsOf(tree);
  if (selector.ref !== undefined) return all.filter((one) => one.ref === selector.ref);
  return withoutContainers(all.filter((one) => fits(one, selector)));
}

/**
 * Elements that show `text`: whole matches first (case and surrounding blanks ignored), parts only if there is no
 * whole one.
 */
export function findText(tree: UiTree, text: string): Element[] {
  const wanted = fold(text);
  const all = elementsOf(tree);
  const texts = (one: Element) => [one.node.text, one.node.description].map(fold).filter((told) => told !== "");
  const whole = all.filter((one) => texts(one).includes(wanted));
  if (whole.length > 0) return withoutContainers(whole);
  const part = all.filter((one) => texts(one).some((told) => told.includes(wanted)));
  return withoutContainers(part);
}

function fits({ node }: Element, selector: Selector): boolean {
  if (selector.text !== undefined) return fold(node.text) === fold(selector.text);
  if (selector.text_contains !== undefined) return fold(node.text).includes(fold(selector.text_contains));
  if (selector.desc !== undefined) return fold(node.description) === fold(selector.desc);
  if (selector.desc_contains !== undefined) return fold(node.description).includes(fold(selector.desc_contains));
  if (selector.id !== undefined) return node.resourceId === selector.id || node.resourceId.endsWith(`/${selector.id}`);
  return false;
}

/** A button and the label inside it often say the same: the inner one stands for both. */
function withoutContainers(found: Element[]): Element[] {
  return found.filter(
    (outer) => !found.some((inner) => inner !== outer && inner.node.path.startsWith(`${outer.node.path}.`)),
  );
}

/** How texts are compared: case, width and blanks do not matter. */
export function fold(text: string): string {
  return text.normalize("NFKC").trim().replace(/\s+/gu, " ").toLowerCase();
}
