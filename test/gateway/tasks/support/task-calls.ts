import type { TaskStart, ToDeviceAgent } from "../../../../shared/link/messages.ts";
import type { TaskEvent } from "../../../../shared/tasks/task-event.ts";
import type { TaskState } from "../../../../shared/tasks/task-state.ts";
import type { FakeDeviceAgent, FakeDeviceAgentOptions } from "../../support/fake-device-agent.ts";
import { connectReady, until } from "../../support/ready.ts";
import { legacyCall, postRaw, toolError } from "../../support/rpc.ts";
import { ownerToken, type TestGateway } from "../../support/start-test-gateway.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into Tasks of many shapes
type Told = any;

/** One A2A method by JSON-RPC, as the owner unless told otherwise; throws what went wrong as `code: message`. */
export async function a2a(gateway: TestGateway, method: string, params: object, token = ownerToken): Promise<Told> {
  const response = await fetch(`${gateway.url}/a2a`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "a2a-version": "1.0" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error }: Told = await response.json();
  if (error) throw new Error(`${error.code}: ${error.message}`);
  return result;
}

export const stepsParts = [{ data: { steps: [{ tool: "take_screenshot" }] } }];

/** Begins a Task without waiting for it. */
export async function begin(
  gateway: TestGateway,
  messageId: string,
  more: object = {},
  token = ownerToken,
): Promise<Told> {
  const message = { messageId, role: "ROLE_USER", parts: stepsParts, ...more };
  const params = { message, configuration: { returnImmediately: true } };
  return (await a2a(gateway, "SendMessage", params, token)).task;
}

export const getTask = (gateway: TestGateway, id: string): Promise<Told> => a2a(gateway, "GetTask", { id });

/** Resolves with the Task once it is in this state. */
export async function inState(gateway: TestGateway, id: string, state: TaskState): Promise<Told> {
  let task: Told;
  await until(async () => {
    task = await getTask(gateway, id);
    return task.status.state === state;
  });
  return task;
}

/** A tool of MCP. */
export async function callTool(gateway: TestGateway, name: string, args: object): Promise<Told> {
  const answer = await postRaw(gateway.mcp, legacyCall(name, args));
  return answer.message.result.isError ? toolError(answer) : answer.message.result.structuredContent;
}

export const status = (state: TaskState, text?: string): TaskEvent => ({
  kind: "status",
  state,
  ...(text === undefined ? {} : { message: { messageId: text, role: "ROLE_AGENT", parts: [{ text }] } }),
});

/** A device agent end that keeps Tasks as a test says. */
export interface TaskAgent {
  link: FakeDeviceAgent;
  started(): TaskStart[];
  of<T extends ToDeviceAgent["type"]>(type: T): Extract<ToDeviceAgent, { type: T }>[];
  accept(taskId: string): void;
  tell(taskId: string, sourceSeq: number, event: TaskEvent): void;
  /** Resolves once an event up to this number was acknowledged. */
  acked(taskId: string, sourceSeq: number): Promise<TaskState>;
}

export async function connectTaskAgent(
  gateway: TestGateway,
  options: Partial<FakeDeviceAgentOptions> = {},
): Promise<TaskAgent> {
  const link = await connectReady(gateway, options);
  const of: TaskAgent["of"] = (type) => link.received.filter((message) => message.type === type) as never;
  return {
    link,
    of,
    started: () => of("task_start"),
    accept: (taskId) => link.send({ type: "task_accepted", taskId }),
    tell: (taskId, sourceSeq, event) => link.send({ type: "task_event", taskId, sourceSeq, event }),
    async acked(taskId, sourceSeq) {
      const found = () => of("task_ack").findLast((ack) => ack.taskId === taskId && ack.sourceSeq >= sourceSeq);
      await until(() => found() !== undefined);
      return found()?.state ?? "TASK_STATE_SUBMITTED";
    },
  };
}
