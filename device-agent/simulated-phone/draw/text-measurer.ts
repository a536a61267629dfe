import { createCanvas } from "@napi-rs/canvas";
import type { TextMeasurer } from "../screen/layout.ts";
import type { TextStyle } from "../screen/view.ts";
import { fontOf, loadFonts, shownWeight } from "./fonts.ts";

const LINE_HEIGHT = 1.36;
const REFERENCE_SIZE = 100;
const ASCII = /^[\x20-\x7e]*$/;
/** Han, kana and their punctuation are as wide as they are high. */
const FULL_WIDTH = /^[\u3000-\u30ff\u3400-\u9fff\uff01-\uff60]$/;
/** Latin words stay whole; Han, kana and Hangul may break anywhere. */
const TOKEN =
  /\n|[^\S\n]+|[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[^\s\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+/gu;

/**
 * Widths are summed from the advances of single characters, each measured once: asking the canvas for every text costs
 * a millisecond each, because it looks through two hundred font files.
 */
export function createTextMeasurer(scale: () => number): TextMeasurer {
  loadFonts();
  const context = createCanvas(1, 1).getContext("2d");
  const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const advances = new Map<string, number>();

  const split = (text: string) =>
    ASCII.test(text) ? [...text] : [...graphemes.segment(text)].map(({ segment }) => segment);

  /** In units of the text size. */
  function advance(character: string, style: TextStyle): number {
    if (FULL_WIDTH.test(character)) return 1;
    const key = `${shownWeight(style)}${character}`;
    const known = advances.get(key);
    if (known !== undefined) return known;
    context.font = fontOf({ ...style, size: REFERENCE_SIZE }, 1);
    const measured = context.measureText(character).width / REFERENCE_SIZE;
    advances.set(key, measured);
    return measured;
  }

  function width(text: string, style: TextStyle): number {
    let total = 0;
    for (const character of split(text)) total += advance(character, style);
    return total * style.size * scale();
  }

  function breakWord(word: string, style: TextStyle, maxWidth: number): string[] {
    const lines: string[] = [];
    let line = "";
    for (const character of split(word)) {
      if (line !== "" && width(line + character, style) > maxWidth) {
        lines.push(line);
        line = "";
      }
      line += character;
    }
    return [...lines, line];
  }

  return {
    width,
    lineHeight: (style) => Math.round(style.size * scale() * LINE_HEIGHT),
    wrap(text, style, maxWidth) {
      const lines: string[] = [];
      let line = "";
      for (const token of text.match(TOKEN) ?? []) {
        if (token === "\n") {
          lines.push(line);
          line = "";
        } else if (width(line + token.trimEnd(), style) <= maxWidth) line += token;
        else {
          if (line !== "") lines.push(line);
          const pieces = /^\s/.test(token) ? [""] : breakWord(token, style, maxWidth);
          lines.push(...pieces.slice(0, -1));
          line = pieces.at(-1) ?? "";
        }
      }
      return [...lines, line];
    },
  };
}
