import type { Panel } from "../options.ts";
import type { SettingsStore } from "../phone/settings-store.ts";
import { type Rect, rectOf } from "./geometry.ts";

export type Rotation = 0 | 1 | 2 | 3;

/** Size, density and orientation of the built-in display. */
export interface Display {
  /** The panel that shows the display now. */
  readonly physical: Panel;
  /** All built-in panels, the inner one of a foldable first. */
  readonly panels: readonly Panel[];
  /** Folding turns to the second panel; without one nothing changes. */
  isFolded: boolean;
  sizeOverride: { readonly width: number; readonly height: number } | undefined;
  densityOverride: number | undefined;
  /** How the phone is held; the screen follows while auto-rotate is on. */
  heldRotation: Rotation;
  rotation(): Rotation;
  /** In the current rotation. */
  width(): number;
  height(): number;
  density(): number;
  /** Pixels of one dp. */
  scale(): number;
  isLandscape(): boolean;
  bounds(): Rect;
  insets(): SystemInsets;
}

/** Room that the bars take, pixels. */
export interface SystemInsets {
  readonly statusBar: Rect;
  readonly navigationBar: Rect;
  /** What remains for apps. */
  readonly content: Rect;
}

const STATUS_BAR_DP = 28;
const NAVIGATION_BAR_DP = 48;

export function asRotation(value: number): Rotation {
  return value === 1 || value === 2 || value === 3 ? value : 0;
}

/** A television has no bars, so that apps have all of it. */
export function createDisplay(
  panels: readonly [Panel, ...Panel[]],
  settings: Pick<SettingsStore, "isOn" | "get">,
  hasBars = true,
): Display {
  const natural = () => display.sizeOverride ?? display.physical;
  const display: Display = {
    panels,
    isFolded: false,
    get physical() {
      return (display.isFolded ? panels[1] : undefined) ?? panels[0];
    },
    sizeOverride: undefined,
    densityOverride: undefined,
    heldRotation: 0,
    rotation() {
      if (settings.isOn("system", "accelerometer_rotation")) return display.heldRotation;
      return asRotation(Number(settings.get("system", "user_rotation") ?? 0));
    },
    width: () => (display.rotation() % 2 === 1 ? natural().height : natural().width),
    height: () => (display.rotation() % 2 === 1 ? natural().width : natural().height),
    density: () => display.densityOverride ?? display.physical.density,
    scale: () => display.density() / 160,
    isLandscape: () => display.width() > display.height(),
    bounds: () => rectOf(0, 0, display.width(), display.height()),
    insets() {
      const width = display.width();
      const height = display.height();
      const statusHeight = hasBars ? Math.round(STATUS_BAR_DP * display.scale()) : 0;
      const barSize = hasBars ? Math.round(NAVIGATION_BAR_DP * display.scale()) : 0;
      const statusBar = rectOf(0, 0, width, statusHeight);
      if (display.rotation() === 1) {
        const navigationBar = rectOf(width - barSize, 0, barSize, height);
        return {
          statusBar,
          navigationBar,
          content: { left: 0, top: statusHeight, right: width - barSize, bottom: height },
        };
      }
      if (display.rotation() === 3) {
        const navigationBar = rectOf(0, 0, barSize, height);
        return {
          statusBar,
          navigationBar,
          content: { left: barSize, top: statusHeight, right: width, bottom: height },
        };
      }
      const navigationBar = rectOf(0, height - barSize, width, barSize);
      return {
        statusBar,
        navigationBar,
        content: { left: 0, top: statusHeight, right: width, bottom: height - barSize },
      };
    },
  };
  return display;
}
