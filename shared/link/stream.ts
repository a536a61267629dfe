import { CodedError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { LinkEvents, LinkSocket } from "./socket.ts";
import { readNotice, type StreamNotice } from "./stream-notice.ts";

export interface ByteStream {
  /** What the other end sends. Pulling it gives credit; canceling it closes the socket. */
  readable: ReadableStream<Uint8Array>;
  /** Resolves when the other end has given credit and the bytes left. Throws CodedError when the stream is over. */
  write(bytes: Uint8Array): Promise<void>;
  /** No more bytes from here. The socket closes once both ends said so. */
  end(): void;
  /** Gives up and tells the other end why. */
  fail(error: CodedError): void;
}

/** Bytes that the reading end allows to be on their way. */
const windowBytes = 4 * limits.streamChunkBytes;

export function createByteStream(socket: LinkSocket): ByteStream & { events: LinkEvents } {
  let credit = 0;
  let wakeWriter = () => {};
  let over: CodedError | null = null;
  let endedHere = false;
  let endedThere = false;
  let unread = 0;
  let reader: ReadableStreamDefaultController<Uint8Array> | null = null;

  const notify = (notice: StreamNotice) => socket.send(JSON.stringify(notice));
  const giveCredit = (bytes: number) => notify({ type: "credit", bytes });
  const closeWhenBothEnded = () => {
    if (endedHere && endedThere) socket.close(1000, "done");
  };
  const finish = (error: CodedError) => {
    if (over) return;
    over = error;
    wakeWriter();
    if (!endedThere) reader?.error(error);
  };

  const readable = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        reader = controller;
        giveCredit(windowBytes);
      },
      // Called once per chunk taken: what was read may be sent anew.
      pull() {
        if (unread === 0 || over) return;
        giveCredit(unread);
        unread = 0;
      },
      cancel() {
        finish(new CodedError("canceled", "The reader of the stream gave up."));
        socket.close(1000, "canceled");
      },
    },
    { highWaterMark: 1 },
  );

  const receive = (notice: StreamNotice) => {
    if (notice.type === "credit") {
      credit += notice.bytes;
      wakeWriter();
    } else if (notice.type === "end") {
      if (endedThere) return;
      endedThere = true;
      reader?.close();
      closeWhenBothEnded();
    } else {
      finish(CodedError.fromBody(notice.error));
      socket.close(1000, "failed");
    }
  };

  return {
    readable,
    async write(bytes) {
      for (let offset = 0; offset < bytes.length; ) {
        while (credit === 0 && !over) await new Promise<void>((resolve) => (wakeWriter = resolve));
        if (over) throw over;
        const part = bytes.subarray(offset, offset + Math.min(credit, limits.streamChunkBytes));
        credit -= part.length;
        offset += part.length;
        socket.send(part);
      }
    },
    end() {
      if (endedHere || over) return;
      endedHere = true;
      notify({ type: "end" });
      closeWhenBothEnded();
    },
    fail(error) {
      if (over) return;
      notify({ type: "error", error: error.toBody() });
      finish(error);
      socket.close(1000, "failed");
    },
    events: {
      message(data) {
        if (over) return;
        if (typeof data === "string") {
          const notice = readNotice(data);
          return notice ? receive(notice) : undefined;
        }
        if (data.length <= limits.streamChunkBytes && unread + data.length <= windowBytes && !endedThere) {
          unread += data.length;
          return reader?.enqueue(data);
        }
        finish(new CodedError("internal", "The other end of the stream broke its rules."));
        socket.terminate();
      },
      closed() {
        if (endedHere && endedThere) over ??= new CodedError("canceled", "The stream is over.");
        else finish(new CodedError("device_offline", "The stream was cut before its end."));
      },
    },
  };
}
