import type { ReadText, ScreenStatus, TextBox } from "../device.ts";
import { CodedError } from "../errors.ts";
import type { ScreenCall } from "./at-display.ts";
import { centre } from "./elements.ts";
import { isError } from "./look.ts";
import { findPixelText } from "./pixel-text.ts";
import { awakeStatus, refuseTurned } from "./reach.ts";
import { isCovered } from "./snap.ts";

export interface FoundInPixels {
  read: ReadText;
  found: TextBox[];
}

const lookHint = "Scroll to it with swipe, or look with read_screen.";

/**
 * Looks for a text in the pixels when the tree does not have it. `noTree` is why there is no tree; without pixels it is
 * thrown as if nothing else had been tried. Throws `target_not_found`, whose hint says where was not looked.
 */
export async function findInPixels(
  call: ScreenCall,
  text: string,
  noTree: CodedError | undefined,
): Promise<FoundInPixels> {
  const read = await readPixels(call, noTree);
  const now = await awakeStatus(call);
  refuseTurned(read, now);
  const found = withoutKeyboard(findPixelText(read.texts, text), now);
  if (found.length > 0) return { read, found };
  throw new CodedError("target_not_found", "No element and no pixels on the screen show that text.", {
    hint: lookHint,
  });
}

async function readPixels(call: ScreenCall, noTree: CodedError | undefined): Promise<ReadText> {
  try {
    return await call.device.readText(call.signal);
  } catch (thrown) {
    if (!isError(thrown) || !leavesTree.has(thrown.code)) throw thrown;
    if (noTree) throw thrown.code === "unsupported" ? noTree : thrown;
    throw new CodedError("target_not_found", "No element on the screen shows that text.", {
      hint: `${lookHint} Text in pixels was not searched: ${lowerFirst(thrown.message)}`,
      cause: thrown,
    });
  }
}

/** What keeps from reading pixels and says nothing of the tree. */
const leavesTree = new Set(["unsupported", "screen_secure", "screenshot_failed"]);

/** The keyboard's own labels are no target: whoever means a key presses it. */
function withoutKeyboard(found: TextBox[], { keyboard }: ScreenStatus): TextBox[] {
  return found.filter(({ bounds }) => !isCovered(centre(bounds), keyboard));
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
