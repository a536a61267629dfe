import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../../shared/limits.ts";
import type { Message } from "../../../shared/tasks/message.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { listedDevices, until } from "../support/ready.ts";
import { startTestGateway, type TestGateway, tokenFor } from "../support/start-test-gateway.ts";
import {
  a2a,
  begin,
  callTool,
  connectTaskAgent,
  getTask,
  inState,
  status,
  stepsParts,
  type TaskAgent,
} from "./support/task-calls.ts";

let dataDir: string;
let gateway: TestGateway;
const agents: TaskAgent[] = [];
const other = tokenFor("other", ["task:run", "screen:read"]);
const reader = tokenFor("reader", ["task:run"]);

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "farhand-tasks-"));
  gateway = await startTestGateway({ dataDir, tokens: [other, reader] });
});
afterEach(async () => {
  for (const { link } of agents.splice(0)) link.close();
  await gateway.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const connect = async (options: Parameters<typeof connectTaskAgent>[1] = {}) => {
  const agent = await connectTaskAgent(gateway, options);
  agents.push(agent);
  return agent;
};
const startedBy = async (agent: TaskAgent, id: string) => {
  await until(() => agent.started().some(({ taskId }) => taskId === id));
  return agent.started().find(({ taskId }) => taskId === id);
};

describe("a Task", () => {
  it("goes to its device agent, and what that tells is what its client reads", async () => {
    const agent = await connect();
    const { id, contextId, status: first } = await begin(gateway, "m1");
    expect(first.state).toBe("TASK_STATE_SUBMITTED");
    expect(await startedBy(agent, id)).toMatchObject({
      contextId,
      device: "serial-1",
      skill: "steps",
      principal: { tenant: "default", subject: "owner" },
      message: { messageId: "m1", taskId: id, contextId, parts: stepsParts },
    });
    agent.accept(id);
    agent.tell(id, 1, status("TASK_STATE_WORKING", "Step 1 of 1"));
    agent.tell(id, 2, {
      kind: "artifact",
      artifact: { artifactId: "picture-1", parts: [{ raw: "aGVsbG8=", mediaType: "image/jpeg" }] },
      append: false,
      lastChunk: true,
    });
    const result = { artifactId: "result", parts: [{ data: { succeeded: 1 } }] };
    agent.tell(id, 3, { kind: "artifact", artifact: result, append: false, lastChunk: true });
    agent.tell(id, 4, status("TASK_STATE_COMPLETED", "Done."));
    expect(await agent.acked(id, 4)).toBe("TASK_STATE_COMPLETED");
    const task = await getTask(gateway, id);
    expect(task.artifacts.map(({ artifactId }: { artifactId: string }) => artifactId)).toEqual(["result", "picture-1"]);
    expect(task.artifacts[0].parts[0].data).toEqual({ succeeded: 1 });
    expect(task.history.map(({ role }: { role: string }) => role)).toEqual(["ROLE_USER", "ROLE_AGENT"]);
    expect(task.status.message.parts[0].text).toBe("Done.");
  });

  it("waits for a phone whose device agent is away, and is handed over when it comes back", async () => {
    const before = await connect();
    before.link.close();
    await before.link.closed;
    const { id } = await begin(gateway, "m1");
    const { id: second } = await begin(gateway, "m2");
    const agent = await connect({ connectSeq: 2 });
    await startedBy(agent, second);
    expect(agent.started().map(({ taskId }) => taskId)).toEqual([id, second]);
  });

  it("is made once of twenty equal messages at a time, and another body under the same id is refused", async () => {
    await connect();
    const all = await Promise.all(Array.from({ length: 20 }, () => begin(gateway, "same")));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    await expect(begin(gateway, "same", { parts: [{ data: { steps: [{ tool: "wake" }] } }] })).rejects.toThrow(
      "-32602: This messageId was used for another message.",
    );
  });

  it("is refused beyond sixteen that are not over, and the error names the limit", async () => {
    await connect();
    for (let n = 0; n < limits.activeTasksPerDeviceAgent; n++) await begin(gateway, `m${n}`);
    await expect(begin(gateway, "one more")).rejects.toThrow("already has 16 Tasks");
  });

  it("that the device agent refuses is REJECTED, in its words", async () => {
    const agent = await connect();
    const { id } = await begin(gateway, "m1");
    await startedBy(agent, id);
    const error = { code: "rate_limited" as const, message: "Too many Tasks.", hint: "Wait a moment." };
    agent.link.send({ type: "task_refused", taskId: id, error });
    const task = await inState(gateway, id, "TASK_STATE_REJECTED");
    expect(task.status.message.parts[0].text).toBe("Too many Tasks. Wait a moment.");
  });

  it.each([
    ["no steps", { parts: [{ data: { steps: [] } }] }],
    ["an unknown tool", { parts: [{ data: { steps: [{ tool: "levitate" }] } }] }],
    ["arguments that do not fit", { parts: [{ data: { steps: [{ tool: "tap", arguments: { x: "here" } }] } }] }],
    ["steps within steps", { parts: [{ data: { steps: [{ tool: "run_steps", arguments: { steps: [] } }] } }] }],
    ["another device per step", { parts: [{ data: { steps: [{ tool: "wake", arguments: { device: "x" } }] } }] }],
    ["an unknown skill", { metadata: { skill: "fly" } }],
  ])("with %s is refused, and no Task is made", async (_, message) => {
    await connect();
    await expect(begin(gateway, "m1", message)).rejects.toThrow("-32602");
    expect((await a2a(gateway, "ListTasks", {})).totalSize).toBe(0);
  });

  it("needs its creator's own permission for each of its steps", async () => {
    await connect();
    await expect(begin(gateway, "m1", {}, reader.token)).rejects.toThrow("screen:read, which take_screenshot needs");
    await expect(
      begin(gateway, "m2", { parts: [{ data: { steps: [{ tool: "wake" }] } }] }, other.token),
    ).rejects.toThrow("screen:write");
  });

  it("shows at its phone while it works on it", async () => {
    const agent = await connect();
    agent.link.report([{ runningTask: "task_at_work" }]);
    await until(async () => (await listedDevices(gateway))[0]?.running_task === "task_at_work");
    agent.link.report([{}]);
    await until(async () => (await listedDevices(gateway))[0]?.running_task === undefined);
  });

  it("of somebody else does not exist: the same answer as for one that never was", async () => {
    await connect();
    const { id } = await begin(gateway, "m1");
    for (const [method, more] of [
      ["GetTask", {}],
      ["CancelTask", {}],
      ["SubscribeToTask", {}],
    ] as const) {
      const told = await Promise.all(
        [id, "task_never"].map((one) => a2a(gateway, method, { id: one, ...more }, other.token).catch(String)),
      );
      expect(told[0], method).toBe(told[1]);
      expect(told[0], method).toContain("-32001");
    }
    expect((await a2a(gateway, "ListTasks", {}, other.token)).totalSize).toBe(0);
  });

  it("keeps no token that is in force here, wherever it stood", async () => {
    const agent = await connect();
    const { id } = await begin(gateway, "m1", {
      parts: [...stepsParts, { text: `the token is ${other.token}` }],
    });
    await startedBy(agent, id);
    agent.tell(id, 1, status("TASK_STATE_WORKING", "Authorization: Bearer abcdefghijklmnopqrstuvwxyz"));
    await agent.acked(id, 1);
    const text = JSON.stringify(await getTask(gateway, id));
    expect(text).toContain("the token is [redacted]");
    expect(text).not.toContain(other.token);
    expect(text).not.toContain("abcdefghijklmnop");
  });
});

describe("what does not fit is inert", () => {
  it("repeated, early, after the end, and from a device agent that it is not for", async () => {
    const agent = await connect();
    const stranger = await connect({ installId: "install-of-a-stranger", devices: [{ key: "s2", name: "Other" }] });
    const { id } = await begin(gateway, "m1", { metadata: { device: "Pixel" } });
    await startedBy(agent, id);
    stranger.tell(id, 1, status("TASK_STATE_FAILED"));
    await until(() => stranger.of("task_leases").some(({ ended }) => ended.includes(id)));
    agent.tell(id, 2, status("TASK_STATE_FAILED"));
    agent.tell(id, 1, status("TASK_STATE_WORKING"));
    agent.tell(id, 1, status("TASK_STATE_WORKING"));
    agent.tell(id, 2, status("TASK_STATE_COMPLETED"));
    expect(await agent.acked(id, 2)).toBe("TASK_STATE_COMPLETED");
    agent.tell(id, 3, status("TASK_STATE_FAILED"));
    await until(() => agent.of("task_ack").length === 5);
    expect(agent.of("task_ack").map(({ sourceSeq, state }) => `${sourceSeq} ${state}`)).toEqual([
      "0 TASK_STATE_SUBMITTED",
      "1 TASK_STATE_WORKING",
      "1 TASK_STATE_WORKING",
      "2 TASK_STATE_COMPLETED",
      "2 TASK_STATE_COMPLETED",
    ]);
    expect((await getTask(gateway, id)).status.state).toBe("TASK_STATE_COMPLETED");
  });

  it("an event of an older link, once a newer one is there", async () => {
    const old = await connect();
    const { id } = await begin(gateway, "m1");
    await startedBy(old, id);
    const agent = await connect({ connectSeq: 2, hello: { heldTasks: [id] } });
    old.tell(id, 1, status("TASK_STATE_FAILED"));
    agent.tell(id, 1, status("TASK_STATE_WORKING"));
    expect(await agent.acked(id, 1)).toBe("TASK_STATE_WORKING");
  });
});

describe("after a restart", () => {
  const restart = async () => {
    for (const { link } of agents.splice(0)) link.close();
    await gateway.stop();
    gateway = await startTestGateway({ dataDir, tokens: [other, reader] });
  };

  it("of the gateway a Task that is held goes on where it was", async () => {
    const before = await connect();
    const { id } = await begin(gateway, "m1");
    await startedBy(before, id);
    before.accept(id);
    before.tell(id, 1, status("TASK_STATE_WORKING", "before"));
    await before.acked(id, 1);
    await restart();
    const agent = await connect({ connectSeq: 2, hello: { heldTasks: [id] } });
    expect(agent.started()).toEqual([]);
    agent.tell(id, 2, status("TASK_STATE_COMPLETED", "after"));
    await agent.acked(id, 2);
    const said = (await getTask(gateway, id)).history.map((message: Message) => message.parts[0]?.text);
    expect(said).toEqual([undefined, "before"]);
  });

  it("of the device agent a Task that it no longer has FAILS, and one that it never took begins", async () => {
    const before = await connect();
    const { id: taken } = await begin(gateway, "m1");
    await startedBy(before, taken);
    before.accept(taken);
    before.tell(taken, 1, status("TASK_STATE_WORKING"));
    await before.acked(taken, 1);
    const { id: open } = await begin(gateway, "m2");
    await startedBy(before, open);
    const agent = await connect({ connectSeq: 2, bootId: "boot-0002" });
    await startedBy(agent, open);
    const lost = await inState(gateway, taken, "TASK_STATE_FAILED");
    expect(lost.status.message.parts[0].text).toBe("The device agent restarted and no longer has this Task.");
  });

  it("a device agent hears which of the Tasks that it holds are over", async () => {
    const agent = await connect({ hello: { heldTasks: ["task_of_long_ago"] } });
    await until(() => agent.of("task_leases").some(({ ended }) => ended.includes("task_of_long_ago")));
  });

  it("an answer that was given meanwhile is handed over once, and again if it may have been lost", async () => {
    const before = await connect();
    const { id, contextId } = await begin(gateway, "m1");
    await startedBy(before, id);
    before.tell(id, 1, status("TASK_STATE_INPUT_REQUIRED", "Which one?"));
    await before.acked(id, 1);
    before.link.close();
    await before.link.closed;
    const answer = { taskId: id, contextId, parts: [{ text: "the first" }] };
    expect((await begin(gateway, "m2", answer)).status.state).toBe("TASK_STATE_WORKING");
    const agent = await connect({ connectSeq: 2, hello: { heldTasks: [id] } });
    await until(() => agent.of("task_message").length === 1);
    expect(agent.of("task_message")[0]?.message).toMatchObject({ messageId: "m2", parts: [{ text: "the first" }] });
    agent.tell(id, 2, status("TASK_STATE_WORKING", "thanks"));
    await agent.acked(id, 2);
    const later = await connect({ connectSeq: 3, hello: { heldTasks: [id] } });
    later.tell(id, 3, status("TASK_STATE_COMPLETED"));
    await later.acked(id, 3);
    expect(later.of("task_message")).toEqual([]);
    const said = (await getTask(gateway, id)).history.map((message: Message) => message.parts[0]?.text);
    expect(said).toEqual([undefined, "Which one?", "the first", "thanks"]);
  });
});

describe("canceling", () => {
  it("ends a Task at once that nobody took yet", async () => {
    const agent = await connect();
    agent.link.close();
    await agent.link.closed;
    const { id } = await begin(gateway, "m1");
    const task = await a2a(gateway, "CancelTask", { id });
    expect(task.status).toMatchObject({ state: "TASK_STATE_CANCELED" });
    expect((await a2a(gateway, "CancelTask", { id })).status.state).toBe("TASK_STATE_CANCELED");
    const next = await connect({ connectSeq: 2 });
    expect(next.started()).toEqual([]);
  });

  it("asks the device agent, and answers when that has ended it", async () => {
    const agent = await connect();
    const { id } = await begin(gateway, "m1");
    await startedBy(agent, id);
    agent.accept(id);
    agent.tell(id, 1, status("TASK_STATE_WORKING"));
    await agent.acked(id, 1);
    const canceling = a2a(gateway, "CancelTask", { id });
    await agent.link.next("task_cancel");
    agent.tell(id, 2, status("TASK_STATE_CANCELED", "Canceled after step 1; it is not undone."));
    expect((await canceling).status.message.parts[0].text).toBe("Canceled after step 1; it is not undone.");
  });

  it("is refused for a Task that is over otherwise", async () => {
    const agent = await connect();
    const { id } = await begin(gateway, "m1");
    await startedBy(agent, id);
    agent.tell(id, 1, status("TASK_STATE_COMPLETED"));
    await agent.acked(id, 1);
    await expect(a2a(gateway, "CancelTask", { id })).rejects.toThrow("-32002");
  });
});

describe("by MCP", () => {
  it("ask answers with the Task once it is over, and get_task tells the same", async () => {
    const agent = await connect();
    const asked = callTool(gateway, "ask", { steps: [{ tool: "take_screenshot" }] });
    const start = await agent.link.next("task_start");
    agent.tell(start.taskId, 1, status("TASK_STATE_WORKING"));
    const result = { artifactId: "result", parts: [{ data: { succeeded: 1 } }] };
    agent.tell(start.taskId, 2, { kind: "artifact", artifact: result, append: false, lastChunk: true });
    agent.tell(start.taskId, 3, status("TASK_STATE_COMPLETED", "Done."));
    const told = await asked;
    expect(told).toEqual({
      ok: true,
      task: {
        id: start.taskId,
        context_id: start.contextId,
        state: "TASK_STATE_COMPLETED",
        message: "Done.",
        result: { succeeded: 1 },
      },
    });
    expect(await callTool(gateway, "get_task", { task_id: start.taskId })).toEqual(told);
    expect(await callTool(gateway, "cancel_task", { task_id: start.taskId })).toMatchObject({
      code: "task_not_cancelable",
    });
  });

  it("work that took too long as one call is told to be asked for as a Task", async () => {
    const error = { code: "deadline_exceeded" as const, message: "Time ran out.", hint: "Look." };
    await connect({ onCall: ({ id }, agent) => agent.send({ type: "error", id, error }) });
    const args = { apks: ["/data/local/tmp/a.apk"] };
    expect((await callTool(gateway, "install_app", args)).hint).toContain("ask with it as a step");
    expect((await callTool(gateway, "wake", {})).hint).toBe("Look.");
  });

  it("ask wants words or steps, and one of them only", async () => {
    await connect();
    for (const args of [{}, { message: "look", steps: [{ tool: "wake" }] }]) {
      expect(await callTool(gateway, "ask", args)).toMatchObject({ code: "invalid_argument" });
    }
    expect(await callTool(gateway, "get_task", { task_id: "task_never" })).toMatchObject({ code: "task_not_found" });
  });
});

describe("time", () => {
  let clock: ManualClock;
  beforeEach(async () => {
    await gateway.stop();
    clock = createManualClock(Date.now());
    gateway = await startTestGateway({ dataDir, clock, tokens: [other] });
  });
  const passUntil = async (id: string, state: "TASK_STATE_FAILED" | "TASK_STATE_CANCELED") => {
    let task = await getTask(gateway, id);
    await until(async () => {
      await clock.advance(10_000);
      task = await getTask(gateway, id);
      return task.status.state === state;
    });
    return task;
  };

  it("ends a Task whose phone does not come back within a quarter of an hour", async () => {
    const agent = await connect();
    agent.link.close();
    await agent.link.closed;
    const { id } = await begin(gateway, "m1");
    const task = await passUntil(id, "TASK_STATE_FAILED");
    expect(task.status.message.parts[0].text).toContain("waited too long");
  });

  it("ends a Task whose device agent is not heard of, and one that asked in vain", async () => {
    const agent = await connect();
    const { id } = await begin(gateway, "m1");
    const { id: asking } = await begin(gateway, "m2");
    await startedBy(agent, asking);
    agent.tell(id, 1, status("TASK_STATE_WORKING"));
    agent.tell(asking, 1, status("TASK_STATE_INPUT_REQUIRED"));
    await agent.acked(asking, 1);
    const lost = await passUntil(id, "TASK_STATE_FAILED");
    expect(lost.status.message.parts[0].text).toContain("not heard of");
    expect((await getTask(gateway, asking)).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const unanswered = await passUntil(asking, "TASK_STATE_FAILED");
    expect(unanswered.status.message.parts[0].text).toContain("not answered in time");
  });

  it("prolongs what its device agent says is alive", async () => {
    const agent = await connect();
    const { id } = await begin(gateway, "m1");
    await startedBy(agent, id);
    agent.tell(id, 1, status("TASK_STATE_WORKING"));
    await agent.acked(id, 1);
    for (let beat = 1; beat <= 6; beat++) {
      await clock.advance(25_000);
      agent.link.send({ type: "task_beat", taskIds: [id] });
      await until(() => agent.of("task_leases").filter(({ alive }) => alive.includes(id)).length === beat);
    }
    expect((await getTask(gateway, id)).status.state).toBe("TASK_STATE_WORKING");
  });
});
