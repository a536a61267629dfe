import type { Clock } from "../../shared/clock.ts";
import type { Form } from "./accept-form.ts";

const eventHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};
/** An answer that takes longer than this becomes a stream, so that nobody between thinks the connection dead. */
const slowAfterMs = 2_000;

const dataLine = "\ndata: ";
const utf8 = new TextEncoder();
const comment = (text: string) => utf8.encode(`: ${text}\n\n`);
const event = (data: string) => utf8.encode(`event: message\ndata: ${data}\n\n`);

/** One finished message in the form that the client accepts. */
export function messageResponse(form: Form, message: object): Response {
  if (form === "json") return Response.json(message);
  return new Response(event(JSON.stringify(message)), { headers: eventHeaders });
}

/** Waits for the end of a stream of events and answers with its last message, which is the response. */
export async function toJson(response: Response): Promise<Response> {
  if (!isEventStream(response)) return response;
  const text = await response.text();
  // At the start of a line: JSON itself holds no line breaks, but may well hold these words.
  const last = text.lastIndexOf(dataLine);
  // Nothing was said: the exchange was broken off, and nobody waits any more.
  if (last < 0) return new Response(null, { status: 499 });
  const start = last + dataLine.length;
  const end = text.indexOf("\n", start);
  return new Response(text.slice(start, end < 0 ? undefined : end), {
    headers: { "content-type": "application/json" },
  });
}

/** A JSON answer as the only event of a stream, for a client that accepts nothing else. Failures keep their status. */
export async function toStream(response: Response): Promise<Response> {
  if (isEventStream(response) || response.status !== 200) return response;
  return new Response(event(await response.text()), { headers: eventHeaders });
}

/**
 * Passes a stream on with a first byte at once. The source runs to its end even if the client goes away; `ended` closes
 * the stream to the client early; `onEnd` is called when the source is at its end.
 */
export function detach(response: Response, options: { ended: AbortSignal; onEnd: () => void }): Response {
  if (!response.body || !isEventStream(response)) {
    options.onEnd();
    return response;
  }
  const stream = openStream(() => {});
  options.ended.addEventListener("abort", () => stream.close(), { once: true });
  stream
    .pipe(response.body)
    .catch(() => {})
    .finally(() => {
      options.onEnd();
      stream.close();
    });
  return stream.response;
}

/** A quick answer as it is, for a client that accepts both forms; a slow one as a stream. */
export async function streamWhenSlow(
  answer: Promise<Response>,
  options: { clock: Clock; keepAliveMs: number; onGone: () => void },
): Promise<Response> {
  const { clock, keepAliveMs, onGone } = options;
  let callOff = () => {};
  const slow = new Promise<null>((resolve) => {
    callOff = clock.after(slowAfterMs, () => resolve(null));
  });
  const quick = await Promise.race([answer, slow]);
  callOff();
  if (quick) return quick;

  const stream = openStream(onGone);
  const keepAlive = () => {
    stream.write(comment("keepalive"));
    callOff = clock.after(keepAliveMs, keepAlive);
  };
  callOff = clock.after(keepAliveMs, keepAlive);
  answer
    .then(async (response) => {
      callOff();
      if (response.body && isEventStream(response)) return stream.pipe(response.body);
      const text = await response.text();
      if (text !== "") stream.write(event(text));
    })
    .catch(() => {})
    .finally(() => {
      callOff();
      stream.close();
    });
  return stream.response;
}

function isEventStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}

interface OpenStream {
  response: Response;
  /** Nothing happens once the stream is closed or the client gone. */
  write(bytes: Uint8Array): void;
  /** Writes all of `source`, and reads it to its end in any case. */
  pipe(source: ReadableStream<Uint8Array>): Promise<void>;
  close(): void;
}

function openStream(onGone: () => void): OpenStream {
  let sink: ReadableStreamDefaultController<Uint8Array> | null = null;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      sink = controller;
      controller.enqueue(comment("ok"));
    },
    cancel() {
      sink = null;
      onGone();
    },
  });
  return {
    response: new Response(body, { headers: eventHeaders }),
    write: (bytes) => sink?.enqueue(bytes),
    async pipe(source) {
      const reader = source.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        sink?.enqueue(value);
      }
    },
    close() {
      sink?.close();
      sink = null;
    },
  };
}
