import type { Task, TaskStatus } from "../../gateway/tasks/task.ts";
import type { Artifact } from "../../shared/tasks/message.ts";
import { type EventReader, readEvents } from "../gateway/a2a/support/events.ts";

/** What JSON-RPC answered. */
export type Answer = { result: unknown } | { error: { code: number; message: string } };

/** What one frame of a stream holds. */
export type FrameItem =
  | { task: Task }
  | { statusUpdate: { status: TaskStatus } }
  | { artifactUpdate: { artifact: Artifact; append?: boolean; lastChunk?: boolean } };

/** How a stream ended: by itself, in an error of the gateway, or because a connection broke or was let go. */
export type StreamEnd = { kind: "end" } | { kind: "error"; code: number; message: string } | { kind: "cut" };

export interface StreamRequest {
  method: "SendStreamingMessage" | "SubscribeToTask";
  params: object;
  lastEventId?: number | undefined;
  signal?: AbortSignal;
}

/** A client of A2A that takes a gateway that is away for what it is: it asks again. */
export interface PatientClient {
  readonly mcp: string;
  readonly token: string;
  /** Asks until there is an answer, however often the gateway dies meanwhile. Rejects after `withinMs`. */
  call(method: string, params: object, withinMs?: number): Promise<Answer>;
  /** Asks once; undefined when the connection broke. */
  callOnce(method: string, params: object): Promise<Answer | undefined>;
  /** Opens a stream once; `take` gets each whole frame and lets go of the stream by false. */
  stream(request: StreamRequest, take: (id: number, item: FrameItem) => boolean): Promise<StreamEnd>;
}

const againAfterMs = 50;
/** Longer than any lease: whoever has no answer by then is stuck. */
const patienceMs = 150_000;

export function createPatientClient({ url, token }: { url: string; token: string }): PatientClient {
  const post = (method: string, params: object, headers = {}, signal: AbortSignal | null = null) =>
    fetch(`${url}/a2a`, {
      method: "POST",
      signal,
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${token}`,
        "a2a-version": "1.0",
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });

  const client: PatientClient = {
    mcp: `${url}/mcp`,
    token,
    async callOnce(method, params) {
      try {
        const response = await post(method, params);
        return (await response.json()) as Answer;
      } catch {
        return undefined;
      }
    },
    async call(method, params, withinMs = patienceMs) {
      const end = Date.now() + withinMs;
      for (;;) {
        const answer = await client.callOnce(method, params);
        if (answer) return answer;
        if (Date.now() > end) throw new Error(`${method} had no answer within ${withinMs} ms.`);
        await new Promise((resolve) => setTimeout(resolve, againAfterMs));
      }
    },
    async stream({ method, params, lastEventId, signal }, take) {
      let events: EventReader | undefined;
      try {
        const headers = lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) };
        const response = await post(method, params, headers, signal);
        if (!response.headers.get("content-type")?.startsWith("text/event-stream") || !response.body) {
          return errorEnd((await response.json()) as Answer);
        }
        events = readEvents(response.body);
        for (;;) {
          const event = await events.next();
          if (!event) return { kind: "end" };
          const message = JSON.parse(event.data ?? "") as { result: FrameItem } | { error: never };
          if ("error" in message) return errorEnd(message);
          if (!take(Number(event.id), message.result)) return { kind: "cut" };
        }
      } catch {
        return { kind: "cut" };
      } finally {
        events?.close().catch(() => {});
      }
    },
  };
  return client;
}

function errorEnd(answer: Answer): StreamEnd {
  if (!("error" in answer)) return { kind: "error", code: 0, message: JSON.stringify(answer) };
  const { code, message } = answer.error;
  return { kind: "error", code, message };
}
