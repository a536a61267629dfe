import { z } from "zod";
import { keyNames } from "../keys.ts";
import { limits } from "../limits.ts";
import { fileIdSchema } from "../link/file-streams.ts";
import { forPeople } from "./json-schema.ts";

/** Fields that several tools share, each described once. */

const packagePattern = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/;

export const packageName = z
  .string()
  .max(223)
  .regex(packagePattern, "must be a package name such as com.android.settings")
  .meta(forPeople("Package name, as list_apps tells it."));
/** On the phone; with room for what is put behind it while the file is not whole. */
export const filePath = z
  .string()
  .max(limits.filePathBytes)
  .regex(/^\/[^\0]*[^\0/]$/, "must be an absolute path of a file")
  .refine((path) => new TextEncoder().encode(path).length <= limits.filePathBytes, "is too long")
  .meta(forPeople("Absolute path on the phone."));
/** Of an upload: what POST /files gave. */
export const fileId = z
  .string()
  .max(64)
  .refine((text) => fileIdSchema.safeParse(text).success, "must be the id of an upload");
export const sha256 = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hex digits")
  .transform((digest) => digest.toLowerCase());
export const key = z.enum(keyNames).meta(forPeople("Name of the key."));
export const coordinate = z.number().meta(forPeople("Pixels of the picture."));
export const screenshotId = z.string().max(32).optional().meta(forPeople("The picture that the coordinates are in."));
export const display = z
  .number()
  .int()
  .min(0)
  .optional()
  .meta(forPeople("Number of the phone's display, as device_info tells it; left out: the main one."));
export const keyDisplay = display.meta(
  forPeople("Number of the phone's display; left out: the one that has the focus."),
);
export const observe = z
  .enum(["none", "tree", "screenshot", "both"])
  .default("none")
  .meta(forPeople("What the answer shows of the settled screen."));
export const snapSwitch = z.boolean().default(true).meta(forPeople("Centre on the clickable element at the point."));

export const pictureOptions = {
  max_width: z
    .number()
    .int()
    .min(100)
    .max(limits.pictureMaxSide)
    .default(limits.pictureWidth)
    .meta(forPeople("Pixels; the picture is never enlarged.")),
  quality: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(limits.pictureQuality)
    .meta(forPeople("Of the JPEG; lowered until max_bytes holds.")),
  max_bytes: z.number().int().min(5_000).max(700_000).default(600_000).meta(forPeople("Most bytes of the picture.")),
};

export const ok = z.boolean();
/** Present when the caller asked for it: the settled screen as read_screen tells it. */
export const observed = z.looseObject({}).optional();
export const lines = z.array(z.string());

/** The display that was meant; left out for the main one. */
export const toldDisplay = z.number().optional();

/** What every write answers at least. */
export const acted = { ok, observed };

/** The way that an input went: "scrcpy" is the fast one. */
export const route = z.string().optional();

/** Where a picture's or tree's coordinates are. */
export const space = {
  screenshot_id: z.string(),
  display: toldDisplay,
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
