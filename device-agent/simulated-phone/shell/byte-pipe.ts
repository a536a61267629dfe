export interface ByteSource {
  /** The next bytes, or undefined at the end. */
  read(): Promise<Buffer | undefined>;
}

export interface ByteSink {
  /** Resolves when there is room for more. Rejects with BrokenPipeError when nobody reads any more. */
  write(bytes: Buffer): Promise<void>;
}

/** The writer of a pipe whose reader has gone: it ends silently, as by SIGPIPE. */
export class BrokenPipeError extends Error {
  override name = "BrokenPipeError";
}

export const emptySource: ByteSource = { read: () => Promise.resolve(undefined) };
export const nullSink: ByteSink = { write: () => Promise.resolve() };

export interface BytePipe extends ByteSource, ByteSink {
  /** The reader sees the end after what was written. */
  closeWriter(): void;
  closeReader(): void;
}

/** PIPE_BUF default capacity of Linux. */
const CAPACITY_BYTES = 65_536;

export function createBytePipe(): BytePipe {
  const chunks: Buffer[] = [];
  let buffered = 0;
  let isWriterClosed = false;
  let isReaderClosed = false;
  let wake: (() => void)[] = [];
  const notify = () => {
    const waiting = wake;
    wake = [];
    for (const resolve of waiting) resolve();
  };
  const changed = () => new Promise<void>((resolve) => wake.push(resolve));

  return {
    async write(bytes) {
      while (buffered >= CAPACITY_BYTES && !isReaderClosed) await changed();
      if (isReaderClosed) throw new BrokenPipeError();
      if (bytes.length === 0) return;
      chunks.push(bytes);
      buffered += bytes.length;
      notify();
    },
    async read() {
      while (chunks.length === 0 && !isWriterClosed) await changed();
      const chunk = chunks.shift();
      buffered -= chunk?.length ?? 0;
      notify();
      return chunk;
    },
    closeWriter() {
      isWriterClosed = true;
      notify();
    },
    closeReader() {
      isReaderClosed = true;
      notify();
    },
  };
}

/** Everything up to the end. */
export async function readAll(source: ByteSource): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let chunk = await source.read(); chunk !== undefined; chunk = await source.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}
