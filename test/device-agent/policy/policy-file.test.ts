import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { openPolicyFile } from "../../../device-agent/policy/policy-file.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createLogLines } from "../support/log-lines.ts";

const directory = mkdtempSync(join(tmpdir(), "farhand-policy-"));
const file = join(directory, "policy.json");
afterEach(() => rmSync(file, { force: true }));

async function open() {
  const clock = createManualClock();
  const { log, lines } = createLogLines();
  return { clock, lines, policyFile: await openPolicyFile({ file, clock, log }) };
}

test("a missing file means the built-in rules", async () => {
  const { policyFile } = await open();
  expect(policyFile.rules()).toEqual({ default: {}, devices: {}, deniedApps: [] });
});

test("a change holds within a second", async () => {
  writeFileSync(file, '{"default": {"screen:write": "allow"}}');
  const { policyFile, clock } = await open();
  expect(policyFile.rules().default).toEqual({ "screen:write": "allow" });
  writeFileSync(file, '{"default": {"screen:write": "deny"}}');
  await clock.advance(1_000);
  await vi.waitFor(() => expect(policyFile.rules().default).toEqual({ "screen:write": "deny" }));
});

test("a file broken later leaves the last good rules in force and is told once with its place", async () => {
  writeFileSync(file, '{"default": {"screen:read": "deny"}}');
  const { policyFile, clock, lines } = await open();
  writeFileSync(file, '{\n  "default": {"screen:read": "deny",}\n}');
  for (let second = 0; second < 5; second++) {
    await clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(policyFile.rules().default).toEqual({ "screen:read": "deny" });
  const told = lines.filter((line) => line.includes("is broken"));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain(`${file} is not JSON at line 2, column 37`);
  writeFileSync(file, "{}");
  await clock.advance(1_000);
  await vi.waitFor(() => expect(policyFile.rules().default).toEqual({}));
});

test("a file that vanishes opens nothing", async () => {
  writeFileSync(file, '{"default": {"screen:read": "deny"}}');
  const { policyFile, clock, lines } = await open();
  rmSync(file);
  await clock.advance(1_000);
  await vi.waitFor(() => expect(lines.join()).toContain("is gone"));
  expect(policyFile.rules().default).toEqual({ "screen:read": "deny" });
});

test("a file broken at the start is refused with the place of each fault", async () => {
  writeFileSync(file, '{"default": {"screen:write": "maybe"}, "device": {}}');
  await expect(open()).rejects.toThrow(/default > screen:write: .*; the whole: .*device/);
});
