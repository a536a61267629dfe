/** One block of a stream of Server-Sent Events: an event, or only a comment. */
export interface ServerEvent {
  id: string | null;
  type: string | null;
  data: string | null;
  comment: string | null;
  retry: string | null;
}

/** Reads blocks as they come; `text` is everything so far, to the byte. */
export interface EventReader {
  /** The next event; comments are passed over. Null at the end. */
  next(): Promise<ServerEvent | null>;
  /** The next block of any kind. */
  nextBlock(): Promise<ServerEvent | null>;
  close(): Promise<void>;
}

export function readEvents(body: ReadableStream<Uint8Array>): EventReader {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffer = "";

  const nextBlock = async (): Promise<ServerEvent | null> => {
    for (;;) {
      const end = buffer.indexOf("\n\n");
      if (end >= 0) {
        const block = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        return parseBlock(block);
      }
      const { done, value } = await reader.read();
      if (done) {
        if (buffer !== "") throw new Error(`The stream ended inside of an event: ${buffer}`);
        return null;
      }
      buffer += decoder.decode(value, { stream: true });
    }
  };

  return {
    nextBlock,
    async next() {
      for (;;) {
        const block = await nextBlock();
        if (block === null || block.data !== null) return block;
      }
    },
    close: () => reader.cancel(),
  };
}

function parseBlock(block: string): ServerEvent {
  const event: ServerEvent = { id: null, type: null, data: null, comment: null, retry: null };
  for (const line of block.split("\n")) {
    const [, field = "", value = ""] = /^(\w*): ?(.*)$/s.exec(line) ?? [];
    if (field === "") event.comment = value;
    else if (field === "id") event.id = value;
    else if (field === "event") event.type = value;
    else if (field === "retry") event.retry = value;
    else if (field === "data") event.data = event.data === null ? value : `${event.data}\n${value}`;
    else throw new Error(`No line of an event: ${line}`);
  }
  return event;
}
