import type { Point, ScreenShape, Size } from "../../shared/device.ts";
import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Pictures } from "../../shared/tools/define-tool.ts";

/** The geometry of the pictures that callers got, so that their coordinates mean something. Kept in memory only. */
export interface PicturesSeen {
  /** The pictures of one phone that one caller got. */
  of(caller: string, device: string): Pictures;
}

interface Seen extends ScreenShape {
  id: string;
  shown: Size;
  fingerprint: string | undefined;
  display: number;
  at: number;
}

export function createPicturesSeen(options: { now: () => number; newId: () => string }): PicturesSeen {
  const lists = new Map<string, Seen[]>();

  const fresh = (key: string): Seen[] => {
    const oldest = options.now() - limits.pictureAgeMs;
    return (lists.get(key) ?? []).filter((picture) => picture.at > oldest);
  };
  const forgetOld = () => {
    for (const key of lists.keys()) if (fresh(key).length === 0) lists.delete(key);
  };

  return {
    of(caller, device) {
      const key = JSON.stringify([caller, device]);
      return {
        remember({ shown, size, rotation, fingerprint, display = 0 }) {
          forgetOld();
          const picture: Seen = { id: options.newId(), shown, size, rotation, fingerprint, display, at: options.now() };
          lists.set(key, [...fresh(key), picture].slice(-limits.picturesKept));
          return picture.id;
        },
        unchanged(screenshotId, fingerprint, display = 0) {
          const seen = fresh(key);
          const same = seen.find((picture) => picture.id === screenshotId && picture.fingerprint === fingerprint);
          if (same?.display !== display) return undefined;
          lists.set(key, [...seen.filter((picture) => picture !== same), { ...same, at: options.now() }]);
          return same.shown;
        },
        displayOf(screenshotId) {
          const seen = fresh(key);
          const picture =
            screenshotId === undefined ? seen.at(-1) : seen.find((candidate) => candidate.id === screenshotId);
          return picture?.display ?? 0;
        },
        locate(point, screenshotId, now) {
          const seen = fresh(key);
          return toPhone(point, screenshotId === undefined ? onlyShape(seen) : byId(seen, screenshotId), now);
        },
        shownSize(now) {
          const fitting = fresh(key).findLast((picture) => sameShape(picture, now));
          return fitting?.shown ?? defaultShown(now.size);
        },
      };
    },
  };
}

function byId(seen: readonly Seen[], id: string): Seen {
  const picture = seen.find((candidate) => candidate.id === id);
  if (picture) return picture;
  throw new CodedError(
    "invalid_argument",
    `There is no picture with this screenshot_id: it belongs to another phone, or is not among the last ${limits.picturesKept} pictures of the last ${limits.pictureAgeMs / 60_000} minutes.`,
    { hint: "Take a new screenshot and use its screenshot_id." },
  );
}

function onlyShape(seen: readonly Seen[]): Seen {
  const newest = seen.at(-1);
  if (!newest) {
    throw new CodedError("invalid_argument", "Coordinates need a picture to refer to: take a screenshot first.", {
      hint: "Call take_screenshot or read_screen, then use coordinates of that picture.",
    });
  }
  const isLikeNewest = (picture: Seen) =>
    picture.display === newest.display && sameShape(picture, newest) && sameSize(picture.shown, newest.shown);
  if (seen.every(isLikeNewest)) return newest;
  throw new CodedError(
    "invalid_argument",
    "Your pictures of this phone differ in size, rotation or display, so screenshot_id is required.",
    { hint: "Pass the screenshot_id of the picture that the coordinates are in." },
  );
}

function toPhone(point: Point, picture: Seen, now: ScreenShape): Point {
  const { shown, size } = picture;
  const inside = point.x >= 0 && point.y >= 0 && point.x < shown.width && point.y < shown.height;
  if (!inside) {
    throw new CodedError(
      "invalid_argument",
      `(${point.x}, ${point.y}) is outside the picture, which is ${shown.width} x ${shown.height}.`,
      { hint: `Use x from 0 to ${shown.width - 1} and y from 0 to ${shown.height - 1}.` },
    );
  }
  if (!sameShape(picture, now)) {
    throw new CodedError(
      "screen_changed",
      `The screen was ${describe(picture)} in that picture and is ${describe(now)} now; nothing was sent.`,
    );
  }
  return { x: scale(point.x, shown.width, size.width), y: scale(point.y, shown.height, size.height) };
}

/** The last pixel of a picture stays the last pixel of the phone whatever the rounding. */
function scale(value: number, shown: number, native: number): number {
  return Math.min(native - 1, Math.round((value * native) / shown));
}

function defaultShown(size: Size): Size {
  const width = Math.min(limits.pictureWidth, size.width);
  return { width, height: Math.max(1, Math.round((size.height * width) / size.width)) };
}

const sameSize = (a: Size, b: Size) => a.width === b.width && a.height === b.height;
const sameShape = (a: ScreenShape, b: ScreenShape) => a.rotation === b.rotation && sameSize(a.size, b.size);
const describe = ({ size, rotation }: ScreenShape) => `${size.width} x ${size.height} at ${rotation * 90} degrees`;
