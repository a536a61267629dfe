import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { fileIdSchema } from "../../shared/link/file-streams.ts";
import type { Logger } from "../../shared/log.ts";
import { writeDurably } from "../identity/durable-write.ts";

/** `<id>.json` beside `<id>.bytes`. */
const recordSchema = z.object({
  id: fileIdSchema,
  owner: z.object({ tenant: z.string(), subject: z.string() }),
  name: z.string(),
  mediaType: z.string(),
  /** Of the whole file; null when nobody said. */
  bytes: z.number().nullable(),
  /** The SHA-256 that was announced. */
  wanted: z.string().nullable(),
  /** These bytes are on the disk. */
  received: z.number(),
  /** Null while the file is not whole. */
  sha256: z.string().nullable(),
  madeAt: z.number(),
  expiresAt: z.number(),
});
export type SpoolRecord = z.infer<typeof recordSchema>;

export const bytesPath = (folder: string, id: string) => join(folder, `${id}.bytes`);
const recordPath = (folder: string, id: string) => join(folder, `${id}.json`);

/** Resolves when it is on the disk. */
export function saveRecord(folder: string, record: SpoolRecord): Promise<void> {
  return writeDurably(recordPath(folder, record.id), `${JSON.stringify(record)}\n`);
}

/** Bytes without a record are nobody's, so a crash in between leaves no file. */
export async function removeFile(folder: string, id: string): Promise<void> {
  await rm(recordPath(folder, id), { force: true });
  await rm(bytesPath(folder, id), { force: true });
}

/** What an earlier run left. What no record speaks of, or does not fit its record, is removed. */
export async function loadRecords(folder: string, log: Logger): Promise<SpoolRecord[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith("file_"));
  const records: SpoolRecord[] = [];
  for (const name of names.filter((name) => name.endsWith(".json"))) {
    const record = await load(folder, name.slice(0, -".json".length));
    if (record) records.push(record);
    else log.warn("A kept file is damaged and was removed", { file: name });
  }
  const known = new Set(records.flatMap(({ id }) => [`${id}.json`, `${id}.bytes`]));
  for (const name of names) if (!known.has(name)) await rm(join(folder, name), { force: true });
  return records;
}

async function load(folder: string, id: string): Promise<SpoolRecord | undefined> {
  try {
    const record = recordSchema.parse(JSON.parse(await readFile(recordPath(folder, id), "utf8")));
    const size = await sizeOf(bytesPath(folder, id));
    if (record.id !== id || (record.sha256 !== null && size !== record.bytes)) return undefined;
    // More than the record says may be there, but nobody knows whether it reached the disk as it was sent.
    return record.sha256 === null ? { ...record, received: Math.min(record.received, size) } : record;
  } catch {
    return undefined;
  }
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
