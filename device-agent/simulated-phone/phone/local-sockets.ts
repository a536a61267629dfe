import { createBytePipe } from "../shell/byte-pipe.ts";
import { type DuplexStream, StreamClosedError } from "./duplex-stream.ts";

/** Abstract-namespace sockets of the phone: services listen, adb forwards and other services connect. */
export interface LocalSockets {
  /** Undefined when the name is taken. The result ends the listening. */
  listen(name: string, onConnection: (stream: DuplexStream) => void): (() => void) | undefined;
  /** Undefined when nobody listens. */
  connect(name: string): DuplexStream | undefined;
  /** Hands an existing stream to the listener. */
  attach(name: string, stream: DuplexStream): boolean;
  isListening(name: string): boolean;
}

export function createLocalSockets(): LocalSockets {
  const listeners = new Map<string, (stream: DuplexStream) => void>();
  return {
    listen(name, onConnection) {
      if (listeners.has(name)) return undefined;
      listeners.set(name, onConnection);
      return () => {
        if (listeners.get(name) === onConnection) listeners.delete(name);
      };
    },
    connect(name) {
      const listener = listeners.get(name);
      if (!listener) return undefined;
      const [near, far] = createSocketPair();
      listener(far);
      return near;
    },
    attach(name, stream) {
      const listener = listeners.get(name);
      listener?.(stream);
      return listener !== undefined;
    },
    isListening: (name) => listeners.has(name),
  };
}

/** Two ends of one socket in memory. */
export function createSocketPair(): [DuplexStream, DuplexStream] {
  const there = createBytePipe();
  const back = createBytePipe();
  const lifetime = new AbortController();
  const close = () => {
    for (const pipe of [there, back]) {
      pipe.closeWriter();
      pipe.closeReader();
    }
    lifetime.abort(new StreamClosedError());
  };
  const end = (input: typeof there, output: typeof there): DuplexStream => ({
    signal: lifetime.signal,
    async write(bytes) {
      if (lifetime.signal.aborted) throw new StreamClosedError();
      await output.write(bytes).catch(() => {
        throw new StreamClosedError();
      });
    },
    read: () => input.read(),
    async end() {
      output.closeWriter();
      // What was written stays readable for the peer after the near end has gone.
      queueMicrotask(() => lifetime.abort(new StreamClosedError()));
    },
    destroy: close,
  });
  return [end(back, there), end(there, back)];
}
