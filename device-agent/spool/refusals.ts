import { CodedError } from "../../shared/errors.ts";
import type { FileReport } from "../../shared/link/file-streams.ts";

/** Why the spool does not do what it is asked to. */
export const refusals = {
  gone: () =>
    new CodedError("target_not_found", "There is no such file; it may have expired.", {
      hint: "Upload it with POST /files, and use the id that comes back.",
    }),
  notWhole: ({ received, bytes }: FileReport) =>
    new CodedError("invalid_argument", `The upload is not complete: ${received} of ${bytes} bytes are there.`, {
      hint: "Send the rest with PUT /files/<id>, then call again.",
    }),
  gap: (received: number) =>
    new CodedError("invalid_argument", `There are ${received} bytes of this upload; go on at byte ${received}.`, {
      hint: "Send a piece that begins there or before.",
    }),
  cutShort: (received: number, bytes: number) =>
    new CodedError("invalid_argument", `The body ended after ${received} of ${bytes} bytes; nothing was kept.`, {
      hint: "Send it again, or in pieces, which go on where they stopped.",
    }),
  otherDigest: (sha256: string) =>
    new CodedError("invalid_argument", `What came has another SHA-256, ${sha256}; it was removed.`, {
      hint: "Send the file again from its beginning.",
    }),
  replaced: () => new CodedError("canceled", "Another request took this upload over, or it was removed."),
};
