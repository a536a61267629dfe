import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { openTaskJournal, type TaskJournal } from "../../../device-agent/tasks/task-journal.ts";
import type { TaskLine } from "../../../device-agent/tasks/task-line.ts";
import { createLogLines } from "../support/log-lines.ts";
import { taskStart } from "../support/tasks-bench.ts";

const directory = mkdtempSync(join(tmpdir(), "farhand-tasks-"));
let files = 0;
const opened: TaskJournal[] = [];
afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close().catch(() => {});
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function bench() {
  const file = join(directory, `tasks-${files++}.jsonl`);
  const { log, lines } = createLogLines();
  const open = async () => {
    const journal = await openTaskJournal({ file, log });
    opened.push(journal);
    return journal;
  };
  return { file, lines, open };
}

const start = (id: string): TaskLine => ({ kind: "start", at: 5, start: taskStart(id) });
const event = (taskId: string, sourceSeq: number, bytes = 1): TaskLine => {
  const artifact = { artifactId: "x", parts: [{ text: "y".repeat(bytes) }] };
  return { kind: "event", taskId, sourceSeq, event: { kind: "artifact", artifact, append: true, lastChunk: false } };
};

test("a Task and its events are in a file for its owner only, and come back", async () => {
  const { file, open } = bench();
  const first = await open();
  await first.append(start("t1"));
  await first.append(event("t1", 1));
  await first.append(event("t1", 2));
  await first.append({ kind: "acked", taskId: "t1", sourceSeq: 1 });
  await first.append({ kind: "phone", key: "a" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await first.close();
  const next = await open();
  expect(next.kept.all()).toMatchObject([
    { start: taskStart("t1"), at: 5, acked: 1, lastSeq: 2, events: [{ sourceSeq: 2 }] },
  ]);
  expect(next.kept.hasSeen("a")).toBe(true);
  expect(next.kept.hasSeen("b")).toBe(false);
});

test("a Task that is over is forgotten, and a late start of it is known as one", async () => {
  const { file, open } = bench();
  const first = await open();
  await first.append(start("t1"));
  await first.append(event("t1", 1, 100));
  await first.append({ kind: "over", taskId: "t1" });
  await first.close();
  const next = await open();
  expect(next.kept.all()).toEqual([]);
  expect(next.kept.isOver("t1")).toBe(true);
  expect(readFileSync(file, "utf8")).not.toContain("yyy");
});

test("a torn last line, damaged lines and lines of a later version cost only themselves", async () => {
  const { file, lines, open } = bench();
  const whole = [start("t1"), event("t1", 1), event("t1", 2), event("t1", 3), start("t2")].map((one) =>
    JSON.stringify(one),
  );
  whole[2] = `${whole[2]?.slice(0, 40)}\0\ufffd`;
  whole.splice(
    3,
    0,
    '{"kind":"mood","taskId":"t1"}',
    "",
    "null",
    '{"kind":"start","at":1,"start":{"type":"drain","reconnectInMs":1}}',
  );
  writeFileSync(file, `${whole.join("\n")}\n`);
  appendFileSync(file, JSON.stringify(start("t3")).slice(0, 100));
  const journal = await open();
  expect(journal.kept.all()).toMatchObject([
    { start: { taskId: "t1" }, lastSeq: 2, events: [{ sourceSeq: 1 }, { sourceSeq: 2 }] },
    { start: { taskId: "t2" }, lastSeq: 0 },
  ]);
  expect(lines.join()).toContain('"damaged":5');
});

test("a journal that grew is written anew without what is over, and loses nothing meanwhile", async () => {
  const { file, open } = bench();
  const journal = await open();
  await journal.append(start("old"));
  for (let n = 1; n <= 16; n++) await journal.append(event("old", n, 1024 * 1024));
  await journal.append({ kind: "over", taskId: "old" });
  const writes = [start("t1"), ...Array.from({ length: 20 }, (_, n) => event("t1", n + 1))];
  await Promise.all(writes.map((line) => journal.append(line)));
  await journal.close();
  expect(statSync(file).size).toBeLessThan(1024 * 1024);
  const next = await open();
  expect(next.kept.all()).toMatchObject([{ start: { taskId: "t1" }, lastSeq: 20 }]);
});

test("a journal that cannot be opened is told in one line", async () => {
  const { file, open } = bench();
  mkdirSync(file);
  await expect(open()).rejects.toThrow(/^cannot (read|write) the journal /);
});
