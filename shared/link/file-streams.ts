import { z } from "zod";

/**
 * The streams by which a device agent keeps files for callers: for each kind what the gateway's `open_stream` carries as
 * arguments. The principal is the gateway's word; every kind but `file_create` is for the file's owner alone.
 */
const count = z.number().int().nonnegative();

/** Made at the device agent. */
export const fileIdSchema = z.string().regex(/^file_[a-z0-9]{16,64}$/);

const caller = {
  principal: z.object({ tenant: z.string(), subject: z.string() }),
  /** One id in the audit of both sides. */
  callId: z.string().max(128),
};
const file = { ...caller, file: fileIdSchema };

export const fileStreamSchemas = {
  /**
   * A new file. `whole`: all of it follows as bytes of the gateway, and what is cut is dropped; else room is kept for
   * pieces. Answers with a report.
   */
  file_create: z.object({
    ...caller,
    name: z.string().min(1).max(255),
    mediaType: z.string().min(1).max(255),
    /** Null when the gateway does not know how many bytes follow. */
    bytes: count.nullable(),
    /** In lower-case hex, checked at the last byte; null: whatever comes is right. */
    sha256: z.string().nullable(),
    whole: z.boolean(),
  }),
  /** A piece follows as bytes of the gateway. It may begin anywhere in what is there. Answers with a report. */
  file_append: z.object({ ...file, offset: count }),
  /** Answers with bytes of a whole file. */
  file_read: z.object({ ...file, offset: count, length: count }),
  /** Answers with a report. */
  file_report: z.object(file),
  /** Answers with no bytes. */
  file_remove: z.object(file),
} as const;

export type FileStreamKind = keyof typeof fileStreamSchemas;
export type FileStreamArguments<K extends FileStreamKind> = z.infer<(typeof fileStreamSchemas)[K]>;

/** What a device agent says of one of its files: as JSON in the bytes of a stream. */
export const fileReportSchema = z.object({
  id: fileIdSchema,
  name: z.string(),
  mediaType: z.string(),
  /** Of the whole file. */
  bytes: count,
  /** That are there; all of them once `sha256` is told. */
  received: count,
  /** In lower-case hex; null while the file is not whole. */
  sha256: z.string().nullable(),
  /** In milliseconds since 1970 by the device agent's clock, as is `asOf`, when it said so. */
  expiresAt: count,
  asOf: count,
});
export type FileReport = z.infer<typeof fileReportSchema>;
