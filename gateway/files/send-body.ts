import type { Clock } from "../../shared/clock.ts";
import { CodedError, toCodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { ByteStream } from "../../shared/link/stream.ts";
import { createPatience, stalledMs } from "./patience.ts";

/** A device agent reads the whole file once more before it answers. */
const answerMs = 4 * limits.pingMs;
/** A report is far smaller. */
const mostAnswerBytes = 64 * 1024;

export interface SendBodyOptions {
  clock: Clock;
  randomId: () => string;
  mostBytes: number;
  tooMany: () => CodedError;
}

/**
 * Passes a request's body on to a device agent, no faster than it is taken, and resolves with what the device agent
 * answers at the end. Throws what the device agent says, `tooMany`, and `canceled` when the client goes away. A body that
 * is not wanted any more is left unread, never canceled: that would cut the connection before our answer.
 */
export async function sendBody(
  body: ReadableStream<Uint8Array> | null,
  stream: ByteStream,
  options: SendBodyOptions,
): Promise<Uint8Array> {
  const reader = body?.getReader();
  const answer = readAnswer(stream.readable);
  let failure: CodedError | undefined;
  let answered = false;
  const fail = (thrown: unknown) => {
    failure ??= toCodedError(thrown, options.randomId());
    stream.fail(failure);
    reader?.releaseLock();
  };
  // The device agent may fail, or know enough, before the body is at its end.
  answer.then(() => {
    answered = true;
    reader?.releaseLock();
  }, fail);
  const patience = createPatience(options.clock, fail);

  const pass = async () => {
    for (let bytes = 0; reader; ) {
      patience(stalledMs, "The client sent nothing for a while.");
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new CodedError("canceled", "The client went away before the end of its request.", { cause });
      });
      if (done) return;
      bytes += value.length;
      if (bytes > options.mostBytes) throw options.tooMany();
      patience(stalledMs, "The device agent took nothing for a while.");
      await stream.write(value);
    }
  };
  try {
    await pass();
    stream.end();
    patience(answerMs, "The device agent did not answer in time.");
    return await answer;
  } catch (thrown) {
    if (answered) return await answer;
    fail(thrown);
    throw failure;
  } finally {
    patience(null);
  }
}

/** Throws `internal` for more bytes than an answer has. */
async function readAnswer(readable: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const reader = readable.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.length;
    if (bytes > mostAnswerBytes) throw new CodedError("internal", "The device agent's answer cannot be read.");
    parts.push(part.value);
  }
  const answer = new Uint8Array(bytes);
  let offset = 0;
  for (const part of parts) {
    answer.set(part, offset);
    offset += part.length;
  }
  return answer;
}
