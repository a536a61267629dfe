import { z } from "zod";
import { errorBodySchema } from "../errors.ts";

/**
 * One stream socket (`/link/stream/<streamId>`), the same at both ends. Binary frames are chunks of at most 256 KiB.
 * Text frames are JSON notices: `credit` lets the other end send that many more bytes, `end` says that no more chunks
 * come from here, `error` that the stream failed. An end sends chunks only within the credit it was given, so a slow
 * reader stops the source and nothing piles up between.
 */
const notice = z.discriminatedUnion("type", [
  z.object({ type: z.literal("credit"), bytes: z.number().int().positive() }),
  z.object({ type: z.literal("end") }),
  z.object({ type: z.literal("error"), error: errorBodySchema }),
]);
export type StreamNotice = z.infer<typeof notice>;

/** Undefined for a notice that this version does not know. */
export function readNotice(text: string): StreamNotice | undefined {
  try {
    return notice.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
