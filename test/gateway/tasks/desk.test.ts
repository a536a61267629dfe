import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Link } from "../../../gateway/relay/link.ts";
import { createExpiry } from "../../../gateway/tasks/sweep.ts";
import { createTaskDesk } from "../../../gateway/tasks/task-desk.ts";
import { limits } from "../../../shared/limits.ts";
import type { ToDeviceAgent } from "../../../shared/link/messages.ts";
import type { TaskEvent } from "../../../shared/tasks/task-event.ts";
import { chunk, status, userMessage } from "../store/support/task-entries.ts";
import { until } from "../support/ready.ts";
import { openStoreBench, principal, type Started, type StoreBench } from "./support/store-bench.ts";

let bench: StoreBench;
let gateway: Started;

beforeEach(async () => {
  bench = await openStoreBench();
  gateway = await bench.start();
});
afterEach(() => bench.remove());

const begin = async (messageId = "m1") => {
  const request = { message: userMessage(messageId), skill: "chat", device: undefined };
  return (await gateway.service.send(principal(), request)).id;
};
const noFiles = { register: () => Promise.reject(new Error("there is no file")) };
const desk = (store = gateway.store) => createTaskDesk({ ...gateway, store, files: noFiles });
/** Without waiting for the device agent. */
const cancel = async (id: string) => {
  let isDone = false;
  const canceling = gateway.service.cancel(principal(), id, 0).finally(() => {
    isDone = true;
  });
  await until(async () => {
    await gateway.clock.advance(0);
    return isDone;
  });
  return canceling;
};
const get = (id: string) => gateway.service.get(principal(), id);
const standsAt = async (id: string) => {
  const { status: now } = await get(id);
  return `${now.state} ${now.message?.parts[0]?.text ?? ""}`.trim();
};

function linkOf(heldTasks: string[] = [], connectSeq = 1, deviceAgentId = "da_1") {
  const sent: ToDeviceAgent[] = [];
  const hello = { connectSeq, heldTasks } as Link["hello"];
  const send = (message: ToDeviceAgent) => void sent.push(message);
  return { link: { deviceAgentId, tenant: "t", hello, send, bufferedBytes: () => 0, close() {} } satisfies Link, sent };
}
/** The device agent took it and told so much. */
const taken = async (id: string, ...events: TaskEvent[]) => {
  const { link, sent } = linkOf();
  await desk().receive(link, { type: "task_accepted", taskId: id });
  for (const [index, event] of events.entries()) {
    await desk().receive(link, { type: "task_event", taskId: id, sourceSeq: index + 1, event });
  }
  return { link, sent };
};
const expire = async (ms: number) => {
  await gateway.clock.advance(ms);
  await createExpiry(gateway)(gateway.clock.now());
};

describe("canceling", () => {
  it.each([
    ["waits for its turn", []],
    ["works", [status("TASK_STATE_WORKING")]],
    ["asks something", [status("TASK_STATE_INPUT_REQUIRED", "which?")]],
    ["waits for its owner", [status("TASK_STATE_AUTH_REQUIRED")]],
  ])("a Task that was taken and %s is left to its device agent", async (_, events) => {
    const id = await begin();
    const { link, sent } = await taken(id, ...events);
    expect((await cancel(id)).status.state).toBe(events[0]?.state ?? "TASK_STATE_SUBMITTED");
    expect(gateway.sent.at(-1)).toEqual({ type: "task_cancel", taskId: id });
    const event = status("TASK_STATE_CANCELED", "After step 1.");
    await desk().receive(link, { type: "task_event", taskId: id, sourceSeq: events.length + 1, event });
    expect(sent.at(-1)).toMatchObject({ type: "task_ack", state: "TASK_STATE_CANCELED" });
    expect(await standsAt(id)).toBe("TASK_STATE_CANCELED After step 1.");
    expect((await cancel(id)).status.state).toBe("TASK_STATE_CANCELED");
  });

  it("while there is no link reaches the device agent when it is back", async () => {
    const id = await begin();
    await taken(id, status("TASK_STATE_WORKING"));
    await cancel(id);
    const { link, sent } = linkOf([id]);
    await desk().linked(link);
    expect(sent).toEqual([{ type: "task_cancel", taskId: id }]);
  });

  it("ends CANCELED when the device agent is not heard of, or does not have the Task any more", async () => {
    const silent = await begin();
    const forgotten = await begin("m2");
    const failed = await begin("m3");
    for (const id of [silent, forgotten, failed]) await taken(id, status("TASK_STATE_WORKING"));
    for (const id of [silent, forgotten]) await cancel(id);
    await desk().linked(linkOf([silent, failed]).link);
    expect(await standsAt(forgotten)).toBe("TASK_STATE_CANCELED Canceled; the device agent restarted meanwhile.");
    await expire(limits.taskLeaseMs);
    expect(await standsAt(silent)).toContain("TASK_STATE_CANCELED Canceled; the device agent was not heard of");
    expect(await standsAt(silent)).toContain("What was done is not undone.");
    expect(await standsAt(failed)).toContain("TASK_STATE_FAILED The device agent was not heard of for too long");
  });

  it("at the same moment as the device agent takes it still ends it", async () => {
    const id = await begin();
    const { link, sent } = linkOf();
    await Promise.all([cancel(id), desk().receive(link, { type: "task_accepted", taskId: id })]);
    const told = [...gateway.sent, ...sent].map(({ type }) => type);
    const { state } = (await get(id)).status;
    expect(state === "TASK_STATE_CANCELED" || told.includes("task_cancel")).toBe(true);
    if (state === "TASK_STATE_CANCELED") {
      await desk().receive(link, { type: "task_event", taskId: id, sourceSeq: 1, event: status("TASK_STATE_WORKING") });
      expect(sent.at(-1)).toMatchObject({ type: "task_ack", state });
    }
  });
});

describe("waiting too long", () => {
  it("ends a Task once, though every instance looks after it at the same time", async () => {
    const id = await begin();
    await gateway.clock.advance(limits.taskWaitMs);
    await Promise.all(Array.from({ length: 5 }, () => createExpiry(gateway)(gateway.clock.now())));
    expect(await standsAt(id)).toContain("TASK_STATE_FAILED The Task waited too long for its phone");
    expect(await gateway.store.events(id, 0, 100)).toHaveLength(2);
  });

  it("for an answer gives the phone back, and an Artifact that came late does not hold it", async () => {
    const id = await begin();
    await taken(id, status("TASK_STATE_INPUT_REQUIRED", "which?"), chunk("late"));
    await expire(limits.taskAnswerMs - 1);
    expect(await standsAt(id)).toBe("TASK_STATE_INPUT_REQUIRED which?");
    await expire(1);
    expect(await standsAt(id)).toBe("TASK_STATE_FAILED What the Task asked was not answered in time.");
    expect(gateway.sent.at(-1)).toMatchObject({ type: "task_leases", alive: [], ended: [id] });
  });

  it("is not what a Task does that was heard of in time", async () => {
    const id = await begin();
    const { link, sent } = await taken(id, status("TASK_STATE_WORKING"));
    for (let n = 0; n < 20; n++) {
      await expire(limits.taskLeaseMs - 1);
      await desk().receive(link, { type: "task_beat", taskIds: [id] });
      expect(sent.at(-1)).toMatchObject({ type: "task_leases", alive: [id], ended: [] });
    }
  });
});

describe("a device agent", () => {
  it("on an older link is told nothing of Tasks that a newer link has, and changes nothing", async () => {
    const id = await begin();
    await taken(id, status("TASK_STATE_WORKING"), chunk("2"));
    const { link: stale, sent } = linkOf([id], 0);
    await desk().receive(stale, { type: "task_beat", taskIds: [id, "task_never"] });
    expect(sent).toEqual([{ type: "task_leases", alive: [], ended: ["task_never"], leaseMs: limits.taskLeaseMs }]);
    await desk().receive(stale, { type: "task_event", taskId: id, sourceSeq: 3, event: status("TASK_STATE_FAILED") });
    expect(sent.at(-1)).toMatchObject({ type: "task_ack", sourceSeq: 2, state: "TASK_STATE_WORKING" });
  });

  it("gets no acknowledgement for what could not be stored, and one when it sends it again", async () => {
    const id = await begin();
    const { link, sent } = linkOf();
    const event = { type: "task_event", taskId: id, sourceSeq: 1, event: status("TASK_STATE_WORKING") } as const;
    const broken = { ...gateway.store, appendFromSource: () => Promise.reject(new Error("disk full")) };
    await expect(desk(broken).receive(link, event)).rejects.toThrow("disk full");
    expect(sent).toEqual([]);
    await desk().receive(link, event);
    expect(sent).toMatchObject([{ type: "task_ack", sourceSeq: 1, state: "TASK_STATE_WORKING" }]);
  });

  it("whose Task gets larger than a document may be hears that it is over", async () => {
    const id = await begin();
    const { link, sent } = await taken(id, status("TASK_STATE_WORKING"));
    const large = chunk("a".repeat(limits.taskDocumentBytes));
    await desk().receive(link, { type: "task_event", taskId: id, sourceSeq: 2, event: large });
    expect(sent.at(-1)).toMatchObject({ type: "task_ack", sourceSeq: 1, state: "TASK_STATE_FAILED" });
    expect(await standsAt(id)).toContain(`over ${limits.taskDocumentBytes} bytes`);
  });

  it("that is somebody else's takes, refuses and ends nothing", async () => {
    const id = await begin();
    const { link, sent } = linkOf([id], 1, "da_stranger");
    await desk().linked(link);
    const error = { code: "internal" as const, message: "no", hint: "no" };
    await desk().receive(link, { type: "task_accepted", taskId: id });
    await desk().receive(link, { type: "task_refused", taskId: id, error });
    await desk().receive(link, { type: "task_event", taskId: id, sourceSeq: 1, event: status("TASK_STATE_FAILED") });
    await desk().receive(link, { type: "task_beat", taskIds: [id] });
    expect(sent.map((message) => message.type === "task_leases" && message.ended)).toEqual(Array(5).fill([id]));
    expect(await gateway.store.findForGateway(id)).toMatchObject({ state: "TASK_STATE_SUBMITTED", accepted: false });
  });
});
