import { isTerminal } from "../../shared/tasks/task-state.ts";
import type { FrameItem, PatientClient, StreamEnd } from "./patient-client.ts";
import type { Witness } from "./witness.ts";

/** The Task is over: SubscribeToTask has nothing to tell (A2A: UnsupportedOperationError). */
const unsupported = -32004;
const againAfterMs = 50;

export interface Subscription {
  client: PatientClient;
  witness: Witness;
  /** After how many frames the stream is let go, to go on with another one; each time. */
  frames: number;
  /** What does not follow on what came before. */
  fault: (text: string) => void;
  /** Gives up. */
  signal: AbortSignal;
}

/** Takes the frames of one subscriber, whichever stream they come by; each has to follow on the one before. */
export function createReader({ witness, frames, fault }: Pick<Subscription, "witness" | "frames" | "fault">) {
  let last: number | undefined;
  let isFresh = true;
  let left = frames;
  let isOver = false;
  return {
    last: () => last,
    isOver: () => isOver,
    /** A new stream begins. */
    begin() {
      isFresh = true;
      left = frames;
    },
    take(id: number, item: FrameItem): boolean {
      if ("task" in item) {
        if (last !== undefined && id !== last) fault(`a snapshot of ${id} came after event ${last}`);
        witness.snapshot(id, item.task);
        isOver = isTerminal(item.task.status.state);
      } else {
        if (isFresh) fault("a stream did not begin with the Task");
        if (last !== undefined && id !== last + 1) fault(`event ${id} came after event ${last}`);
        witness.event(id, item);
      }
      last = id;
      isFresh = false;
      left -= 1;
      return left > 0;
    },
  };
}

export type Reader = ReturnType<typeof createReader>;

/** Follows a Task to its end, over as many streams as that takes. */
export async function followToEnd(subscription: Subscription, taskId: string, reader: Reader): Promise<void> {
  const { client, fault, signal } = subscription;
  while (!reader.isOver() && !signal.aborted) {
    reader.begin();
    const request = { method: "SubscribeToTask", params: { id: taskId }, lastEventId: reader.last(), signal } as const;
    const end = await client.stream(request, reader.take);
    if (end.kind === "error" && end.code === unsupported) return;
    const isOdd = isOddEnd(end, reader);
    if (isOdd) fault(isOdd);
    if (!reader.isOver()) await new Promise((resolve) => setTimeout(resolve, againAfterMs));
  }
}

/** A killed gateway ends a stream as no gateway would. */
export function isOddEnd(end: StreamEnd, reader: Reader): string | undefined {
  if (end.kind === "error") return `a stream ended in an error: ${end.code} ${end.message}`;
  if (end.kind === "end" && !reader.isOver()) return "a stream ended before its Task";
  return undefined;
}
