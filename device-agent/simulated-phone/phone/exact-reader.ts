import type { ByteSource } from "../shell/byte-pipe.ts";

/** Reads messages of known length from a stream. */
export interface ExactReader {
  /** Exactly that many bytes, or undefined when the stream ends before. */
  take(bytes: number): Promise<Buffer | undefined>;
}

export function createExactReader(source: ByteSource): ExactReader {
  let chunks: Buffer[] = [];
  let buffered = 0;
  return {
    async take(bytes) {
      while (buffered < bytes) {
        const chunk = await source.read();
        if (chunk === undefined) return undefined;
        chunks.push(chunk);
        buffered += chunk.length;
      }
      const all = chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
      const rest = all.subarray(bytes);
      chunks = rest.length > 0 ? [rest] : [];
      buffered = rest.length;
      return all.subarray(0, bytes);
    },
  };
}
