import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Lease } from "../../../device-agent/leases/lease.ts";
import { createLeaseFile } from "../../../device-agent/leases/lease-file.ts";
import { createLogLines } from "../support/log-lines.ts";

const lease: Lease = { id: "lease_1", phone: "a", caller: '["t","s"]', holder: "s", expiresAt: 1_796_000_000_000 };

function fresh() {
  const path = join(mkdtempSync(join(tmpdir(), "farhand-leases-")), "leases.json");
  const { log, lines } = createLogLines();
  return { path, lines, file: createLeaseFile({ path, log }) };
}

test("leases are read back as they were written, from a file that only its owner reads", async () => {
  const { path, file } = fresh();
  expect(await file.read()).toEqual([]);
  await file.write([lease, { ...lease, phone: "b", purpose: "nightly check" }]);
  expect(await file.read()).toEqual([lease, { ...lease, phone: "b", purpose: "nightly check" }]);
  expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
});

test("of writes that overlap the last one wins", async () => {
  const { path, file } = fresh();
  await Promise.all([file.write([lease]), file.write([]), file.write([{ ...lease, id: "lease_3" }])]);
  expect(JSON.parse(readFileSync(path, "utf8")).leases).toMatchObject([{ id: "lease_3" }]);
});

test("a damaged file leaves every phone free, and a line in the log", async () => {
  const { path, file, lines } = fresh();
  for (const damage of ["{", '{"leases":[{"id":1}]}']) {
    writeFileSync(path, damage);
    expect(await file.read()).toEqual([]);
  }
  expect(lines.filter((line) => line.includes("cannot be read"))).toHaveLength(2);
});
