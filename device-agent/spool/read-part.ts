import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { limits } from "../../shared/limits.ts";
import { refusals } from "./refusals.ts";

export interface Part {
  offset: number;
  length: number;
}

/** Bytes of a file, fewer at its end. Throws `target_not_found` when the file is not there any more. */
export async function* readPart(path: string, { offset, length }: Part): AsyncIterable<Uint8Array> {
  if (length === 0) return;
  const options = { start: offset, end: offset + length - 1, highWaterMark: limits.streamChunkBytes };
  try {
    for await (const chunk of createReadStream(path, options)) yield chunk as Uint8Array;
  } catch (error) {
    throw isMissing(error) ? refusals.gone() : error;
  }
}

/** The same at once. */
export async function readBytes(path: string, { offset, length }: Part): Promise<Uint8Array> {
  const file = await open(path).catch((error: unknown) => {
    throw isMissing(error) ? refusals.gone() : error;
  });
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const isMissing = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT";
