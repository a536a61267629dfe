/**
 * The part of a window manager's dump that is about the default display. Displays come in no fixed order; a dump that
 * names none is about the only one.
 */
export function defaultDisplayBlock(text: string): string {
  const blocks = text.split(/^(?=\s*Display: mDisplayId=\d+)/m);
  return blocks.find((block) => /^\s*Display: mDisplayId=0\b/.test(block)) ?? text;
}
