import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import type { LinkEvents, LinkSocket } from "../../shared/link/socket.ts";
import { type ByteStream, createByteStream } from "../../shared/link/stream.ts";
import type { Link } from "./link.ts";
import type { StreamRequest } from "./relay.ts";

/** Streams that were asked for and whose socket has not come yet. */
export interface PendingStreams {
  open(link: Link, deviceKey: string, request: StreamRequest, signal?: AbortSignal): Promise<ByteStream>;
  /** True if a device agent of `tenant` is awaited under this id. */
  expects(streamId: string, tenant: string): boolean;
  /** The socket came. Null when it is too late or not awaited. */
  arrived(streamId: string, tenant: string, socket: LinkSocket): LinkEvents | null;
  /** The device agent cannot open it; heard only from the link that was asked. */
  refused(link: Link, streamId: string, error: CodedError): void;
}

interface PendingStream {
  link: Link;
  resolve(stream: ByteStream): void;
  reject(error: CodedError): void;
}

export function createPendingStreams(deps: { clock: Clock; randomId: () => string }): PendingStreams {
  const awaited = new Map<string, PendingStream>();
  const find = (streamId: string, tenant: string) => {
    const stream = awaited.get(streamId);
    return stream?.link.tenant === tenant ? stream : undefined;
  };

  return {
    open(link, deviceKey, { kind, arguments: args, timeoutMs }, signal) {
      if (!link.hello.streams.includes(kind)) {
        throw new CodedError("unsupported", `The device agent cannot open streams of the kind ${kind}.`);
      }
      // The id alone proves which stream a socket belongs to, so it is long and random.
      const streamId = `${deps.randomId()}${deps.randomId()}`;
      return new Promise<ByteStream>((resolve, reject) => {
        const onAbort = () => settle(() => reject(new CodedError("canceled", "The stream was canceled.")));
        const settle = (tell: () => void) => {
          if (!awaited.delete(streamId)) return;
          callOff();
          signal?.removeEventListener("abort", onAbort);
          tell();
        };
        const late = () => reject(new CodedError("deadline_exceeded", "The device agent opened no stream in time."));
        const callOff = deps.clock.after(timeoutMs, () => settle(late));
        awaited.set(streamId, {
          link,
          resolve: (stream) => settle(() => resolve(stream)),
          reject: (error) => settle(() => reject(error)),
        });
        signal?.addEventListener("abort", onAbort, { once: true });
        if (signal?.aborted) return onAbort();
        link.send({ type: "open_stream", streamId, kind, device: deviceKey, arguments: args, timeoutMs });
      });
    },
    expects: (streamId, tenant) => find(streamId, tenant) !== undefined,
    arrived(streamId, tenant, socket) {
      const stream = find(streamId, tenant);
      if (!stream) return null;
      const bytes = createByteStream(socket);
      stream.resolve(bytes);
      return bytes.events;
    },
    refused(link, streamId, error) {
      const stream = awaited.get(streamId);
      if (stream?.link === link) stream.reject(error);
    },
  };
}
