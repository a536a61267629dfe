import { type Clock, pause } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { encodeFrame } from "../../shared/link/frame.ts";
import type { ToGateway } from "../../shared/link/messages.ts";
import type { LinkSocket } from "../../shared/link/socket.ts";

/** How often a full buffer is looked at; a WebSocket has no event for it. */
const lookMs = 10;

/** What one link sends, in order, without piling up bytes that the network does not take. */
export interface Outbox {
  /**
   * Resolves when the message was handed to the socket, or never will be because the link ended. Progress is dropped
   * when the buffer is full; a result over the frame size goes out as `too_large`.
   */
  send(message: ToGateway, body?: readonly Uint8Array[]): Promise<void>;
  /** Lets go of everything that still waits. */
  end(): void;
}

export function createOutbox(options: {
  clock: Clock;
  socket: LinkSocket;
  maxFrameBytes: number;
  sent: () => void;
}): Outbox {
  const { clock, socket, maxFrameBytes, sent } = options;
  const ended = new AbortController();
  let line: Promise<void> = Promise.resolve();

  const isFull = () => socket.bufferedBytes() > limits.linkBufferBytes;
  const put = async (frame: Uint8Array) => {
    while (isFull() && !ended.signal.aborted) await pause(clock, lookMs, ended.signal).catch(() => {});
    if (ended.signal.aborted) return;
    socket.send(frame);
    sent();
  };

  return {
    send(message, body) {
      if (ended.signal.aborted || (message.type === "progress" && isFull())) return Promise.resolve();
      const frame = encodeWithin(maxFrameBytes, message, body);
      line = line.then(() => put(frame));
      return line;
    },
    end() {
      ended.abort();
    },
  };
}

function encodeWithin(maxFrameBytes: number, message: ToGateway, body?: readonly Uint8Array[]): Uint8Array {
  const frame = encodeFrame(message, body);
  if (frame.length <= maxFrameBytes || message.type !== "result") return frame;
  const error = new CodedError(
    "too_large",
    `The answer has ${frame.length} bytes; one message of this link may have ${maxFrameBytes}.`,
    { hint: "The call was carried out. Ask for a smaller picture or fewer elements." },
  );
  return encodeFrame({ type: "error", id: message.id, error: error.toBody() } satisfies ToGateway);
}
