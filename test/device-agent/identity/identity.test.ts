import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { prepareDataDir } from "../../../device-agent/identity/data-dir.ts";
import { openIdentityFile } from "../../../device-agent/identity/identity-file.ts";
import { acquireLock } from "../../../device-agent/identity/lock-file.ts";
import { processStamp } from "../../../device-agent/identity/process-stamp.ts";
import { randomId } from "../../../device-agent/random-id.ts";

const fresh = () => mkdtempSync(join(tmpdir(), "farhand-identity-"));

test("the install id stays, the boot id changes, and connectSeq grows across restarts", async () => {
  const file = join(fresh(), "device-agent.json");
  const first = await openIdentityFile({ file, randomId });
  expect([await first.nextConnectSeq(), await first.nextConnectSeq()]).toEqual([1, 2]);
  const second = await openIdentityFile({ file, randomId });
  expect(await second.nextConnectSeq()).toBe(3);
  expect(second.installId).toBe(first.installId);
  expect(second.installId).toHaveLength(32);
  expect(second.bootId).not.toBe(first.bootId);
});

test("connectSeq is stored before it is used", async () => {
  const file = join(fresh(), "device-agent.json");
  const identity = await openIdentityFile({ file, randomId });
  await identity.nextConnectSeq();
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ connectSeq: 1 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("attempts at the same time get different numbers", async () => {
  const identity = await openIdentityFile({ file: join(fresh(), "device-agent.json"), randomId });
  const all = await Promise.all([1, 2, 3].map(() => identity.nextConnectSeq()));
  expect(all.toSorted()).toEqual([1, 2, 3]);
});

test("a damaged identity is not replaced silently", async () => {
  const file = join(fresh(), "device-agent.json");
  writeFileSync(file, "{");
  await expect(openIdentityFile({ file, randomId })).rejects.toThrow("is damaged; remove it");
});

test("the data directory is made for its owner only, and an open one is closed", async () => {
  const directory = join(fresh(), "deep", "data");
  await prepareDataDir(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  chmodSync(directory, 0o755);
  await prepareDataDir(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test("a shared directory with other files is refused and left as it is", async () => {
  const directory = fresh();
  chmodSync(directory, 0o755);
  writeFileSync(join(directory, "letter.txt"), "");
  await expect(prepareDataDir(directory)).rejects.toThrow("choose a directory of its own");
  expect(statSync(directory).mode & 0o777).toBe(0o755);
});

test("a file in place of the data directory is refused", async () => {
  const file = join(fresh(), "file");
  writeFileSync(file, "");
  await expect(prepareDataDir(file)).rejects.toThrow(`cannot use the data directory ${file}: it is a file`);
  await expect(prepareDataDir(join(file, "below"))).rejects.toThrow("a part of its path is a file");
});

test("a second holder of the lock is refused by name of the first", async () => {
  const file = join(fresh(), "device-agent.lock");
  const lock = await acquireLock(file);
  await expect(acquireLock(file)).rejects.toThrow(`another device agent (process ${process.pid}) already uses`);
  await lock.release();
  await (await acquireLock(file)).release();
});

test("the lock of a process that is gone is taken over", async () => {
  const file = join(fresh(), "device-agent.lock");
  writeFileSync(file, JSON.stringify({ pid: 2 ** 22 - 3 }));
  await (await acquireLock(file)).release();
});

test.runIf(process.platform === "linux")("the lock of an earlier process with the same id is taken over", async () => {
  const file = join(fresh(), "device-agent.lock");
  const stamp = await processStamp(process.pid);
  writeFileSync(file, JSON.stringify({ pid: process.pid, stamp: `${stamp}0` }));
  await (await acquireLock(file)).release();
});

test("an unreadable lock counts as stale", async () => {
  const file = join(fresh(), "device-agent.lock");
  writeFileSync(file, "");
  await (await acquireLock(file)).release();
});

test("a lock in a directory that does not exist is one clear error", async () => {
  await expect(acquireLock("/nonexistent/device-agent.lock")).rejects.toThrow("cannot write the lock");
});
