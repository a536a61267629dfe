import { afterEach, beforeEach, expect, it } from "vitest";
import { createLibsqlTasks } from "../../../gateway/store/libsql-tasks.ts";
import type { PushConfig, PushDelivery } from "../../../gateway/tasks/task-store.ts";
import { createTaskBench, type TaskBench } from "./support/task-bench.ts";
import { chunk, fromSource, owner, status, userMessage } from "./support/task-entries.ts";

const webhook: PushConfig = {
  id: "c1",
  taskId: "t1",
  url: "https://a.example/",
  token: null,
  scheme: "Bearer",
  credentials: "x",
};
const most = { perTask: 2, perTenant: 3 };
let bench: TaskBench;

beforeEach(async () => {
  bench = await createTaskBench();
  await bench.begin("t1");
  await bench.store.savePushConfig(owner, webhook, most);
});
afterEach(() => bench.remove());

/** Everything that is due, as it is sent: each settled before the next is asked for. */
async function settleAll(): Promise<number[]> {
  const seqs: number[] = [];
  for (;;) {
    const claimed = await bench.store.claimPushes(99_999, 100_000, 10);
    if (claimed.length === 0) return seqs;
    for (const delivery of claimed) await bench.store.settlePush(delivery);
    seqs.push(...claimed.map(({ seq }) => seq));
  }
}

it("webhooks hear of each event from the time they are known, the oldest first, until it is settled", async () => {
  await bench.store.appendFromSource(fromSource("t1", 1, status("TASK_STATE_WORKING")));
  await bench.store.appendFromSource(fromSource("t1", 2, chunk("a")));
  const [first, ...none] = await bench.store.claimPushes(3_000, 4_000, 10);
  expect([first, none]).toEqual([{ config: webhook, taskId: "t1", seq: 2, attempt: 1 }, []]);
  expect(await bench.store.claimPushes(3_000, 4_000, 10)).toEqual([]);
  if (!first) throw new Error("nothing was claimed");
  await bench.store.postponePush(first, 3_500);
  expect(await bench.store.claimPushes(3_400, 4_000, 10)).toEqual([]);
  const [again] = await bench.store.claimPushes(3_500, 4_500, 10);
  expect(again).toMatchObject({ seq: 2, attempt: 2 });
  // The first claim ran out: it settles nothing any more.
  await bench.store.settlePush(first);
  if (again) await bench.store.settlePush(again);
  expect(await bench.store.claimPushes(3_600, 4_600, 10)).toMatchObject([{ seq: 3, attempt: 1 }]);
  expect(await bench.store.nextDueAt()).toBe(4_600);
});

it("webhooks are replaced by id, limited per Task and per tenant, and another's Task takes none", async () => {
  expect(await bench.store.savePushConfig(owner, { ...webhook, url: "https://b.example/" }, most)).toBe("saved");
  expect(await bench.store.pushConfigs("t1")).toMatchObject([{ url: "https://b.example/" }]);
  expect(await bench.store.savePushConfig(owner, { ...webhook, id: "c2" }, most)).toBe("saved");
  expect(await bench.store.savePushConfig(owner, { ...webhook, id: "c3" }, most)).toBe("full");
  await bench.begin("t2");
  expect(await bench.store.savePushConfig(owner, { ...webhook, taskId: "t2" }, most)).toBe("saved");
  expect(await bench.store.savePushConfig(owner, { ...webhook, taskId: "t2", id: "c2" }, most)).toBe("full");
  expect(await bench.store.savePushConfig({ ...owner, subject: "x" }, webhook, { perTask: 9, perTenant: 9 })).toBe(
    "full",
  );
});

it("webhooks that are deleted hear of nothing more, and may be deleted twice", async () => {
  await bench.store.appendFromSource(fromSource("t1", 1, status("TASK_STATE_WORKING")));
  await bench.store.deletePushConfig("t1", "c1");
  await bench.store.deletePushConfig("t1", "c1");
  expect(await bench.store.claimPushes(9_000, 9_999, 10)).toEqual([]);
});

it("webhooks hear of what the device agent tells, what the client answers and what the gateway ends, and of nothing inert", async () => {
  await bench.store.appendFromSource(fromSource("t1", 1, status("TASK_STATE_INPUT_REQUIRED", "which?")));
  const answer = { task: { id: "t1", ...owner }, message: userMessage("m2"), digest: "d", now: 9, leaseEndsAt: 99 };
  expect(await bench.store.appendMessage(answer)).toBe(true);
  expect(await bench.store.appendMessage(answer)).toBe(false);
  await bench.store.appendFromSource(fromSource("t1", 1, status("TASK_STATE_FAILED")));
  await bench.store.appendFromSource({ ...fromSource("t1", 2, chunk("old")), connectSeq: 0 });
  const cancel = { taskId: "t1", from: ["TASK_STATE_WORKING"] as const, event: status("TASK_STATE_CANCELED"), now: 10 };
  expect(await bench.store.appendStatus(cancel)).toBe(true);
  expect(await bench.store.appendStatus(cancel)).toBe(false);
  expect(await settleAll()).toEqual([2, 3, 4]);
});

it("what is due goes to one of many that claim it, and again to somebody when that one says nothing", async () => {
  for (const id of ["c2", "c3"])
    await bench.store.savePushConfig(owner, { ...webhook, id }, { perTask: 9, perTenant: 9 });
  await bench.store.appendFromSource(fromSource("t1", 1, status("TASK_STATE_WORKING")));
  const others = Array.from({ length: 8 }, () => createLibsqlTasks(bench.database));
  const claimed = (await Promise.all(others.map((store) => store.claimPushes(3_000, 4_000, 2)))).flat();
  expect(claimed.map(({ config, attempt }) => [config.id, attempt]).sort()).toEqual([
    ["c1", 1],
    ["c2", 1],
    ["c3", 1],
  ]);
  expect(await bench.store.claimPushes(3_999, 5_000, 10)).toEqual([]);
  const again = await bench.store.claimPushes(4_000, 5_000, 10);
  expect(again.map(({ attempt }) => attempt)).toEqual([2, 2, 2]);
  // Whoever was too slow puts nothing off any more.
  for (const late of claimed) await bench.store.postponePush(late, 3_000);
  expect(await bench.store.claimPushes(4_999, 6_000, 10)).toEqual([]);
});

it("the next due time is that of the oldest each webhook still has to hear, not of those that wait behind it", async () => {
  const leaseless = { leaseEndsAt: null, expiresAt: null };
  await bench.store.appendFromSource({ ...fromSource("t1", 1, status("TASK_STATE_WORKING")), ...leaseless });
  await bench.store.appendFromSource({ ...fromSource("t1", 2, chunk("a")), ...leaseless });
  expect(await bench.store.nextDueAt()).toBe(2_001);
  const [first] = (await bench.store.claimPushes(2_001, 4_000, 10)) as [PushDelivery];
  expect(await bench.store.nextDueAt()).toBe(4_000);
  await bench.store.postponePush(first, 9_000);
  expect(await bench.store.nextDueAt()).toBe(9_000);
  await settleAll();
  expect(await bench.store.nextDueAt()).toBeNull();
});
