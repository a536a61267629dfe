import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TaskStart, ToDeviceAgent } from "../../../shared/link/messages.ts";
import type { TaskEvent } from "../../../shared/tasks/task-event.ts";
import type { FakeDeviceAgent } from "../support/fake-device-agent.ts";
import { connectReady, until } from "../support/ready.ts";
import { startTestGateway, type TestGateway } from "../support/start-test-gateway.ts";
import { bindings, opened } from "./support/bindings.ts";
import { stranger, words } from "./support/start.ts";

/** The gateway's own Tasks, in its own store, and a device agent that does what the test says. */
let gateway: TestGateway;
let deviceAgent: FakeDeviceAgent;
let numbers: Map<string, number>;

beforeEach(async () => {
  numbers = new Map();
  gateway = await startTestGateway({ tokens: [stranger] });
  deviceAgent = await connect(1);
});
afterEach(async () => {
  deviceAgent.close();
  await gateway.stop();
});

const connect = (connectSeq: number) =>
  connectReady(gateway, {
    connectSeq,
    onMessage(message, agent) {
      if (message.type === "task_start") agent.send({ type: "task_accepted", taskId: message.taskId });
      if (message.type === "task_cancel") {
        tell(message.taskId, status("TASK_STATE_CANCELED", "The step was finished."), agent);
      }
    },
  });
const received = <T extends ToDeviceAgent["type"]>(type: T) =>
  deviceAgent.received.filter((message): message is Extract<ToDeviceAgent, { type: T }> => message.type === type);
const started = async (count: number): Promise<TaskStart> => {
  await until(() => received("task_start").length >= count);
  return received("task_start")[count - 1] as TaskStart;
};
const tell = (taskId: string, event: TaskEvent, agent = deviceAgent) => {
  const sourceSeq = (numbers.get(taskId) ?? 0) + 1;
  numbers.set(taskId, sourceSeq);
  agent.send({ type: "task_event", taskId, sourceSeq, event });
};
const status = (state: Extract<TaskEvent, { kind: "status" }>["state"], text?: string): TaskEvent => ({
  kind: "status",
  state,
  ...(text === undefined
    ? {}
    : { message: { messageId: `said-${text}`, role: "ROLE_AGENT" as const, parts: [{ text }] } }),
});
const artifact = (data: Record<string, string>): TaskEvent => ({
  kind: "artifact",
  artifact: { artifactId: "result", parts: [{ data }] },
  append: false,
  lastChunk: true,
});
const steps = () => words("", { parts: [{ data: { steps: [{ tool: "take_screenshot" }] } }] });

describe.each(bindings)("a Task of the gateway by $name", (binding) => {
  const call = (method: string, params: object = {}, options = {}) =>
    binding.call(gateway.url, method, params, options);

  it("reaches the device agent, and its result reaches whoever waits", async () => {
    const message = steps();
    const reply = call("SendMessage", { message });
    const { taskId, skill, message: handed } = await started(1);
    expect([skill, handed.messageId]).toEqual(["steps", message.messageId]);
    tell(taskId, status("TASK_STATE_WORKING"));
    tell(taskId, artifact({ answer: "42" }));
    tell(taskId, status("TASK_STATE_COMPLETED", "Done"));
    const { task } = (await reply).result;
    expect(task).toMatchObject({ id: taskId, status: { state: "TASK_STATE_COMPLETED" } });
    expect(task.artifacts[0].parts[0].data).toEqual({ answer: "42" });
    expect((await call("GetTask", { id: taskId })).result).toEqual(task);
  });

  it("is one, however often its message comes, and another message needs another id", async () => {
    const message = words("open notes");
    const configuration = { returnImmediately: true };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => call("SendMessage", { message, configuration })),
    );
    expect(new Set(replies.map(({ result }) => result.task.id)).size).toBe(1);
    const { error } = await call("SendMessage", { message: { ...message, parts: [{ text: "else" }] }, configuration });
    expect(error?.reason).toBe("INVALID_PARAMS");
    expect((await call("ListTasks")).result.totalSize).toBe(1);
  });

  it("streams the same to all, and what a client missed once it is back", async () => {
    const stream = await opened(binding, gateway.url, "SendStreamingMessage", { message: steps() });
    const first = await stream.next();
    const { taskId: id } = await started(1);
    expect(first?.item.task.id).toBe(id);
    tell(id, status("TASK_STATE_WORKING", "one"));
    const second = await stream.next();
    await stream.events.close();
    tell(id, artifact({ a: "b" }));
    await until(async () => (await call("GetTask", { id })).result.artifacts?.length === 1);
    const headers = { "last-event-id": second?.id ?? "" };
    const resumed = await opened(binding, gateway.url, "SubscribeToTask", { id }, { headers });
    tell(id, status("TASK_STATE_COMPLETED", "two"));
    const frames = await resumed.rest();
    const seq = Number(second?.id);
    expect(frames.map((frame) => Number(frame.id))).toEqual([seq, seq + 1, seq + 2, seq + 2]);
    expect(frames.map(({ item }) => Object.keys(item)[0])).toEqual(["task", "artifactUpdate", "statusUpdate", "task"]);
    const again = await opened(binding, gateway.url, "SubscribeToTask", { id }, { headers });
    expect(await again.rest()).toEqual(frames);
    const seen = await binding.open(
      gateway.url,
      "SubscribeToTask",
      { id },
      { headers: { "last-event-id": String(seq + 2) } },
    );
    expect("error" in seen && seen.error?.reason).toBe("UNSUPPORTED_OPERATION");
  });

  it("asks, is answered, and goes on", async () => {
    const reply = call("SendMessage", { message: words("call home") });
    const { taskId } = await started(1);
    tell(taskId, status("TASK_STATE_INPUT_REQUIRED", "Which number?"));
    expect((await reply).result.task.status).toMatchObject({ state: "TASK_STATE_INPUT_REQUIRED" });
    const answer = call("SendMessage", { message: words("the second", { taskId }) });
    await until(() => received("task_message").length === 1);
    tell(taskId, status("TASK_STATE_COMPLETED"));
    const { task } = (await answer).result;
    expect(task.status.state).toBe("TASK_STATE_COMPLETED");
    const said = (role: string) =>
      task.history.flatMap((one: { role: string; parts: [{ text: string }] }) =>
        one.role === role ? [one.parts[0].text] : [],
      );
    expect(said("ROLE_USER")).toEqual(["call home", "the second"]);
    expect(said("ROLE_AGENT")).toEqual(["Which number?"]);
    const { error } = await call("SendMessage", { message: words("more", { taskId }) });
    expect(error?.reason).toBe("UNSUPPORTED_OPERATION");
  });

  it("is canceled by the device agent, and says what became of it", async () => {
    const { result } = await call("SendMessage", { message: words("go"), configuration: { returnImmediately: true } });
    await started(1);
    tell(result.task.id, status("TASK_STATE_WORKING"));
    const { id } = result.task;
    await until(async () => (await call("GetTask", { id })).result.status.state === "TASK_STATE_WORKING");
    const canceled = (await call("CancelTask", { id })).result;
    expect(canceled.status).toMatchObject({ state: "TASK_STATE_CANCELED" });
    expect((await call("CancelTask", { id })).result.status.state).toBe("TASK_STATE_CANCELED");
  });

  it("is nobody else's, and lists page by page from the newest", async () => {
    const ids: string[] = [];
    for (let number = 0; number < 5; number++) {
      const params = { message: words(`go ${number}`), configuration: { returnImmediately: true } };
      ids.unshift((await call("SendMessage", params)).result.task.id);
    }
    const listed: string[] = [];
    let pageToken: string | undefined;
    do {
      const { result } = await call("ListTasks", { pageSize: 2, ...(pageToken ? { pageToken } : {}) });
      expect(result.totalSize).toBe(5);
      for (const task of result.tasks) {
        expect(task).not.toHaveProperty("artifacts");
        listed.push(task.id);
      }
      pageToken = result.nextPageToken;
    } while (pageToken);
    expect([...listed].sort()).toEqual([...ids].sort());
    expect((await call("ListTasks", { pageToken: "garbage" })).error?.reason).toBe("INVALID_PARAMS");
    const asStranger = { token: stranger.token };
    expect((await call("ListTasks", {}, asStranger)).result.totalSize).toBe(0);
    expect((await call("GetTask", { id: ids[0] }, asStranger)).error?.reason).toBe("TASK_NOT_FOUND");
    expect((await call("CancelTask", { id: ids[0] }, asStranger)).error?.reason).toBe("TASK_NOT_FOUND");
  });

  it("keeps its webhooks, and none that leads inside", async () => {
    const { result } = await call("SendMessage", { message: words("go"), configuration: { returnImmediately: true } });
    const taskId = result.task.id;
    const made = await call("CreateTaskPushNotificationConfig", { taskId, url: "https://hooks.example/a" });
    expect(made.result.id).toMatch(/./);
    const { configs } = (await call("ListTaskPushNotificationConfigs", { taskId })).result;
    expect(configs).toEqual([made.result]);
    const inside = await call("CreateTaskPushNotificationConfig", { taskId, url: "https://169.254.169.254/" });
    expect(inside.error?.reason).toBe("INVALID_PARAMS");
  });

  it("is not begun by what cannot be: a step that is none, a device that there is not", async () => {
    const parts = [{ data: { steps: [{ tool: "no_such_tool" }] } }];
    expect((await call("SendMessage", { message: words("", { parts }) })).error?.reason).toBe("INVALID_PARAMS");
    const nowhere = words("go", { metadata: { device: "nobody" } });
    expect((await call("SendMessage", { message: nowhere })).error?.reason).toBe("DEVICE_NOT_FOUND");
    const danger = words("", { parts: [{ data: { steps: [{ tool: "reboot" }] } }] });
    const { status: http, error } = await call("SendMessage", { message: danger }, { token: stranger.token });
    expect([http, error?.reason]).toEqual([403, "PERMISSION_DENIED"]);
    expect((await call("ListTasks")).result.totalSize).toBe(0);
  });
});
