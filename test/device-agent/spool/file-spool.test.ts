import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CodedError } from "../../../shared/errors.ts";
import {
  anna,
  bert,
  gather,
  inChunks,
  newFile,
  openSpoolBench,
  type SpoolBench,
  sha256,
  someBytes,
  thenSilence,
} from "./spool-bench.ts";

let bench: SpoolBench;
beforeEach(async () => {
  bench = await openSpoolBench();
});
afterEach(() => bench.remove());

const day = 24 * 60 * 60_000;
const hour = 60 * 60_000;
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "no error",
    ({ code, message }: CodedError) => `${code}: ${message}`,
  );
const everything = { offset: 0, length: Number.MAX_SAFE_INTEGER - 1 };
const read = (id: string, range = everything) => gather(bench.spool.read(anna, id, range));

describe("a file that is put there", () => {
  test("is told with its size, digest and end, and comes back byte for byte", async () => {
    const bytes = someBytes(300_000);
    const about = { owner: anna, name: "shot.png", mediaType: "image/png" };
    const kept = await bench.spool.put(bytes, about);
    expect(kept).toMatchObject({ name: "shot.png", mediaType: "image/png", bytes: 300_000, received: 300_000 });
    expect(kept.id).toMatch(/^file_[a-z0-9]{26}$/);
    expect(kept.sha256).toBe(sha256(bytes));
    expect(kept.expiresAt).toBe(bench.clock.now() + day);
    expect(await read(kept.id)).toEqual(bytes);
    expect(await read(kept.id, { offset: 299_990, length: 100 })).toEqual(bytes.subarray(299_990));
    expect(await read(kept.id, { offset: 5, length: 0 })).toEqual(new Uint8Array(0));
  });

  test("may be empty", async () => {
    const { id } = await bench.spool.put(new Uint8Array(0), newFile());
    expect(await read(id)).toEqual(new Uint8Array(0));
    const reserved = await bench.spool.create(newFile({ bytes: 0 }));
    expect(reserved.sha256).toBe(sha256(new Uint8Array(0)));
  });

  test("is nobody else's, and lies there for its user's eyes alone", async () => {
    const { id } = await bench.spool.put(someBytes(10), newFile());
    expect(() => bench.spool.report(bert, id)).toThrow("There is no such file");
    expect(() => bench.spool.report({ tenant: "u", subject: "anna" }, id)).toThrow("There is no such file");
    expect(await refusal(gather(bench.spool.read(bert, id, everything)))).toMatch(/^target_not_found/);
    expect(await refusal(bench.spool.of(bert).find(id))).toMatch(/^target_not_found/);
    await expect(bench.spool.remove(bert, id)).rejects.toThrow("There is no such file");
    expect(bench.spool.report(anna, id).bytes).toBe(10);
    expect(statSync(bench.folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(bench.folder)) expect(statSync(join(bench.folder, name)).mode & 0o777).toBe(0o600);
  });

  test("is gone after 24 hours, at the next look and from the disk", async () => {
    const { id } = await bench.spool.put(someBytes(10), newFile());
    const handle = await bench.spool.of(anna).find(id);
    await bench.clock.advance(day - 1);
    expect(bench.spool.report(anna, id).bytes).toBe(10);
    await bench.clock.advance(1);
    expect(() => bench.spool.report(anna, id)).toThrow("There is no such file");
    await bench.clock.advance(5 * 60_000);
    await expect.poll(() => readdirSync(bench.folder)).toEqual([]);
    expect(await refusal(handle.read(0, 10))).toMatch(/^target_not_found/);
  });

  test("can be removed before", async () => {
    const { id } = await bench.spool.put(someBytes(10), newFile());
    await bench.spool.remove(anna, id);
    expect(() => bench.spool.report(anna, id)).toThrow("There is no such file");
    expect(readdirSync(bench.folder)).toEqual([]);
  });

  test("gives its parts to the tools", async () => {
    const bytes = someBytes(1_000);
    const { id } = await bench.spool.put(bytes, newFile());
    const kept = await bench.spool.of(anna).find(id);
    expect(kept).toMatchObject({ bytes: 1_000, sha256: sha256(bytes) });
    expect(await kept.read(990, 100)).toEqual(bytes.subarray(990));
  });
});

describe("a file that comes at once", () => {
  test("whose size nobody told, is as long as it came", async () => {
    const bytes = someBytes(12_345);
    const { id, sha256: digest } = await bench.spool.take(newFile(), inChunks(bytes));
    expect(digest).toBe(sha256(bytes));
    expect(await read(id)).toEqual(bytes);
  });

  test.each([
    ["another digest", { sha256: "0".repeat(64) }, /^invalid_argument: What came has another SHA-256, [0-9a-f]{64};/],
    ["fewer bytes than announced", { bytes: 101 }, /^invalid_argument: The body ended after 100 of 101 bytes/],
    ["more bytes than announced", { bytes: 99 }, /^invalid_argument: More bytes came than the 99/],
  ])("with %s leaves nothing", async (_, about, expected) => {
    expect(await refusal(bench.spool.take(newFile(about), inChunks(someBytes(100), 30)))).toMatch(expected);
    expect(readdirSync(bench.folder)).toEqual([]);
  });

  test("and is cut leaves nothing", async () => {
    const { chunks, cut } = thenSilence(someBytes(50));
    const taking = refusal(bench.spool.take(newFile(), chunks));
    cut(new CodedError("canceled", "The caller gave up."));
    expect(await taking).toMatch(/^canceled/);
    expect(readdirSync(bench.folder)).toEqual([]);
  });
});

describe("an upload in pieces", () => {
  test("is whole and checked at its last byte, not before", async () => {
    const bytes = someBytes(10_000);
    const { id, sha256: digest } = await bench.spool.create(newFile({ bytes: 10_000, sha256: sha256(bytes) }));
    expect(digest).toBeNull();
    await bench.spool.append(anna, id, 0, inChunks(bytes.subarray(0, 4_000)));
    expect(bench.spool.report(anna, id)).toMatchObject({ received: 4_000, bytes: 10_000, sha256: null });
    expect(await refusal(bench.spool.of(anna).find(id))).toContain("4000 of 10000 bytes are there");
    expect(await refusal(read(id))).toMatch(/^invalid_argument: The upload is not complete/);
    const done = await bench.spool.append(anna, id, 4_000, inChunks(bytes.subarray(4_000)));
    expect(done).toMatchObject({ received: 10_000, sha256: sha256(bytes) });
    expect(await read(id)).toEqual(bytes);
  });

  test("goes on after a cut with what came until then", async () => {
    const bytes = someBytes(1_000);
    const { id } = await bench.spool.create(newFile({ bytes: 1_000 }));
    const { chunks, cut } = thenSilence(bytes.subarray(0, 300));
    const first = refusal(bench.spool.append(anna, id, 0, chunks));
    await expect.poll(() => bench.spool.report(anna, id).received).toBe(300);
    cut(new CodedError("device_offline", "The stream was cut."));
    expect(await first).toMatch(/^device_offline/);
    const done = await bench.spool.append(anna, id, 300, inChunks(bytes.subarray(300)));
    expect(done.sha256).toBe(sha256(bytes));
  });

  test("is taken over by a later request while an earlier one hangs", async () => {
    const bytes = someBytes(1_000);
    const { id } = await bench.spool.create(newFile({ bytes: 1_000 }));
    const hanging = refusal(bench.spool.append(anna, id, 0, thenSilence(bytes.subarray(0, 300)).chunks));
    await expect.poll(() => bench.spool.report(anna, id).received).toBe(300);
    const done = await bench.spool.append(anna, id, 100, inChunks(bytes.subarray(100)));
    expect(await hanging).toMatch(/^canceled: Another request took this upload over/);
    expect(done.sha256).toBe(sha256(bytes));
  });

  test("takes no piece behind a gap, and says where to go on", async () => {
    const { id } = await bench.spool.create(newFile({ bytes: 100 }));
    await bench.spool.append(anna, id, 0, inChunks(someBytes(10)));
    expect(await refusal(bench.spool.append(anna, id, 11, inChunks(someBytes(1))))).toContain("go on at byte 10");
    expect(bench.spool.report(anna, id).received).toBe(10);
  });

  test("keeps to the size that it announced", async () => {
    const { id } = await bench.spool.create(newFile({ bytes: 100 }));
    const tooMany = bench.spool.append(anna, id, 0, inChunks(someBytes(130), 50));
    expect(await refusal(tooMany)).toMatch(/^invalid_argument: More bytes came than the 100/);
    expect(bench.spool.report(anna, id)).toMatchObject({ received: 100, sha256: null });
  });

  test("whose digest is wrong is gone", async () => {
    const { id } = await bench.spool.create(newFile({ bytes: 100, sha256: "0".repeat(64) }));
    expect(await refusal(bench.spool.append(anna, id, 0, inChunks(someBytes(100))))).toContain("another SHA-256");
    expect(await refusal(bench.spool.append(anna, id, 0, inChunks(someBytes(100))))).toMatch(/^target_not_found/);
    expect(readdirSync(bench.folder)).toEqual([]);
  });

  test("that is complete stays as it is when its last piece is sent again", async () => {
    const bytes = someBytes(100);
    const { id } = await bench.spool.create(newFile({ bytes: 100 }));
    await bench.spool.append(anna, id, 0, inChunks(bytes));
    const again = await bench.spool.append(anna, id, 50, inChunks(someBytes(50)));
    expect(again.sha256).toBe(sha256(bytes));
    expect(await read(id)).toEqual(bytes);
  });

  test("waits an hour for its next byte, counted from the last one", async () => {
    const { id } = await bench.spool.create(newFile({ bytes: 100 }));
    await bench.clock.advance(hour - 1);
    await bench.spool.append(anna, id, 0, inChunks(someBytes(10)));
    await bench.clock.advance(hour - 1);
    expect(bench.spool.report(anna, id).received).toBe(10);
    await bench.clock.advance(1);
    expect(() => bench.spool.report(anna, id)).toThrow("There is no such file");
    await bench.clock.advance(5 * 60_000);
    await expect.poll(() => readdirSync(bench.folder)).toEqual([]);
  });

  test("is the file whatever the pieces, their order of arrival and their overlaps", async () => {
    const bytes = someBytes(2_000);
    const piece = fc.record({ from: fc.nat(2_000), length: fc.nat(900), chunk: fc.integer({ min: 1, max: 300 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const { id } = await bench.spool.create(newFile({ bytes: 2_000, sha256: sha256(bytes) }));
        for (const { from, length, chunk } of pieces) {
          const { received } = bench.spool.report(anna, id);
          const sent = inChunks(bytes.subarray(from, from + length), chunk);
          const outcome = await refusal(bench.spool.append(anna, id, from, sent));
          expect(outcome === "no error").toBe(from <= received || received === 2_000);
        }
        const { received } = bench.spool.report(anna, id);
        const { sha256: digest } = await bench.spool.append(anna, id, received, inChunks(bytes.subarray(received)));
        expect(digest).toBe(sha256(bytes));
        await bench.spool.remove(anna, id);
      }),
      { numRuns: 40 },
    );
  });
});
