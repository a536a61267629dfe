import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDownloads } from "../../../device-agent/outgoing/downloads.ts";
import type { SafeFetch } from "../../../device-agent/outgoing/safe-fetch.ts";
import { CodedError } from "../../../shared/errors.ts";
import { never } from "../adb/test-parts.ts";

const content = Buffer.from("0123456789");
const digest = createHash("sha256").update(content).digest("hex");
const url = "https://example.com/a.apk";

/** A server of `content`; each body breaks off after so many bytes, as `cuts` tells. */
function bench({ cuts = [], ranges = true }: { cuts?: number[]; ranges?: boolean } = {}) {
  const folder = join(mkdtempSync(join(tmpdir(), "farhand-downloads-")), "downloads");
  const asked: (string | undefined)[] = [];
  const safeFetch: SafeFetch = async (_url, { headers }) => {
    asked.push(headers?.range);
    const from = ranges ? Number(/=(\d+)-/.exec(headers?.range ?? "")?.[1] ?? 0) : 0;
    const cut = cuts.shift();
    return {
      status: from >= 10 ? 416 : from > 0 ? 206 : 200,
      headers: {
        "content-length": String(10 - from),
        ...(from > 0 && { "content-range": `bytes ${from}-9/10` }),
      },
      body: (async function* () {
        yield content.subarray(from, cut === undefined ? undefined : from + cut);
        if (cut !== undefined) throw new CodedError("download_failed", "The other end broke off.");
      })(),
      close() {},
    };
  };
  const downloads = createDownloads({ folder, safeFetch, now: Date.now, maxBytes: 1_000 });
  const fetch = (sha256 = digest) => downloads.fetch(url, sha256, () => {}, never);
  return { folder, asked, fetch };
}

test("a file is fetched once, for the owner only", async () => {
  const { folder, asked, fetch } = bench();
  const [first, second] = await Promise.all([fetch(), fetch()]);
  expect(first).toEqual(second);
  expect(asked.length).toBe(1);
  expect([first.size, String(readFileSync(first.file))]).toEqual([10, "0123456789"]);
  expect([statSync(folder).mode & 0o777, statSync(first.file).mode & 0o777]).toEqual([0o700, 0o600]);
});

test("a fetch that broke off goes on where it stopped", async () => {
  const { asked, fetch } = bench({ cuts: [4, 3] });
  await expect(fetch()).rejects.toThrow("broke off");
  await expect(fetch()).rejects.toThrow("broke off");
  expect(String(readFileSync((await fetch()).file))).toBe("0123456789");
  expect(asked).toEqual([undefined, "bytes=4-", "bytes=7-"]);
});

test("a server that knows no ranges sends all again", async () => {
  const { fetch } = bench({ cuts: [4], ranges: false });
  await expect(fetch()).rejects.toThrow("broke off");
  expect(String(readFileSync((await fetch()).file))).toBe("0123456789");
});

test("a file that came whole before its name was given is not fetched again", async () => {
  const { asked, fetch } = bench({ cuts: [10] });
  await expect(fetch()).rejects.toThrow("broke off");
  expect((await fetch()).size).toBe(10);
  expect(asked).toEqual([undefined, "bytes=10-"]);
});

test("a file with another digest is told and thrown away", async () => {
  const { folder, fetch } = bench();
  const error = await fetch("0".repeat(64)).catch((thrown) => thrown);
  expect(error.code).toBe("download_failed");
  expect(error.message).toContain(digest);
  expect(readdirSync(folder)).toEqual([]);
});

test("what nobody asked for in a day is removed", async () => {
  const { folder, fetch } = bench();
  await fetch();
  const old = join(folder, `${"1".repeat(64)}.part`);
  writeFileSync(old, "x");
  utimesSync(old, new Date(), new Date(Date.now() - 25 * 3_600_000));
  await fetch();
  expect(readdirSync(folder)).toEqual([`${digest}.apk`]);
});
