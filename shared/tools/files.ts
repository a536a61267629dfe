import { z } from "zod";
import type { KeptFile } from "../device-control.ts";
import { CodedError } from "../errors.ts";
import { limits } from "../limits.ts";
import { lastBoundary } from "../shown-bytes.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import { type DeviceCall, defineDeviceTool } from "./define-tool.ts";
import { fileId, filePath, ok, sha256 } from "./fields.ts";
import { forPeople } from "./json-schema.ts";

export const pushFile = defineDeviceTool({
  name: "push_file",
  title: "Push file",
  description:
    "Writes a file on the phone from an upload (file_id of POST /files), or in pieces of about 10,000 bytes.",
  permission: "device:danger",
  effect: "destroy",
  timeoutMs: 47_000,
  taskTimeoutMs: 10 * 60_000,
  input: z.strictObject({
    path: filePath,
    file_id: fileId.optional().meta(forPeople("What POST /files gave, in place of content.")),
    content: z.string().max(limits.toolArgumentsBytes).optional().meta(forPeople("The piece.")),
    encoding: z.enum(["text", "base64"]).default("text").meta(forPeople("Of the content; text is UTF-8.")),
    offset: z.number().int().min(0).default(0).meta(forPeople("Bytes of the file that are on the phone already.")),
    total_size: z
      .number()
      .int()
      .min(0)
      .optional()
      .meta(forPeople("Bytes of the whole file; left out, this piece is the last.")),
    sha256: sha256.optional().meta(forPeople("Of the whole file, checked at the last piece.")),
  }),
  output: z.object({ ok, done: z.boolean(), next_offset: z.number() }),
  async handle(call, { path, file_id, content, encoding, offset, total_size: total, sha256 }) {
    if (file_id !== undefined && content === undefined) {
      return pushUpload(call, await call.kept.find(file_id), { path, offset, sha256 });
    }
    if (file_id !== undefined || content === undefined) {
      throw new CodedError("invalid_argument", "Give one of file_id and content.");
    }
    const { device, signal } = call;
    const bytes = encoding === "text" ? new TextEncoder().encode(content) : fromBase64(content);
    const end = offset + bytes.length;
    if (total !== undefined && end > total) {
      throw new CodedError("invalid_argument", `This piece ends at ${end}, behind the total_size of ${total} bytes.`);
    }
    const last = total === undefined || end === total;
    await device.files.push({ path, bytes, offset, last, sha256 }, signal);
    return { output: { ok: true, done: last, next_offset: end } };
  },
});

const uploadPieceBytes = 4 * 1024 * 1024;

/** As much as the time of one call allows; the caller goes on at `next_offset`. */
async function pushUpload(
  { device, steps, signal, progress, now }: DeviceCall,
  file: KeptFile,
  { path, offset: begin, sha256 }: { path: string; offset: number; sha256: string | undefined },
) {
  if (begin > file.bytes) {
    throw new CodedError("invalid_argument", `The upload has ${file.bytes} bytes; the offset is behind its end.`);
  }
  let offset = begin;
  let done = false;
  let slowestMs = 0;
  do {
    const begunAt = now();
    const bytes = await file.read(offset, uploadPieceBytes);
    done = offset + bytes.length >= file.bytes;
    await device.files.push({ path, bytes, offset, last: done, sha256: sha256 ?? file.sha256 }, signal);
    offset += bytes.length;
    slowestMs = Math.max(slowestMs, now() - begunAt);
    progress(offset, file.bytes, "Copying to the phone.");
  } while (!done && steps.leftMs() > 2 * slowestMs);
  return { output: { ok: true, done, next_offset: offset } };
}

export const pullFile = defineDeviceTool({
  name: "pull_file",
  title: "Pull file",
  description: "Reads a file of the phone from offset on, as text when it is text, else as base64.",
  permission: "device:danger",
  effect: "read",
  timeoutMs: 47_000,
  input: z.strictObject({
    path: filePath,
    offset: z.number().int().min(0).default(0).meta(forPeople("next_offset of the read before.")),
    length: z
      .number()
      .int()
      .min(1)
      .max(limits.fileReadBytes)
      .default(64 * 1024)
      .meta(forPeople("Most bytes to read.")),
    encoding: z.enum(["auto", "base64"]).default("auto").meta(forPeople("Of the content in the answer.")),
    digest: z.boolean().default(false).meta(forPeople("Tell the SHA-256 of the whole file.")),
  }),
  output: z.object({
    ok,
    content: z.string(),
    encoding: z.string(),
    size: z.number(),
    next_offset: z.number().optional(),
    sha256: z.string().optional(),
  }),
  async handle({ device, signal }, { path, offset, length, encoding, digest }) {
    const { bytes, size } = await device.files.pull({ path, offset, length }, signal);
    const isWhole = offset + bytes.length >= size;
    const piece = isWhole ? bytes : bytes.subarray(0, lastBoundary(bytes));
    const text = encoding === "auto" ? asText(piece) : undefined;
    const told = text === undefined ? bytes : piece;
    const end = offset + told.length;
    return {
      output: {
        ok: true,
        content: text ?? toBase64(bytes),
        encoding: text === undefined ? "base64" : "text",
        size,
        next_offset: end < size && told.length > 0 ? end : undefined,
        sha256: digest ? await device.files.digest(path, signal) : undefined,
      },
    };
  },
});

/** What base64 of the largest piece takes in an answer. */
const mostTextBytes = 700_000;

/** Undefined for bytes that are no plain text, or too many quotes and backslashes for one answer. */
function asText(bytes: Uint8Array): string | undefined {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    const text = decoder.decode(bytes);
    // The answer holds the content twice: as JSON, and as JSON in a JSON text.
    const json = JSON.stringify(text);
    const isCheap = new TextEncoder().encode(json + JSON.stringify(json)).length <= mostTextBytes;
    return /(?![\t\n\r])\p{Cc}/u.test(text) || !isCheap ? undefined : text;
  } catch {
    return undefined;
  }
}
