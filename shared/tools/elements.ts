import { z } from "zod";
import type { TextBox, UiTree } from "../device.ts";
import { CodedError } from "../errors.ts";
import { limits } from "../limits.ts";
import { atDisplay, type ScreenCall, tellDisplay } from "../screen/at-display.ts";
import { centre, type Element } from "../screen/elements.ts";
import { findInPixels } from "../screen/find-in-pixels.ts";
import { isError, isTreeless } from "../screen/look.ts";
import { findElements, findText, type Selector } from "../screen/match.ts";
import { observeScreen } from "../screen/observe.ts";
import { textLine } from "../screen/pixel-text.ts";
import { awakeStatus, choose, pickOne, refuseCovered, refuseTurned } from "../screen/reach.ts";
import { line } from "../screen/tree-view.ts";
import { defineDeviceTool } from "./define-tool.ts";
import { acted, display, lines, observe, route, toldDisplay } from "./fields.ts";
import { forPeople } from "./json-schema.ts";

const index = z.number().int().min(0).max(299).optional().meta(forPeople("Which of several matches, from 0."));
const output = z.object({
  ...acted,
  tapped: z.string().optional(),
  route: route.optional(),
  candidates: lines.optional(),
  display: toldDisplay,
});

async function tapFound(call: ScreenCall, tree: UiTree, found: Element[], which: number | undefined) {
  const choice = choose(call, tree, found, which);
  if ("candidates" in choice) return { ok: false, candidates: choice.candidates };
  // Reading the tree takes seconds, in which the phone may turn and the keyboard may come.
  const now = await awakeStatus(call);
  refuseTurned(tree, now);
  refuseCovered(choice.point, now.keyboard);
  const way = await call.device.tap(choice.point, call.signal);
  return { ok: true, tapped: line(choice.chosen, tree.size, call.pictures.shownSize(tree)), route: way };
}

async function tapInPixels(call: ScreenCall, noTree: CodedError | undefined, text: string, which: number | undefined) {
  const { read, found } = await findInPixels(call, text, noTree);
  const tell = (one: TextBox) => textLine(one, read.size, call.pictures.shownSize(read));
  const choice = pickOne(found, which, tell);
  if ("candidates" in choice) return { ok: false, candidates: choice.candidates, found_by: "ocr" };
  const way = await call.device.tap(centre(choice.chosen.bounds), call.signal);
  return { ok: true, tapped: tell(choice.chosen), route: way, found_by: "ocr" };
}

/** A phone that gives no tree now may still show the text. */
async function treeOrReason(call: ScreenCall): Promise<UiTree | CodedError> {
  try {
    return await call.device.readTree(call.signal);
  } catch (thrown) {
    if (isTreeless(thrown)) return thrown;
    throw thrown;
  }
}

export const tapText = defineDeviceTool({
  name: "tap_text",
  title: "Tap text",
  description: "Taps what shows a text (tree, else pixels). Several matches: nothing is tapped and they are listed.",
  permission: "screen:write",
  effect: "write",
  timeoutMs: 40_000,
  input: z.strictObject({
    text: z.string().min(1).max(limits.tapTextChars).meta(forPeople("Text as shown; case does not matter.")),
    index,
    display,
    observe,
  }),
  output: output.extend({ found_by: z.string().optional() }),
  async handle(anywhere, input) {
    const call = atDisplay(anywhere, input.display);
    await awakeStatus(call);
    const tree = await treeOrReason(call);
    const found = isError(tree) ? [] : findText(tree, input.text);
    const told =
      isError(tree) || found.length === 0
        ? await tapInPixels(call, isError(tree) ? tree : undefined, input.text, input.index)
        : { ...(await tapFound(call, tree, found, input.index)), found_by: "tree" };
    const { observed, pictures } = await observeScreen(call, told.ok ? input.observe : "none");
    return { output: { ...told, ...tellDisplay(input.display), observed }, pictures };
  },
});

const name = z.string().min(1).max(limits.tapTextChars).optional().meta(forPeople("What the element has."));

export const tapElement = defineDeviceTool({
  name: "tap_element",
  title: "Tap element",
  description: "Taps an element named by exactly one of ref (from a tree), id, text, desc or their parts.",
  permission: "screen:write",
  effect: "write",
  timeoutMs: 40_000,
  input: z.strictObject({
    ref: name,
    id: name,
    text: name,
    desc: name,
    text_contains: name,
    desc_contains: name,
    index,
    display,
    observe,
  }),
  output,
  async handle(anywhere, { index: which, observe: wanted, display: on, ...named }) {
    const call = atDisplay(anywhere, on);
    const { ref, id, text, desc, text_contains, desc_contains } = named;
    const selector: Selector = { ref, id, text, desc, text_contains, desc_contains };
    if (Object.values(selector).filter((value) => value !== undefined).length !== 1) {
      throw new CodedError(
        "invalid_argument",
        "Name the element by exactly one of ref, id, text, desc, text_contains, desc_contains.",
      );
    }
    await awakeStatus(call);
    const tree = await call.device.readTree(call.signal);
    const found = findElements(tree, selector);
    if (found.length === 0 && ref !== undefined) {
      throw new CodedError("stale_element", "That element is no longer on the screen; nothing was tapped.");
    }
    if (found.length === 0) throw new CodedError("target_not_found", "No element on the screen fits.");
    const told = await tapFound(call, tree, found, which);
    const { observed, pictures } = await observeScreen(call, told.ok ? wanted : "none");
    return { output: { ...told, ...tellDisplay(on), observed }, pictures };
  },
});
