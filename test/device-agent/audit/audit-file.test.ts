import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAuditFile } from "../../../device-agent/audit/audit-file.ts";
import { createLogLines } from "../support/log-lines.ts";

const directory = mkdtempSync(join(tmpdir(), "farhand-audit-"));

test("one line per call, in order, for the owner only, kept across restarts", async () => {
  const file = join(directory, "audit.jsonl");
  const { log } = createLogLines();
  const record = { at: 0, principal: "t/s", device: "a", tool: "tap", arguments: { x: 1 }, outcome: "ok", ms: 12 };
  const first = await openAuditFile({ file, log });
  for (const callId of ["c1", "c2"]) first.record({ ...record, callId });
  await first.close();
  const second = await openAuditFile({ file, log });
  second.record({ ...record, callId: "c3" });
  await second.close();
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).callId)).toEqual(["c1", "c2", "c3"]);
  expect(JSON.parse(lines[0] ?? "")).toEqual({
    time: "1970-01-01T00:00:00.000Z",
    callId: "c1",
    principal: "t/s",
    device: "a",
    tool: "tap",
    arguments: { x: 1 },
    outcome: "ok",
    ms: 12,
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
