import { encodeFrame } from "../../shared/link/frame.ts";
import type { Hello, ToDeviceAgent } from "../../shared/link/messages.ts";
import type { LinkSocket } from "../../shared/link/socket.ts";

/** One accepted link: who is at its other end, and how to reach it. */
export interface Link {
  readonly deviceAgentId: string;
  readonly tenant: string;
  readonly hello: Hello;
  send(message: ToDeviceAgent): void;
  bufferedBytes(): number;
  close(code: number, reason: string): void;
}

export function createLink(options: {
  deviceAgentId: string;
  tenant: string;
  hello: Hello;
  socket: LinkSocket;
  onSent: () => void;
}): Link {
  const { deviceAgentId, tenant, hello, socket, onSent } = options;
  return {
    deviceAgentId,
    tenant,
    hello,
    send(message) {
      socket.send(encodeFrame(message));
      onSent();
    },
    bufferedBytes: () => socket.bufferedBytes(),
    close: (code, reason) => socket.close(code, reason),
  };
}
