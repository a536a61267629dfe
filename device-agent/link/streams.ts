import type { Clock } from "../../shared/clock.ts";
import { CodedError, toCodedError } from "../../shared/errors.ts";
import type { ToDeviceAgent } from "../../shared/link/messages.ts";
import type { Logger } from "../../shared/log.ts";
import type { Permission } from "../../shared/permissions.ts";
import type { Dial } from "./dial.ts";
import type { LinkConnection } from "./open-link.ts";
import { dialStream } from "./stream-socket.ts";

type OpenStream = Extract<ToDeviceAgent, { type: "open_stream" }>;

/** Where the bytes of one kind of stream come from, and where those that the gateway sends go. */
export interface StreamSource {
  permission: Permission;
  /** True: the phone itself is not needed; its owner's word still is. */
  withoutPhone?: true;
  /**
   * Ends with the iteration, or throws CodedError. Is not asked for more while the gateway does not take it. `incoming`
   * is what the gateway sends; it may send nothing until that is read.
   */
  read(
    request: { device: string; arguments: Record<string, unknown> },
    signal: AbortSignal,
    incoming: AsyncIterable<Uint8Array>,
  ): AsyncIterable<Uint8Array>;
}

/** Streams travel on sockets of their own, dialled at `<link>/stream/<streamId>`, so that calls never wait for them. */
export interface Streams {
  kinds: string[];
  open(request: OpenStream, connection: LinkConnection): void;
  stop(): void;
}

export interface StreamsDeps {
  clock: Clock;
  log: Logger;
  dial: Dial;
  url: string;
  token: () => Promise<string>;
  sources: Record<string, StreamSource>;
  /** Throws CodedError when the phone's owner does not allow it. */
  permit: (device: string, permission: Permission) => void;
  /** The same where the phone may be away. */
  permitWithoutPhone: (device: string, permission: Permission) => void;
  newErrorId: () => string;
}

export function createStreams(deps: StreamsDeps): Streams {
  const stopping = new AbortController();
  return {
    kinds: Object.keys(deps.sources),
    open(request, connection) {
      serve(deps, request, stopping.signal).catch((thrown: unknown) => {
        const error = toCodedError(thrown, deps.newErrorId());
        deps.log.info("A stream was refused", { kind: request.kind, code: error.code, cause: error.cause });
        return connection.send({ type: "stream_refused", streamId: request.streamId, error: error.toBody() });
      });
    },
    stop() {
      stopping.abort(new CodedError("device_offline", "The device agent stops."));
    },
  };
}

/** Rejects only while the stream can still be refused; later failures travel on the stream itself. */
async function serve(deps: StreamsDeps, request: OpenStream, stopping: AbortSignal): Promise<void> {
  const { clock, dial, log, sources } = deps;
  const source = Object.hasOwn(sources, request.kind) ? sources[request.kind] : undefined;
  if (!source) throw new CodedError("unsupported", "This device agent has no such kind of stream.");
  (source.withoutPhone ? deps.permitWithoutPhone : deps.permit)(request.device, source.permission);
  const url = `${deps.url}/stream/${encodeURIComponent(request.streamId)}`;
  const stream = await dialStream({ clock, dial, url, token: await deps.token(), timeoutMs: request.timeoutMs });
  // The reason is a CodedError: `stop` gives it.
  const onStop = () => stream.fail(stopping.reason);
  try {
    if (stopping.aborted) return onStop();
    stopping.addEventListener("abort", onStop, { once: true });
    for await (const bytes of source.read(request, stream.signal, stream.incoming)) await stream.write(bytes);
    stream.end();
  } catch (thrown) {
    const error = toCodedError(thrown, deps.newErrorId());
    if (error.code !== "canceled") log.warn("A stream failed", { kind: request.kind, code: error.code, cause: thrown });
    stream.fail(error);
  } finally {
    stopping.removeEventListener("abort", onStop);
  }
}
