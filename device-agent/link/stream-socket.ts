import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { LinkSocket } from "../../shared/link/socket.ts";
import { readNotice, type StreamNotice } from "../../shared/link/stream-notice.ts";
import { createDeferred } from "./deferred.ts";
import type { Dial } from "./dial.ts";
import { createIncomingBytes } from "./incoming-bytes.ts";

/** How long the gateway may take nothing at all before a stream is given up. */
const stalledMs = 2 * limits.pingMs;

/** The device agent's end of one stream. */
export interface StreamSocket {
  /** Aborts when the stream is over: closed or failed by the gateway, stalled, or cut. */
  signal: AbortSignal;
  /** Resolves when the gateway allowed these bytes and they were handed to the socket. Throws the signal's reason. */
  write(bytes: Uint8Array): Promise<void>;
  /** What the gateway sends, which may send nothing until this is read. Throws the signal's reason. */
  incoming: AsyncIterable<Uint8Array>;
  end(): void;
  /** The first failure is told; the signal aborts with it. */
  fail(error: CodedError): void;
}

/** Dials a stream's own socket. Throws `device_offline`. */
export async function dialStream(options: {
  clock: Clock;
  dial: Dial;
  url: string;
  token: string;
  timeoutMs: number;
}): Promise<StreamSocket> {
  const { clock, dial, url, token, timeoutMs } = options;
  const over = new AbortController();
  const opened = createDeferred<boolean>();
  const credit = createCredit(over.signal);
  const giveUp = (error: CodedError) => {
    over.abort(error);
    socket.terminate();
  };
  const incoming = createIncomingBytes({
    clock,
    over: over.signal,
    giveCredit: (bytes) => tell(socket, { type: "credit", bytes }),
    silent: giveUp,
  });
  const socket = dial(
    { url, token, maxFrameBytes: limits.streamChunkBytes },
    {
      opened: () => opened.resolve(true),
      declined: () => {},
      message(data) {
        if (typeof data !== "string") {
          if (!incoming.push(data)) giveUp(new CodedError("internal", "The gateway broke the stream's rules."));
          return;
        }
        const notice = readNotice(data);
        if (notice?.type === "credit") credit.add(notice.bytes);
        else if (notice?.type === "end") incoming.end();
        else if (notice?.type === "error") over.abort(CodedError.fromBody(notice.error));
      },
      closed() {
        opened.resolve(false);
        over.abort(new CodedError("canceled", "The gateway closed the stream."));
      },
    },
  );
  const callOff = clock.after(timeoutMs, () => socket.terminate());
  const isOpen = await opened.promise;
  callOff();
  if (!isOpen) throw new CodedError("device_offline", "The stream's own connection to the gateway failed.");
  const stalled = () => giveUp(new CodedError("device_offline", "The gateway stopped taking the stream."));
  return { signal: over.signal, incoming, ...createSender(clock, socket, credit, over, stalled) };
}

function tell(socket: LinkSocket, notice: StreamNotice): void {
  socket.send(JSON.stringify(notice));
}

function createSender(
  clock: Clock,
  socket: LinkSocket,
  credit: Credit,
  over: AbortController,
  stalled: () => void,
): Pick<StreamSocket, "write" | "end" | "fail"> {
  return {
    async write(bytes) {
      for (let offset = 0; offset < bytes.length; ) {
        const callOff = clock.after(stalledMs, stalled);
        const allowed = await credit.take(Math.min(limits.streamChunkBytes, bytes.length - offset)).finally(callOff);
        socket.send(bytes.subarray(offset, offset + allowed));
        offset += allowed;
      }
    },
    end() {
      tell(socket, { type: "end" });
      socket.close(1000, "done");
    },
    fail(error) {
      if (over.signal.aborted) return;
      tell(socket, { type: "error", error: error.toBody() });
      socket.close(1000, "failed");
      over.abort(error);
    },
  };
}

interface Credit {
  add(bytes: number): void;
  /** Resolves with 1 to `most` bytes once there are any. Throws when the stream is over. */
  take(most: number): Promise<number>;
}

function createCredit(over: AbortSignal): Credit {
  let left = 0;
  let wake = () => {};
  over.addEventListener("abort", () => wake(), { once: true });
  return {
    add(bytes) {
      left += bytes;
      wake();
    },
    async take(most) {
      while (left === 0 && !over.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      over.throwIfAborted();
      const taken = Math.min(left, most);
      left -= taken;
      return taken;
    },
  };
}
