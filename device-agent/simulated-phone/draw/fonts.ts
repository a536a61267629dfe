import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { GlobalFonts } from "@napi-rs/canvas";
import type { TextStyle } from "../screen/view.ts";

const LATIN_AND_HAN = "Farhand Sans";
const HANGUL = "Farhand Hangul";
const EMOJI = "Farhand Emoji";
const REGULAR = 400;
const BOLD = 600;

/** Registers the fonts of the picture with the canvas, once in a process. The machine needs no font of its own. */
export function loadFonts(): void {
  if (GlobalFonts.has(EMOJI)) return;
  registerFolder("@fontsource-variable/noto-sans-sc", LATIN_AND_HAN);
  registerFolder("@fontsource-variable/noto-sans-kr", HANGUL);
  GlobalFonts.registerFromPath(join(packageFolder("twemoji-colr-font"), "twemoji.woff2"), EMOJI);
}

function registerFolder(packageName: string, family: string): void {
  const folder = join(packageFolder(packageName), "files");
  for (const file of readdirSync(folder))
    if (file.endsWith("-wght-normal.woff2")) GlobalFonts.registerFromPath(join(folder, file), family);
}

function packageFolder(packageName: string): string {
  return dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`));
}

export function fontOf(style: TextStyle, scale: number): string {
  return `${shownWeight(style)} ${style.size * scale}px "${LATIN_AND_HAN}", "${HANGUL}", "${EMOJI}"`;
}

/** Two weights only: the first use of each costs a quarter of a second, as the variable fonts are cut for it. */
export function shownWeight(style: TextStyle): number {
  return (style.weight ?? REGULAR) >= 500 ? BOLD : REGULAR;
}
