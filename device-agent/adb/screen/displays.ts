/** A panel as SurfaceFlinger knows it. */
export interface PhysicalDisplay {
  /** 64 bits and more than a number holds. */
  id: string;
  /** Number of the hardware composer; 0 is the built-in panel that Android starts with. */
  hwc: number;
}

/** `dumpsys SurfaceFlinger --display-id`: one line per panel; older phones print nothing of the kind. */
export function parsePhysicalDisplays(text: string): PhysicalDisplay[] {
  const found = text.matchAll(/^Display (\d+) \(HWC display (\d+)\)/gm);
  return [...found].map((match) => ({ id: match[1] ?? "", hwc: Number(match[2]) }));
}

/** The panel that shows logical display 0 now, from the viewports of `dumpsys display`. */
export function parseDefaultPanel(text: string): string | undefined {
  for (const [viewport] of text.matchAll(/DisplayViewport\{[^}]*\}/g)) {
    if (!/\bdisplayId=0\b/.test(viewport) || /\bisActive=false\b|\bvalid=false\b/.test(viewport)) continue;
    const id = /\buniqueId='local:(\d+)'/.exec(viewport)?.[1];
    if (id !== undefined) return id;
  }
  return undefined;
}
