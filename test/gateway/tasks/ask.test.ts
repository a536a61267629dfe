import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../../shared/limits.ts";
import type { TaskEvent } from "../../../shared/tasks/task-event.ts";
import { until } from "../support/ready.ts";
import { legacyCall, postModern, postRaw, toolError } from "../support/rpc.ts";
import { startTestGateway, type TestGateway } from "../support/start-test-gateway.ts";
import { a2a, callTool, connectTaskAgent, getTask, status, type TaskAgent } from "./support/task-calls.ts";

let dataDir: string;
let gateway: TestGateway;
let agent: TaskAgent;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "farhand-ask-"));
  gateway = await startTestGateway({ dataDir });
  agent = await connectTaskAgent(gateway);
});
afterEach(async () => {
  agent.link.close();
  await gateway.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const words = { message: "look" };
const started = async (count = 1) => {
  await until(() => agent.started().length >= count);
  return agent.started().at(-1)?.taskId ?? "";
};
const artifact = (artifactId: string, part: object, name?: string): TaskEvent => ({
  kind: "artifact",
  artifact: { artifactId, parts: [part as never], ...(name === undefined ? {} : { name }) },
  append: false,
  lastChunk: true,
});
/** The Task is over, with these Artifacts and words. */
const finish = async (id: string, artifacts: TaskEvent[], text = "Done.") => {
  for (const [index, event] of artifacts.entries()) agent.tell(id, index + 1, event);
  agent.tell(id, artifacts.length + 1, status("TASK_STATE_COMPLETED", text));
  await agent.acked(id, artifacts.length + 1);
};

describe("ask", () => {
  it("tells its client what the Task says meanwhile", async () => {
    const asked = postModern(gateway.mcp, "tools/call", {
      name: "ask",
      arguments: words,
      _meta: { progressToken: "p" },
    });
    const id = await started();
    agent.tell(id, 1, status("TASK_STATE_WORKING", "Looking"));
    agent.tell(id, 2, status("TASK_STATE_WORKING"));
    agent.tell(id, 3, status("TASK_STATE_WORKING", "Tapping"));
    agent.tell(id, 4, status("TASK_STATE_FAILED", "No way."));
    const { messages, message } = await asked;
    const told = messages.filter(({ method }) => method === "notifications/progress").map(({ params }) => params);
    expect(told.map((one) => one.message)).toEqual(["Looking", "Tapping", "No way."]);
    expect(told.map((one) => one.progress)).toEqual([1, 2, 3]);
    expect(message.result.structuredContent).toMatchObject({ ok: false, task: { id, message: "No way." } });
  });

  it("ends nothing when its client goes away", async () => {
    const gone = new AbortController();
    const asked = postModern(gateway.mcp, "tools/call", { name: "ask", arguments: words }, { signal: gone.signal });
    asked.catch(() => {});
    const id = await started();
    agent.tell(id, 1, status("TASK_STATE_WORKING"));
    await agent.acked(id, 1);
    gone.abort();
    await expect(asked).rejects.toThrow();
    agent.tell(id, 2, status("TASK_STATE_COMPLETED"));
    expect(await agent.acked(id, 2)).toBe("TASK_STATE_COMPLETED");
    expect(agent.of("task_cancel")).toEqual([]);
  });

  it("repeated under the same key is the same Task, and other words under it are refused", async () => {
    const ask = (message: string) =>
      postModern(gateway.mcp, "tools/call", {
        name: "ask",
        arguments: { message },
        _meta: { "farhand/idempotencyKey": "k" },
      });
    const asked = [ask("look"), ask("look")];
    await finish(await started(), []);
    const answers = await Promise.all([...asked, ask("look")]);
    const ids = answers.map(({ message }) => message.result.structuredContent.task.id);
    expect(new Set(ids).size).toBe(1);
    expect(toolError(await ask("something else"))).toMatchObject({ code: "invalid_argument" });
    expect((await a2a(gateway, "ListTasks", {})).totalSize).toBe(1);
  });

  it("answers what a Task asked, and goes on with its conversation", async () => {
    const asked = callTool(gateway, "ask", words);
    const id = await started();
    agent.tell(id, 1, status("TASK_STATE_INPUT_REQUIRED", "Which one?"));
    const { task } = await asked;
    expect(task).toMatchObject({ id, state: "TASK_STATE_INPUT_REQUIRED", message: "Which one?" });
    const answered = callTool(gateway, "ask", { message: "the first", task_id: id });
    expect(await agent.link.next("task_message")).toMatchObject({ message: { parts: [{ text: "the first" }] } });
    agent.tell(id, 2, status("TASK_STATE_COMPLETED"));
    expect((await answered).task).toMatchObject({ id, state: "TASK_STATE_COMPLETED" });
    const next = callTool(gateway, "ask", { message: "and now", context_id: task.context_id });
    const second = await started(2);
    await finish(second, []);
    expect((await next).task).toMatchObject({ id: second, context_id: task.context_id });
  });

  it("is answered with the Task as it is when the gateway stops, and the Task goes on", async () => {
    const asked = callTool(gateway, "ask", words);
    const id = await started();
    agent.tell(id, 1, status("TASK_STATE_WORKING", "at it"));
    await agent.acked(id, 1);
    await gateway.stop();
    expect(await asked).toMatchObject({ ok: true, task: { id, state: "TASK_STATE_WORKING", message: "at it" } });
    gateway = await startTestGateway({ dataDir });
    agent = await connectTaskAgent(gateway, { connectSeq: 2, hello: { heldTasks: [id] } });
    expect((await getTask(gateway, id)).status.state).toBe("TASK_STATE_WORKING");
  });
});

describe("what get_task tells", () => {
  const picture = (characters: number) => ({ raw: "A".repeat(characters), mediaType: "image/png" });
  const read = async (id: string) => {
    const answer = await postRaw(gateway.mcp, legacyCall("get_task", { task_id: id }));
    expect(Buffer.byteLength(answer.text)).toBeLessThan(limits.responseBytes);
    expect(answer.message.result.isError).not.toBe(true);
    const images = answer.message.result.content.filter(({ type }: { type: string }) => type === "image");
    return { task: answer.message.result.structuredContent.task, images };
  };
  const begin = async () => {
    void callTool(gateway, "ask", words).catch(() => {});
    return started();
  };

  it("is the last picture and the names of the other Artifacts", async () => {
    const id = await begin();
    await finish(id, [
      artifact("picture-1", { raw: "AAAA", mediaType: "image/jpeg" }, "Before"),
      artifact("picture-2", { raw: "AQID", mediaType: "image/png" }),
      artifact("log", { text: "long" }, "Tool calls"),
    ]);
    const { task, images } = await read(id);
    expect(task.artifacts).toEqual(["Before", "picture-2", "Tool calls"]);
    expect(images).toEqual([{ type: "image", data: "AQID", mimeType: "image/png" }]);
  });

  it("fits into one response, however much the Task has to say, in whatever script", async () => {
    const id = await begin();
    await finish(
      id,
      [
        artifact("result", { data: { answer: "\u{1F600}".repeat(30_000) } }),
        ...Array.from({ length: 60 }, (_, n) => artifact(`a${n}`, { text: "x" }, `\u0001"${"名".repeat(200)}`)),
        artifact("picture", picture(349_528)),
      ],
      `\u0001${"名".repeat(500_000)}`,
    );
    const { task, images } = await read(id);
    expect(task.result.answer).toHaveLength(60_000);
    expect(task.message.slice(0, 3) + task.message.slice(-2)).toBe("\u0001名名名…");
    expect(task.artifacts).toHaveLength(51);
    expect(task.artifacts.at(-1)).toBe("… 11 more");
    expect(images).toHaveLength(1);
  });

  it("says when the result or the picture is too large for it, and where the result is", async () => {
    const id = await begin();
    await finish(id, [artifact("result", { data: "名".repeat(60_000) }), artifact("picture", picture(400_000))]);
    const { task, images } = await read(id);
    expect(task).not.toHaveProperty("result");
    expect(task.result_left_out).toContain("GetTask");
    expect(images).toEqual([]);
    expect((await getTask(gateway, id)).artifacts[0].parts[0].data).toHaveLength(60_000);
  });

  it("waits for the end if it is to", async () => {
    const id = await begin();
    agent.tell(id, 1, status("TASK_STATE_WORKING"));
    await agent.acked(id, 1);
    expect((await callTool(gateway, "get_task", { task_id: id })).task.state).toBe("TASK_STATE_WORKING");
    const waiting = callTool(gateway, "get_task", { task_id: id, wait_seconds: 45 });
    agent.tell(id, 2, status("TASK_STATE_COMPLETED"));
    expect((await waiting).task.state).toBe("TASK_STATE_COMPLETED");
  });
});
