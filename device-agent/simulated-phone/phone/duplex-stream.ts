export class StreamClosedError extends Error {
  override name = "StreamClosedError";
  constructor() {
    super("stream closed");
  }
}

/** A byte stream in both directions: an adb stream, or a socket of a service that runs on the phone. */
export interface DuplexStream {
  /** Aborts once the stream is closed in either direction. */
  readonly signal: AbortSignal;
  /** Resolves when the peer can take more. Rejects with StreamClosedError. */
  write(bytes: Buffer): Promise<void>;
  /** The next bytes, or undefined at the end. */
  read(): Promise<Buffer | undefined>;
  /** Closes after everything written was sent. */
  end(): Promise<void>;
  destroy(): void;
}

/** Copies until either side ends, then closes both. */
export async function joinStreams(left: DuplexStream, right: DuplexStream): Promise<void> {
  await Promise.all([copy(left, right), copy(right, left)]);
}

async function copy(from: DuplexStream, to: DuplexStream): Promise<void> {
  try {
    for (let chunk = await from.read(); chunk !== undefined; chunk = await from.read()) await to.write(chunk);
    await to.end();
  } catch (error) {
    if (!(error instanceof StreamClosedError)) throw error;
    from.destroy();
  }
}
