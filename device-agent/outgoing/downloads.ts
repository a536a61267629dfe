import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { CodedError } from "../../shared/errors.ts";
import type { SafeFetch, SafeResponse } from "./safe-fetch.ts";

/** Files from the internet, each known by its SHA-256, so that a download can go on where it stopped. */
export interface Downloads {
  /**
   * Gives the file, fetched or kept from before. `report` is told the share that is here, 0–1. Throws what SafeFetch
   * throws; what was fetched until then is kept.
   */
  fetch(
    url: string,
    sha256: string,
    report: (share: number) => void,
    signal: AbortSignal,
  ): Promise<{ file: string; size: number }>;
}

export interface DownloadsDeps {
  /** Made (0700) when it is not there. */
  folder: string;
  safeFetch: SafeFetch;
  now: () => number;
  maxBytes: number;
}

const KEPT_MS = 24 * 60 * 60_000;

export function createDownloads(deps: DownloadsDeps): Downloads {
  const { folder, now } = deps;
  /** One at a time for each file. */
  const busy = new Map<string, Promise<unknown>>();

  const prune = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder)) {
      const digest = name.split(".")[0] ?? "";
      const { mtimeMs } = await stat(join(folder, name));
      if (now() - mtimeMs > KEPT_MS && !busy.has(digest)) await rm(join(folder, name), { force: true });
    }
  };

  return {
    async fetch(url, sha256, report, signal) {
      while (busy.has(sha256)) await busy.get(sha256)?.catch(() => {});
      const work = prune().then(() => fetchOnce(deps, url, sha256, report, signal));
      busy.set(sha256, work);
      try {
        return await work;
      } finally {
        busy.delete(sha256);
      }
    },
  };
}

async function fetchOnce(
  deps: DownloadsDeps,
  url: string,
  sha256: string,
  report: (share: number) => void,
  signal: AbortSignal,
): Promise<{ file: string; size: number }> {
  const file = join(deps.folder, `${sha256}.apk`);
  const known = await sizeOf(file);
  if (known !== undefined) return { file, size: known };
  const part = join(deps.folder, `${sha256}.part`);
  await fetchRest(deps, url, part, report, signal);
  const digest = await digestOf(part, signal);
  if (digest !== sha256) {
    await rm(part, { force: true });
    throw new CodedError("download_failed", `The file at the address has another SHA-256: ${digest}.`, {
      hint: "Check the address and the digest at the place that publishes the app.",
    });
  }
  await rename(part, file);
  return { file, size: (await sizeOf(file)) ?? 0 };
}

async function fetchRest(
  { safeFetch, maxBytes }: DownloadsDeps,
  url: string,
  part: string,
  report: (share: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const begun = (await sizeOf(part)) ?? 0;
  const headers: Record<string, string> = begun > 0 ? { range: `bytes=${begun}-` } : {};
  const response = await safeFetch(url, { headers, maxBytes: maxBytes - begun, signal });
  // All is here already, and the digest tells whether it is right.
  if (response.status === 416 && begun > 0) return response.close();
  const goesOn = response.status === 206 && response.headers["content-range"]?.startsWith(`bytes ${begun}-`) === true;
  if (!goesOn && response.status !== 200) {
    response.close();
    throw new CodedError("download_failed", `The server answered with status ${response.status}.`);
  }
  const handle = await open(part, goesOn ? "a" : "w", 0o600);
  try {
    await append(handle, response, goesOn ? begun : 0, report);
  } finally {
    await handle.close();
  }
}

async function append(handle: FileHandle, response: SafeResponse, begun: number, report: (share: number) => void) {
  const total = begun + Number(response.headers["content-length"]);
  let here = begun;
  for await (const chunk of response.body) {
    await handle.write(chunk);
    here += chunk.length;
    if (total > 0) report(here / total);
  }
}

async function digestOf(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file, { signal })) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
