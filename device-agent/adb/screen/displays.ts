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

/** What shows a logical display: a panel with SurfaceFlinger's number, one that is off, or memory without a panel. */
export type Panel = { kind: "panel"; id: string } | { kind: "off" } | { kind: "virtual" };

/**
 * What shows a logical display now, from `dumpsys display`: by its viewport, which folding and plugging keep up to date
 * (DisplayViewport.toString), else by the display's own entry, which every Android prints (DisplayInfo.toString). The
 * logical number is what `input` takes and the panel's what `screencap` takes. Undefined when it tells of neither.
 */
export function parsePanel(text: string, display: number): Panel | undefined {
  const viewports = [...text.matchAll(/DisplayViewport\{[^}]*\}/g)]
    .map(([viewport]) => viewport)
    .filter((viewport) => new RegExp(`\\bdisplayId=${display}\\b`).test(viewport) && !/\bvalid=false\b/.test(viewport));
  const active = viewports.filter((viewport) => !/\bisActive=false\b/.test(viewport));
  const found = active.map((viewport) => panelOf(/\buniqueId='([^']*)'/.exec(viewport)?.[1])).find((panel) => panel);
  if (found) return found;
  if (viewports.length > 0 && active.length === 0) return { kind: "off" };
  // Android 12 prints a stray quote after the number.
  const entry = new RegExp(`\\bDisplayInfo\\{[^\\n]*\\bdisplayId ${display}"?,[^\\n]*`).exec(text)?.[0];
  return panelOf(/\buniqueId "([^"]*)"/.exec(entry ?? "")?.[1]);
}

function panelOf(uniqueId: string | undefined): Panel | undefined {
  if (uniqueId === undefined) return undefined;
  const id = /^local:(\d+)$/.exec(uniqueId)?.[1];
  return id === undefined ? { kind: "virtual" } : { kind: "panel", id };
}

/** The panel that shows the main display now; undefined when none does. */
export function parseDefaultPanel(text: string): string | undefined {
  const panel = parsePanel(text, 0);
  return panel?.kind === "panel" ? panel.id : undefined;
}
