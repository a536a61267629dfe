import type { DeviceScreen } from "../device.ts";
import type { DeviceCall } from "../tools/define-tool.ts";

/** A call as far as one display is concerned; every call is one for the main display. */
export interface ScreenCall extends Pick<DeviceCall, "pictures" | "signal" | "progress" | "pause" | "now"> {
  device: DeviceScreen;
}

/**
 * The same call for a certain display: what is looked at and touched is there, and pictures are remembered as pictures
 * of it. Undefined: the main display, and keys where the focus is.
 */
export function atDisplay(call: DeviceCall, display: number | undefined): ScreenCall {
  if (display === undefined) return call;
  const { device, pictures, signal, progress, pause, now } = call;
  return {
    signal,
    progress,
    pause,
    now,
    device: device.display(display),
    pictures: {
      remember: (picture) => pictures.remember({ ...picture, display }),
      unchanged: (screenshotId, fingerprint) => pictures.unchanged(screenshotId, fingerprint, display),
      displayOf: (screenshotId) => pictures.displayOf(screenshotId),
      locate: (point, screenshotId, shape) => pictures.locate(point, screenshotId, shape),
      shownSize: (shape) => pictures.shownSize(shape),
    },
  };
}

/** The display that a touch is for: that of the picture in which its point is. Undefined for the main one. */
export function pictureDisplay(call: DeviceCall, screenshotId: string | undefined): number | undefined {
  return call.pictures.displayOf(screenshotId) || undefined;
}

/** How an answer names its display: not at all where it is the main one. */
export function tellDisplay(display: number | undefined): { display?: number } {
  return display ? { display } : {};
}
