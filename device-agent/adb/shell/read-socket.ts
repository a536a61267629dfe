import type { AdbSocket } from "@yume-chan/adb";
import { CodedError } from "../../../shared/errors.ts";

/**
 * Reads a socket to its end, passing each chunk on; stops early when `take` returns true. The socket is closed in
 * any case, and at once when `signal` aborts.
 */
export async function readSocket(
  socket: AdbSocket,
  signal: AbortSignal,
  take: (chunk: Uint8Array) => boolean,
): Promise<void> {
  const reader = socket.readable.getReader();
  const stop = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done || take(value)) return;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    reader.cancel().catch(() => {});
    Promise.resolve(socket.close()).catch(() => {});
  }
}

/** Takes an output as it comes and gives what it kept of it. */
export interface Collector {
  add(chunk: Uint8Array): void;
  bytes(): Uint8Array;
}

/** Collects chunks up to a limit. */
export class ByteCollector implements Collector {
  readonly #chunks: Uint8Array[] = [];
  readonly #limit: number;
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.#length > this.#limit) {
      throw new CodedError("too_large", `The phone's answer is larger than ${this.#limit} bytes.`);
    }
    this.#chunks.push(chunk);
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks, this.#length);
  }
}
