import type { ReadText, Size, TextBox } from "../device.ts";
import { limits } from "../limits.ts";
import type { ScreenCall } from "./at-display.ts";
import { fold } from "./match.ts";
import { place } from "./tree-view.ts";
import { quoteScreenText, untrustedNote } from "./untrusted-text.ts";

/** Below this a reading is more often an icon than a text. */
export const leastScore = 0.5;

export interface PixelTextFields {
  screenshot_id: string;
  width: number;
  height: number;
  rotation: number;
  /** One line per text: quoted, score, bounds in the shown space. */
  texts: string[];
  total: number;
  truncated: boolean;
  note: string;
  screen_state: string;
}

/** Tells what was read in the space of this caller's pictures, which it then counts as one of. */
export function tellTexts(call: ScreenCall, read: ReadText, minScore: number): PixelTextFields {
  const shown = call.pictures.shownSize(read);
  const id = call.pictures.remember({ shown, size: read.size, rotation: read.rotation });
  const texts = read.texts.filter(({ score }) => score >= minScore);
  return {
    screenshot_id: id,
    ...shown,
    rotation: read.rotation,
    texts: texts.slice(0, limits.readTexts).map((text) => textLine(text, read.size, shown)),
    total: texts.length,
    truncated: texts.length > limits.readTexts,
    note: untrustedNote,
    screen_state: read.black ? "black" : "on",
  };
}

/** Tells one text as in `read_text`, for results and candidates. */
export function textLine({ text, score, bounds }: TextBox, native: Size, shown: Size): string {
  return `${quoteScreenText(text)} ${score.toFixed(2)} ${place(bounds, native, shown)}`;
}

/**
 * Texts that say `text`, found as in a tree: whole ones first, parts only if there is no whole one. Where nothing fits,
 * blanks do not count, because reading pixels loses some.
 */
export function findPixelText(texts: readonly TextBox[], text: string): TextBox[] {
  const sure = texts.filter(({ score }) => score >= leastScore);
  const ways: ((told: string) => string)[] = [fold, (told) => fold(told).replaceAll(" ", "")];
  for (const way of ways) {
    const wanted = way(text);
    if (wanted === "") continue;
    const whole = sure.filter((one) => way(one.text) === wanted);
    if (whole.length > 0) return whole;
    const part = sure.filter((one) => way(one.text).includes(wanted));
    if (part.length > 0) return part;
  }
  return [];
}
