import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";

/** Bytes that the gateway may have on their way. */
const windowBytes = 4 * limits.streamChunkBytes;
/** The gateway gives up on a client that sends nothing sooner than this, and can still say so. */
const silentMs = 3 * limits.pingMs;

/**
 * What the gateway sends on a stream, for one reader. Credit is given only once somebody reads, and anew for what was
 * taken, so that a source that wants no bytes gets none.
 */
export interface IncomingBytes extends AsyncIterable<Uint8Array> {
  /** False when the gateway was not allowed to send these bytes. */
  push(bytes: Uint8Array): boolean;
  end(): void;
}

export function createIncomingBytes(deps: {
  clock: Clock;
  /** Aborts when no more bytes can come. */
  over: AbortSignal;
  giveCredit: (bytes: number) => void;
  /** Nothing came for a long time. */
  silent: (error: CodedError) => void;
}): IncomingBytes {
  const { clock, over } = deps;
  const waiting: Uint8Array[] = [];
  let allowed = 0;
  let ended = false;
  let wake = () => {};
  over.addEventListener("abort", () => wake(), { once: true });

  const allow = (bytes: number) => {
    allowed += bytes;
    deps.giveCredit(bytes);
  };
  const more = () => {
    const silent = () => deps.silent(new CodedError("device_offline", "The gateway stopped sending the stream."));
    const callOff = clock.after(silentMs, silent);
    return new Promise<void>((resolve) => {
      wake = resolve;
    }).finally(callOff);
  };

  return {
    push(bytes) {
      if (bytes.length > allowed || ended) return false;
      allowed -= bytes.length;
      waiting.push(bytes);
      wake();
      return true;
    },
    end() {
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      allow(windowBytes);
      for (;;) {
        const bytes = waiting.shift();
        if (bytes) {
          yield bytes;
          allow(bytes.length);
        } else if (ended) return;
        else if (over.aborted) throw over.reason;
        else await more();
      }
    },
  };
}
