import type { Picture, ScreenShape, UiTree } from "../device.ts";
import { CodedError, type ErrorBody } from "../errors.ts";
import { limits } from "../limits.ts";
import type { ScreenCall } from "./at-display.ts";
import { type TreeView, viewTree } from "./tree-view.ts";

export interface PictureOptions {
  max_width: number;
  quality: number;
  max_bytes: number;
}

/** What is said of a picture beside its bytes. */
export interface PictureFields {
  screenshot_id: string;
  width: number;
  height: number;
  rotation: number;
  native_width: number;
  native_height: number;
  quality: number;
  screen_state: string;
}

export type TreeFields = Pick<PictureFields, "screenshot_id" | "width" | "height" | "rotation"> & TreeView;

export interface BothFields extends Partial<PictureFields>, Partial<TreeFields> {
  unstable: boolean;
  cost_ms: number;
  picture_error?: ErrorBody;
  tree_error?: ErrorBody;
}

/** Leaves room for the tree beside the picture in one answer. */
const besideTree = { maxWidth: limits.pictureWidth, quality: limits.pictureQuality, maxBytes: 500_000 };

/**
 * Takes a picture and keeps its geometry for this caller's coordinates. If it shows just what the picture `since` did,
 * that one stands and no picture is given.
 */
export async function lookAtPicture(
  call: ScreenCall,
  options: PictureOptions,
  since?: string,
): Promise<{ output: PictureFields & { unchanged?: true }; pictures: Picture[] }> {
  const { max_width: maxWidth, quality, max_bytes: maxBytes } = options;
  const picture = await call.device.capture({ maxWidth, quality, maxBytes }, call.signal);
  const shown = since === undefined ? undefined : call.pictures.unchanged(since, picture.fingerprint);
  if (since !== undefined && shown) {
    return { output: { screenshot_id: since, ...shown, ...aboutPicture(picture), unchanged: true }, pictures: [] };
  }
  return { output: rememberPicture(call, picture), pictures: [picture] };
}

function rememberPicture(call: ScreenCall, picture: Picture): PictureFields {
  const { width, height, native, rotation, fingerprint } = picture;
  const id = call.pictures.remember({ shown: { width, height }, size: native, rotation, fingerprint });
  return { screenshot_id: id, width, height, ...aboutPicture(picture) };
}

function aboutPicture({ native, rotation, quality, black }: Picture) {
  return {
    rotation,
    native_width: native.width,
    native_height: native.height,
    quality,
    screen_state: black ? "black" : "on",
  };
}

/** Tells a tree in the space of this caller's pictures, which it then counts as one of. */
export function tellTree(call: ScreenCall, tree: UiTree, page: { offset: number; limit: number }): TreeFields {
  const shown = call.pictures.shownSize(tree);
  const id = call.pictures.remember({ shown, size: tree.size, rotation: tree.rotation });
  return { screenshot_id: id, ...shown, rotation: tree.rotation, ...viewTree(tree, shown, page) };
}

/**
 * Picture and tree of one moment: a second picture after the tree shows whether the screen stood still meanwhile; if
 * it moved, one more try. One of the two may be missing with its reason; if both are, the picture's error is thrown.
 */
export async function lookAtBoth(
  call: ScreenCall,
  limit: number,
): Promise<{ output: BothFields; pictures: Picture[] }> {
  const startedAt = call.now();
  let seen = await lookOnce(call);
  if (seen.moved) seen = await lookOnce(call);
  const { tree, picture, moved } = seen;
  if (isError(picture) && isError(tree)) throw picture;
  const page = { offset: 0, limit };
  const told = isError(picture) ? { picture_error: picture.toBody() } : rememberPicture(call, picture);
  const output: BothFields = {
    ...(isError(tree) ? { tree_error: tree.toBody() } : tellTree(call, tree, page)),
    ...told,
    unstable: moved,
    cost_ms: call.now() - startedAt,
  };
  return { output, pictures: isError(picture) ? [] : [picture] };
}

async function lookOnce(call: ScreenCall) {
  const before = await attempt(call.device.capture(besideTree, call.signal));
  const tree = await attempt(call.device.readTree(call.signal));
  if (isError(before) || isError(tree)) return { picture: before, tree, moved: false };
  const after = await attempt(call.device.capture(besideTree, call.signal));
  if (isError(after)) return { picture: before, tree, moved: true };
  return { picture: after, tree, moved: after.fingerprint !== before.fingerprint || !sameShape(after, tree) };
}

function sameShape(picture: Picture, tree: ScreenShape): boolean {
  return picture.native.width === tree.size.width && picture.rotation === tree.rotation;
}

/** A refusal of the phone becomes a value; the end of the call stays a throw. */
async function attempt<T>(work: Promise<T>): Promise<T | CodedError> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof CodedError && !endsCall.has(thrown.code)) return thrown;
    throw thrown;
  }
}

const endsCall = new Set(["canceled", "deadline_exceeded", "device_offline", "internal"]);

/** Why there is no tree; the screen may be seen and touched all the same. Anything else is a failure of the call. */
export function isTreeless(value: unknown): value is CodedError {
  return isError(value) && (value.code.startsWith("ui_") || value.code === "unsupported");
}

export function isError(value: unknown): value is CodedError {
  return value instanceof CodedError;
}
