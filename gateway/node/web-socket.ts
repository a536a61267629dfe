import { upgradeWebSocket } from "@hono/node-server";
import { WebSocket, WebSocketServer } from "ws";
import { limits } from "../../shared/limits.ts";
import type { LinkEvents, LinkSocket } from "../../shared/link/socket.ts";
import type { WebSocketUpgrade } from "../relay/accept.ts";

/** Room for the head of a frame whose body has the largest size. */
const headBytes = 1024 * 1024;

export function createWebSocketServer(): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: limits.linkFrameBytes + headBytes,
  });
}

export const nodeUpgrade: WebSocketUpgrade = (c, open) => {
  let events: LinkEvents | null = null;
  return upgradeWebSocket(c, {
    onOpen(_, { raw }) {
      if (raw instanceof WebSocket) events = open(toLinkSocket(raw));
    },
    onMessage({ data }) {
      if (typeof data === "string") events?.message(data);
      else if (data instanceof ArrayBuffer) events?.message(new Uint8Array(data));
    },
    onClose({ code, reason }) {
      events?.closed(code, reason);
    },
    // A close follows every error.
    onError() {},
  });
};

function toLinkSocket(socket: WebSocket): LinkSocket {
  return {
    send(data) {
      if (socket.readyState === WebSocket.OPEN) socket.send(data);
    },
    bufferedBytes: () => socket.bufferedAmount,
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
  };
}
