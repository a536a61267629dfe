import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomId } from "../../../device-agent/random-id.ts";
import { openSpool, type SpoolDeps } from "../../../device-agent/spool/file-spool.ts";
import type { NewFile, Spool } from "../../../device-agent/spool/spool.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { createLogLines } from "../support/log-lines.ts";

export const anna = { tenant: "t", subject: "anna" };
export const bert = { tenant: "t", subject: "bert" };

export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
export const someBytes = (length: number): Uint8Array => new Uint8Array(randomBytes(length));

export const newFile = (about: Partial<NewFile> = {}): NewFile => ({
  owner: anna,
  name: "app.apk",
  mediaType: "application/octet-stream",
  bytes: null,
  sha256: null,
  ...about,
});

export async function* inChunks(bytes: Uint8Array, size = 1_000): AsyncIterable<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size);
}

/** Some bytes, and then silence until the test ends it. */
export function thenSilence(bytes: Uint8Array): { chunks: AsyncIterable<Uint8Array>; cut(error: Error): void } {
  let cut: (error: Error) => void = () => {};
  const silence = new Promise<never>((_, reject) => {
    cut = reject;
  });
  silence.catch(() => {});
  async function* chunks() {
    yield bytes;
    await silence;
  }
  return { chunks: chunks(), cut };
}

export async function gather(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return new Uint8Array(Buffer.concat(parts));
}

export interface SpoolBench {
  folder: string;
  clock: ManualClock;
  spool: Spool;
  lines: string[];
  /** Another process that takes the folder up; the first one is left as a kill would leave it. */
  reopen(changes?: Partial<SpoolDeps>): Promise<Spool>;
  remove(): Promise<void>;
}

export async function openSpoolBench(changes: Partial<SpoolDeps> = {}): Promise<SpoolBench> {
  const parent = await mkdtemp(join(tmpdir(), "farhand-spool-"));
  const folder = join(parent, "spool");
  const clock = createManualClock();
  const { log, lines } = createLogLines();
  const deps = { folder, clock, log, randomId, ...changes };
  return {
    folder,
    clock,
    spool: await openSpool(deps),
    lines,
    reopen: (more = {}) => openSpool({ ...deps, ...more }),
    remove: () => rm(parent, { recursive: true, force: true }),
  };
}
