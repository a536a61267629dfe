/** One WebSocket as both ends of the link see it, whichever library or runtime is below. */
export interface LinkSocket {
  /** Text for "ping" and "pong", bytes for frames. Ignored when the socket is no longer open. */
  send(data: string | Uint8Array): void;
  /** Bytes that were given to `send` and have not left yet. */
  bufferedBytes(): number;
  /** Says goodbye; the peer may take its time. */
  close(code: number, reason: string): void;
  /** Drops the connection at once: the only way to be rid of a peer that fell silent. */
  terminate(): void;
}

/** What the owner of a LinkSocket is told. `closed` comes exactly once. */
export interface LinkEvents {
  message(data: string | Uint8Array): void;
  closed(code: number, reason: string): void;
}
