import { type ClientOptions, WebSocket } from "ws";
import type { LinkEvents, LinkSocket } from "../../shared/link/socket.ts";

export interface DialTarget {
  url: string;
  /** Sent in the Authorization header only: an address ends up in logs. */
  token: string;
  /** A larger message from the gateway ends the socket with 1009. */
  maxFrameBytes: number;
}

export interface DialEvents extends LinkEvents {
  opened(): void;
  /** The gateway answered the upgrade with this HTTP status; `closed` follows. */
  declined(status: number): void;
}

/** Begins to dial one WebSocket. Never throws; whatever goes wrong ends in `closed`. */
export type Dial = (target: DialTarget, events: DialEvents) => LinkSocket;

/**
 * A socket whose other end said goodbye may stay in CLOSING for as long as the other end likes (a Durable Object: about
 * ten seconds); by then it is worth nothing, so it is dropped after this time.
 */
const closingMs = 250;

/** 1006 is what the WebSocket API says for an end without a closing handshake. */
const abnormalClosure = 1006;

export function createWebSocketDial(): Dial {
  return (target, events) => {
    const options: ClientOptions & { closeTimeout: number } = {
      headers: { authorization: `Bearer ${target.token}` },
      perMessageDeflate: false,
      maxPayload: target.maxFrameBytes,
      followRedirects: false,
      closeTimeout: closingMs,
    };
    const socket = new WebSocket(target.url, options);
    socket.binaryType = "nodebuffer";
    let failure = "";
    socket.on("open", () => events.opened());
    socket.on("message", (data, isBinary) => events.message(isBinary ? bytesOf(data) : String(data)));
    socket.on("unexpected-response", (_request, response) => {
      response.resume();
      events.declined(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on("error", (error) => {
      failure = error.message;
    });
    socket.on("close", (code, reason) => events.closed(code || abnormalClosure, reason.toString() || failure));
    return toLinkSocket(socket);
  };
}

function toLinkSocket(socket: WebSocket): LinkSocket {
  return {
    send(data) {
      if (socket.readyState === WebSocket.OPEN) socket.send(data, () => {});
    },
    bufferedBytes: () => socket.bufferedAmount,
    close(code, reason) {
      socket.close(code, reason);
    },
    terminate() {
      socket.terminate();
    },
  };
}

function bytesOf(data: Buffer | ArrayBuffer | Buffer[]): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
