import { z } from "zod";
import { keyNames } from "../keys.ts";
import { limits } from "../limits.ts";
import { taught } from "./json-schema.ts";

const taughtOnce = { [taught]: true };

/** Fields that several tools share, each described once. */

const packagePattern = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/;

export const packageName = z
  .string()
  .max(223)
  .regex(packagePattern, "must be a package name such as com.android.settings");
export const key = z.enum(keyNames);
export const coordinate = z.number();
export const screenshotId = z
  .string()
  .max(32)
  .optional()
  .meta({ ...taughtOnce, description: "The picture that the coordinates are in." });
export const observe = z
  .enum(["none", "tree", "screenshot", "both"])
  .default("none")
  .meta({ ...taughtOnce, description: "What the answer shows of the settled screen." });
export const snapSwitch = z
  .boolean()
  .default(true)
  .meta({ ...taughtOnce, description: "Centre on the clickable element at the point." });

export const pictureOptions = {
  max_width: z.number().int().min(100).max(limits.pictureMaxSide).default(limits.pictureWidth),
  quality: z.number().int().min(1).max(100).default(limits.pictureQuality),
  max_bytes: z.number().int().min(5_000).max(700_000).default(600_000),
};

export const ok = z.boolean();
/** Present when the caller asked for it: the settled screen as read_screen tells it. */
export const observed = z.looseObject({}).optional();
export const lines = z.array(z.string());

/** What every write answers at least. */
export const acted = { ok, observed };

/** Where a picture's or tree's coordinates are. */
export const space = {
  screenshot_id: z.string(),
  width: z.number(),
  height: z.number(),
  rotation: z.number(),
};

export const treeFields = {
  elements: lines,
  total: z.number(),
  truncated: z.boolean(),
  next_offset: z.number().optional(),
  note: z.string(),
  warning: z.string().optional(),
};
