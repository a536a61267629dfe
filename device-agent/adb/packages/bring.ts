import { open } from "node:fs/promises";
import type { AppSource, KeptFile } from "../../../shared/device-control.ts";
import { CodedError } from "../../../shared/errors.ts";
import type { Downloads } from "../../outgoing/downloads.ts";
import type { PhoneFiles } from "../files/phone-files.ts";

/** `share` of the whole work, 0–1. */
type Report = (share: number, message: string) => void;

const PIECE_BYTES = 8 * 1024 * 1024;

/** Where files are on the phone that we brought there. */
export const broughtFolder = "/data/local/tmp/farhand-app-";

/** Has a part of an app on the phone, and resolves with its path there. */
export async function bring(
  { files, downloads }: { files: PhoneFiles; downloads: Downloads | undefined },
  source: AppSource,
  report: Report,
  signal: AbortSignal,
): Promise<string> {
  if ("path" in source) return source.path;
  if ("kept" in source) return copy(files, source.kept, report, signal);
  if (!downloads) {
    throw new CodedError("unsupported", "This device agent fetches nothing.", { hint: "Use push_file and a path." });
  }
  const { url, sha256 } = source;
  const got = await downloads.fetch(url, sha256, (share) => report(share / 2, "Fetching."), signal);
  const file = await open(got.file);
  try {
    const read = async (offset: number, length: number) => {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    };
    const fetched = { bytes: got.size, sha256, read };
    return await copy(files, fetched, (share, message) => report(0.5 + share / 2, message), signal);
  } finally {
    await file.close();
  }
}

/** Copies a file to the phone, going on where an earlier call had to stop. */
async function copy(files: PhoneFiles, file: KeptFile, report: Report, signal: AbortSignal): Promise<string> {
  const path = `${broughtFolder}${file.sha256.slice(0, 32)}.apk`;
  const known = await files.size(path, signal).catch(() => undefined);
  if (known === file.bytes) return path;
  let offset = await files.begun(path, signal);
  if (offset >= file.bytes) offset = 0;
  while (offset < file.bytes) {
    const bytes = await file.read(offset, PIECE_BYTES);
    if (bytes.length === 0) {
      throw new CodedError("download_failed", "The file was cut short.", { hint: "Call again." });
    }
    const last = offset + bytes.length >= file.bytes;
    await files.push({ path, bytes, offset, last, sha256: last ? file.sha256 : undefined }, signal);
    offset += bytes.length;
    report(offset / file.bytes, "Copying to the phone.");
  }
  return path;
}
