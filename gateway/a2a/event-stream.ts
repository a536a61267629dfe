import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import type { UpdateStream } from "./operations.ts";
import { streamResponse } from "./shapes.ts";
import type { StopBell } from "./stop-bell.ts";

const eventHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};
/** Nobody between takes a connection for dead that says something this often. */
const pingMs = 15_000;
/** How soon a client comes back by itself after a stream that broke. */
const retryMs = 2_000;

const utf8 = new TextEncoder();

export interface EventStreamOptions {
  clock: Clock;
  updates: UpdateStream;
  /** A StreamResponse as the binding writes it. */
  frame: (item: object) => string;
  /** A failure as the binding writes it: the type of the event, if it has one, and its data. */
  failure: (thrown: unknown) => { event?: string; data: string };
  /** Asked at each ping: whether the caller's token still holds. */
  stillValid: () => Promise<boolean>;
  stopBell: StopBell;
  /** Lets go of everything behind the stream; called once. */
  release: () => void;
}

/**
 * Updates as Server-Sent Events, numbered by their `seq`. A slow client is waited for: nothing piles up here. A stream
 * that ends before its Task does ends in an event that says why.
 */
export function eventStream(options: EventStreamOptions): Response {
  const { clock, updates, stopBell, stillValid } = options;
  const { historyLength, rest } = updates;
  let sink: ReadableStreamDefaultController<Uint8Array> | null = null;
  let callOff = () => {};
  let stopListening = () => {};

  const write = (text: string) => sink?.enqueue(utf8.encode(text));
  const writeUpdate = (update: UpdateStream["first"]) =>
    write(`id: ${update.seq}\ndata: ${options.frame(streamResponse(update, historyLength))}\n\n`);
  const end = () => {
    const open = sink;
    sink = null;
    callOff();
    stopListening();
    options.release();
    // A generator behind it gets to its end; what it still says is nobody's business.
    rest.return?.().catch(() => {});
    return open;
  };
  const fail = (thrown: unknown) => {
    if (!sink) return;
    const { event, data } = options.failure(thrown);
    write(`${event === undefined ? "" : `event: ${event}\n`}retry: ${retryMs}\ndata: ${data}\n\n`);
    end()?.close();
  };
  const onStopping = () => fail(stops());
  const ping = () => {
    callOff = clock.after(pingMs, () => {
      if ((sink?.desiredSize ?? 0) > 0) write(": ping\n\n");
      stillValid().then((valid) => (valid ? sink && ping() : fail(new CodedError("unauthenticated", tokenGone))), fail);
    });
  };

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      sink = controller;
      writeUpdate(updates.first);
      stopListening = stopBell.listen(onStopping);
      ping();
      if (stopBell.hasRung()) onStopping();
    },
    async pull() {
      try {
        const next = await rest.next();
        if (!sink) return;
        if (next.done) end()?.close();
        else writeUpdate(next.value);
      } catch (thrown) {
        fail(thrown);
      }
    },
    cancel() {
      end();
    },
  });
  return new Response(body, { headers: eventHeaders });
}

/** What a client hears that comes, or is here, while the gateway stops. */
export const stops = () =>
  new CodedError("device_offline", "The gateway stops.", {
    hint: "Come again in a moment; a broken stream goes on where it was with Last-Event-ID.",
    retryAfterMs: retryMs,
  });

const tokenGone = "The token is no longer valid.";
