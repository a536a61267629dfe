/**
 * The part of a window manager's dump that is about the default display. Displays come in no fixed order; a dump that
 * names none is about the only one.
 */
export function defaultDisplayBlock(text: string): string {
  return displayBlocks(text).get(0) ?? text;
}

/** The parts of a window manager's dump by the number of their display (RootWindowContainer.dumpDisplayContents). */
export function displayBlocks(text: string): Map<number, string> {
  const blocks = text.split(/^(?=\s*Display: mDisplayId=\d+)/m);
  return new Map(
    blocks.flatMap((block) => {
      const id = /^\s*Display: mDisplayId=(\d+)\b/.exec(block)?.[1];
      return id === undefined ? [] : [[Number(id), block] as const];
    }),
  );
}
