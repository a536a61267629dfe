import { z } from "zod";
import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { type ByteRange, readContentRange } from "./byte-range.ts";
import type { FileRow } from "./files.ts";
import type { NewFile } from "./transfers.ts";

const query = z.strictObject({
  device: z.string().min(1).max(64).optional(),
  name: z
    .string()
    .min(1)
    .max(255)
    .regex(/^\P{Cc}*$/u, "must be one line")
    .default("file"),
  bytes: z
    .string()
    .regex(/^\d{1,15}$/, "must be a number of bytes")
    .transform(Number)
    .optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hex digits")
    .transform((digest) => digest.toLowerCase())
    .optional(),
});

/** What `POST /files` asks for. Throws `invalid_argument`, `too_large`. */
export function readNewFile(request: Request): { device: string | undefined; file: NewFile } {
  const parsed = query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join(".") || "query"}: ${issue.message}`);
    throw new CodedError("invalid_argument", `These parameters do not fit: ${faults.join("; ")}.`, {
      hint: "POST /files takes device, name, bytes and sha256.",
    });
  }
  const { device, name, bytes: announced, sha256 = null } = parsed.data;
  const declared = declaredBytes(request);
  const whole = announced === undefined || declared !== 0;
  if (whole && announced !== undefined && declared !== null && declared !== announced) {
    throw new CodedError("invalid_argument", `The body has ${declared} bytes, not ${announced}.`, {
      hint: "Give bytes without a body, and send the pieces with PUT /files/<id>; or leave bytes out.",
    });
  }
  const bytes = announced ?? declared;
  if (bytes !== null && bytes > limits.downloadBytes) {
    throw new CodedError("too_large", `One file may have ${limits.downloadBytes} bytes at most.`, {
      hint: "Split the file, or let install_app fetch it from an address.",
    });
  }
  return { device, file: { name, mediaType: mediaTypeOf(request), bytes, sha256, whole } };
}

/** Where the body of `PUT /files/<id>` belongs; without `Content-Range` it is the whole file. Throws `invalid_argument`. */
export function readPiece(request: Request, { bytes }: FileRow): ByteRange {
  const header = request.headers.get("content-range");
  const range = header === null ? { offset: 0, length: bytes, total: bytes } : readContentRange(header);
  if (!range || range.offset + range.length > bytes || (range.total ?? bytes) !== bytes) {
    throw new CodedError("invalid_argument", `This Content-Range does not fit a file of ${bytes} bytes.`, {
      hint: `Send Content-Range: bytes FIRST-LAST/${bytes}, both counted from 0.`,
    });
  }
  const declared = declaredBytes(request);
  if (declared !== null && declared !== range.length) {
    throw new CodedError("invalid_argument", `The body has ${declared} bytes, its range ${range.length}.`);
  }
  return range;
}

/** Null when the body tells its length by ending. */
function declaredBytes({ headers }: Request): number | null {
  const length = headers.get("content-length");
  if (length !== null) return Number(length);
  return headers.get("transfer-encoding") === null ? 0 : null;
}

/** `type/subtype`; what programs send when nobody told them a type is none. */
function mediaTypeOf({ headers }: Request): string {
  const [given = ""] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const type = given.trim();
  if (type.startsWith("multipart/")) {
    throw new CodedError("invalid_argument", "The body is a form; the file itself is wanted.", {
      hint: "Send the bytes alone, for example with curl --data-binary @FILE.",
    });
  }
  const isType = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/.test(type);
  return isType && type !== "application/x-www-form-urlencoded" ? type : "application/octet-stream";
}
