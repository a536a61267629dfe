import { Role, TaskState } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { TaskNotCancelableError, TaskNotFoundError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../support/ready.ts";
import { ownerToken } from "../support/start-test-gateway.ts";
import { type A2aGateway, startA2a } from "./support/start.ts";

let gateway: A2aGateway;
beforeAll(async () => {
  gateway = await startA2a();
});
afterAll(() => gateway.stop());

const authorized: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set("authorization", `Bearer ${ownerToken}`);
  return fetch(input, { ...init, headers });
};
const transports = {
  JSONRPC: new JsonRpcTransportFactory({ fetchImpl: authorized }),
  "HTTP+JSON": new RestTransportFactory({ fetchImpl: authorized }),
};

let count = 0;
const message = (text: string, taskId = "") => ({
  messageId: `sdk-${++count}`,
  contextId: "",
  taskId,
  role: Role.ROLE_USER,
  parts: [
    { content: { $case: "text" as const, value: text }, metadata: undefined, filename: "", mediaType: "text/plain" },
  ],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});
const configuration = (returnImmediately: boolean) => ({
  acceptedOutputModes: ["text/plain"],
  taskPushNotificationConfig: undefined,
  historyLength: undefined,
  returnImmediately,
});
const request = (text: string, returnImmediately = true, taskId = "") => ({
  tenant: "",
  message: message(text, taskId),
  configuration: configuration(returnImmediately),
  metadata: undefined,
});

describe.each(["JSONRPC", "HTTP+JSON"] as const)("the official client by %s", (protocol) => {
  let client: Client;
  beforeAll(async () => {
    const factory = new ClientFactory(
      ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
        transports: Object.values(transports),
        preferredTransports: [protocol],
      }),
    );
    client = await factory.createFromUrl(gateway.url);
  });
  const begin = async () => {
    const answer = await client.sendMessage(request("go"));
    if (!("status" in answer)) throw new Error("A message in place of a Task.");
    return answer;
  };

  it("begins a Task and waits for its end", async () => {
    const before = gateway.tasks.sent.length;
    const answer = client.sendMessage(request("go", false));
    await until(() => gateway.tasks.sent.length > before);
    const { tasks } = await client.listTasks({
      tenant: "",
      contextId: "",
      status: TaskState.TASK_STATE_SUBMITTED,
      pageSize: 100,
      pageToken: "",
      historyLength: undefined,
      statusTimestampAfter: undefined,
      includeArtifacts: undefined,
    });
    const id = tasks.at(-1)?.id ?? "";
    gateway.tasks.give(id, { artifactId: "result", parts: [{ data: { ok: true } }] });
    gateway.tasks.tell(id, "TASK_STATE_COMPLETED", "Done");
    const task = await answer;
    expect(task).toMatchObject({ id, status: { state: TaskState.TASK_STATE_COMPLETED } });
    expect("artifacts" in task && task.artifacts[0]?.parts[0]?.content).toEqual({ $case: "data", value: { ok: true } });
  });

  it("reads and cancels a Task, and knows our errors", async () => {
    const { id } = await begin();
    const get = (id: string) => client.getTask({ tenant: "", id, historyLength: 1 });
    expect(await get(id)).toMatchObject({ id, history: [{ role: Role.ROLE_USER }] });
    expect((await client.cancelTask({ tenant: "", id, metadata: undefined })).status?.state).toBe(
      TaskState.TASK_STATE_CANCELED,
    );
    await expect(get("never")).rejects.toBeInstanceOf(TaskNotFoundError);
    const other = await begin();
    gateway.tasks.tell(other.id, "TASK_STATE_FAILED");
    const cancel = client.cancelTask({ tenant: "", id: other.id, metadata: undefined });
    await expect(cancel).rejects.toBeInstanceOf(TaskNotCancelableError);
    await expect(client.sendMessage(request("more", true, other.id))).rejects.toBeInstanceOf(UnsupportedOperationError);
  });

  it("streams a Task from its message on, and subscribes to one", async () => {
    const stream = client.sendMessageStream(request("go"));
    const first = await stream.next();
    const payload = first.value?.payload;
    if (payload?.$case !== "task") throw new Error("The stream did not begin with the Task.");
    const { id } = payload.value;
    const subscribed = client.resubscribeTask({ tenant: "", id });
    expect((await subscribed.next()).value?.payload?.$case).toBe("task");
    gateway.tasks.tell(id, "TASK_STATE_WORKING", "on it");
    gateway.tasks.tell(id, "TASK_STATE_COMPLETED");
    for (const open of [stream, subscribed]) {
      const kinds: (string | undefined)[] = [];
      for await (const item of open) kinds.push(item.payload?.$case);
      expect(kinds).toEqual(["statusUpdate", "statusUpdate", "task"]);
    }
    await expect(client.resubscribeTask({ tenant: "", id }).next()).rejects.toBeInstanceOf(UnsupportedOperationError);
  });

  it("hears of an error in the middle of a stream", async () => {
    const stream = client.sendMessageStream(request("go"));
    await stream.next();
    gateway.tasks.breakStreams(new Error("broken"));
    const [outcome] = await Promise.allSettled([stream.next()]);
    gateway.tasks.breakStreams(null);
    expect(outcome?.status).toBe("rejected");
  });

  it("manages webhooks", async () => {
    const { id: taskId } = await begin();
    const authentication = { scheme: "Bearer", credentials: "c" };
    const config = { tenant: "", id: "", taskId, url: "https://hooks.example/", token: "t", authentication };
    const { id } = await client.createTaskPushNotificationConfig(config);
    expect(await client.getTaskPushNotificationConfig({ tenant: "", taskId, id })).toMatchObject({ ...config, id });
    const list = () => client.listTaskPushNotificationConfig({ tenant: "", taskId, pageSize: 0, pageToken: "" });
    expect((await list()).configs).toHaveLength(1);
    await client.deleteTaskPushNotificationConfig({ tenant: "", taskId, id });
    expect((await list()).configs).toEqual([]);
  });

  it("reads the extended card", async () => {
    const card = await client.getAgentCard();
    expect(card.capabilities?.extensions[0]?.params).toHaveProperty("tools");
  });
});
