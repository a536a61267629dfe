import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import type { ByteStream } from "../../shared/link/stream.ts";
import { createPatience, stalledMs } from "./patience.ts";

/**
 * The `length` bytes that a device agent sends, no faster than they are read. Resolves with the first of them, and throws
 * what the device agent says instead; a later failure is one of the stream.
 */
export async function receiveBytes(
  stream: ByteStream,
  { length, clock }: { length: number; clock: Clock },
): Promise<ReadableStream<Uint8Array>> {
  const reader = stream.readable.getReader();
  const patience = createPatience(clock, (error) => stream.fail(error));
  let left = length;
  const next = async () => {
    patience(stalledMs, "The device agent sent nothing for a while.");
    const { value: bytes = new Uint8Array(0), done } = await reader.read().finally(() => patience(null));
    left -= bytes.length;
    if (left >= 0 && !(done && left > 0)) return bytes;
    throw new CodedError("internal", "The device agent sent another number of bytes than the file has.");
  };
  stream.end();
  let first: Uint8Array | undefined = await next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const bytes = first ?? (await next());
        first = undefined;
        if (bytes.length > 0) controller.enqueue(bytes);
        // What is whole must not fail any more.
        if (left === 0) controller.close();
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  );
}
