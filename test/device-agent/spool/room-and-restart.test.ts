import { readdirSync } from "node:fs";
import { appendFile, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CodedError } from "../../../shared/errors.ts";
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
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "no error",
    ({ code, message }: CodedError) => `${code}: ${message}`,
  );
const everything = { offset: 0, length: Number.MAX_SAFE_INTEGER - 1 };

describe("room", () => {
  const roomLimits = { spoolBytes: 1_000, spoolFiles: 3, downloadBytes: 800 };
  beforeEach(async () => {
    await bench.remove();
    bench = await openSpoolBench({ roomLimits });
  });

  test("is kept for what was announced, and what does not fit is refused by the limit's name", async () => {
    await bench.spool.create(newFile({ bytes: 700 }));
    expect(await refusal(bench.spool.create(newFile({ bytes: 301 })))).toMatch(
      /^too_large: .*1000 bytes.*700 are taken/,
    );
    await bench.spool.put(someBytes(300), newFile({ owner: bert }));
    expect(await refusal(bench.spool.put(someBytes(1), newFile()))).toMatch(/^too_large/);
    expect(readdirSync(bench.folder).filter((name) => name.endsWith(".json"))).toHaveLength(2);
  });

  test("is watched while a file of unknown size comes", async () => {
    await bench.spool.put(someBytes(600), newFile());
    expect(await refusal(bench.spool.take(newFile(), inChunks(someBytes(500), 100)))).toMatch(/^too_large/);
    expect((await bench.spool.take(newFile(), inChunks(someBytes(400), 100))).bytes).toBe(400);
  });

  test("has a limit for one file and for their number", async () => {
    expect(await refusal(bench.spool.create(newFile({ bytes: 801 })))).toMatch(/^too_large: One file may have 800/);
    for (let count = 0; count < 3; count++) await bench.spool.put(someBytes(1), newFile());
    expect(await refusal(bench.spool.put(someBytes(1), newFile()))).toMatch(/^too_large: .*3 files/);
  });

  test("comes back with what expired or was removed", async () => {
    const { id } = await bench.spool.put(someBytes(700), newFile());
    await bench.clock.advance(day - 1);
    expect(await refusal(bench.spool.put(someBytes(700), newFile()))).toMatch(/^too_large/);
    expect(bench.spool.report(anna, id).bytes).toBe(700);
    await bench.clock.advance(1);
    const next = await bench.spool.put(someBytes(700), newFile());
    await bench.spool.remove(anna, next.id);
    await bench.spool.put(someBytes(800), newFile());
  });
});

describe("after a restart", () => {
  test("whole files and halves are there, and the half goes on", async () => {
    const bytes = someBytes(500);
    const whole = await bench.spool.put(bytes, newFile());
    const half = await bench.spool.create(newFile({ bytes: 500 }));
    await bench.spool.append(anna, half.id, 0, inChunks(bytes.subarray(0, 200)));
    await bench.spool.stop();
    const spool = await bench.reopen();
    expect(await gather(spool.read(anna, whole.id, everything))).toEqual(bytes);
    expect(spool.report(anna, whole.id)).toEqual(whole);
    expect(spool.report(anna, half.id).received).toBe(200);
    expect((await spool.append(anna, half.id, 200, inChunks(bytes.subarray(200)))).sha256).toBe(sha256(bytes));
  });

  test("stopping cuts an upload and keeps what came", async () => {
    const { id } = await bench.spool.create(newFile({ bytes: 500 }));
    const appending = refusal(bench.spool.append(anna, id, 0, thenSilence(someBytes(123)).chunks));
    await expect.poll(() => bench.spool.report(anna, id).received).toBe(123);
    await bench.spool.stop();
    expect(await appending).toMatch(/^canceled/);
    expect((await bench.reopen()).report(anna, id).received).toBe(123);
  });

  test("a kill in the middle of a piece leaves no more than was safely on the disk, and nothing whole", async () => {
    const bytes = someBytes(500);
    const { id } = await bench.spool.create(newFile({ bytes: 500, sha256: sha256(bytes) }));
    await bench.spool.append(anna, id, 0, inChunks(bytes.subarray(0, 100)));
    void refusal(bench.spool.append(anna, id, 100, thenSilence(bytes.subarray(100, 400)).chunks));
    await expect.poll(() => bench.spool.report(anna, id).received).toBe(400);
    const spool = await bench.reopen();
    expect(spool.report(anna, id)).toMatchObject({ received: 100, sha256: null });
    expect((await spool.append(anna, id, 100, inChunks(bytes.subarray(100)))).sha256).toBe(sha256(bytes));
  });

  test("a kill while a piece is written over what was there does not count the old bytes", async () => {
    const bytes = someBytes(500);
    const { id } = await bench.spool.create(newFile({ bytes: 500 }));
    await bench.spool.append(anna, id, 0, inChunks(bytes.subarray(0, 300)));
    void refusal(bench.spool.append(anna, id, 50, thenSilence(someBytes(10)).chunks));
    await expect.poll(() => bench.spool.report(anna, id).received).toBe(60);
    expect((await bench.reopen()).report(anna, id).received).toBe(50);
  });

  test("a file that was complete on the disk and not yet checked is checked then", async () => {
    const bytes = someBytes(100);
    const [good, bad] = [
      await bench.spool.create(newFile({ bytes: 100, sha256: sha256(bytes) })),
      await bench.spool.create(newFile({ bytes: 100, sha256: "0".repeat(64) })),
    ];
    for (const { id } of [good, bad]) {
      await writeFile(join(bench.folder, `${id}.bytes`), bytes);
      const record = join(bench.folder, `${id}.json`);
      await writeFile(record, JSON.stringify({ ...JSON.parse(await readFile(record, "utf8")), received: 100 }));
    }
    const spool = await bench.reopen();
    expect(spool.report(anna, good.id).sha256).toBe(sha256(bytes));
    expect(() => spool.report(anna, bad.id)).toThrow("There is no such file");
  });

  test("what is damaged is removed and said, the rest stays", async () => {
    const [cut, torn, good] = [
      await bench.spool.put(someBytes(100), newFile()),
      await bench.spool.put(someBytes(100), newFile()),
      await bench.spool.put(someBytes(100), newFile()),
    ];
    await truncate(join(bench.folder, `${cut.id}.bytes`), 99);
    await appendFile(join(bench.folder, `${torn.id}.json`), "{");
    await writeFile(join(bench.folder, "file_stray.bytes"), "x");
    await writeFile(join(bench.folder, `${good.id}.json.next`), "{");
    const spool = await bench.reopen();
    expect(readdirSync(bench.folder).sort()).toEqual([`${good.id}.bytes`, `${good.id}.json`]);
    expect(spool.report(anna, good.id).bytes).toBe(100);
    expect(bench.lines.filter((line) => line.includes("damaged"))).toHaveLength(2);
  });

  test("what expired meanwhile is gone at once", async () => {
    await bench.spool.put(someBytes(10), newFile());
    await bench.spool.stop();
    await bench.clock.advance(day);
    await bench.reopen();
    expect(readdirSync(bench.folder)).toEqual([]);
  });
});
