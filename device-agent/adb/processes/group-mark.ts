import type { Collector } from "../shell/read-socket.ts";

/** Takes the first line off an output, in which the shell tells its process group, and passes on the rest. */
export class GroupMark implements Collector {
  readonly #mark: string;
  readonly #rest: Collector;
  #line: Uint8Array | null = new Uint8Array(0);
  #group: number | undefined;

  constructor(mark: string, rest: Collector) {
    this.#mark = mark;
    this.#rest = rest;
  }

  /** Undefined until the shell has told it. */
  get group(): number | undefined {
    return this.#group;
  }

  add(chunk: Uint8Array): void {
    if (this.#line === null) this.#rest.add(chunk);
    else this.#addToLine(Buffer.concat([this.#line, chunk]));
  }

  #addToLine(all: Buffer): void {
    const end = all.indexOf(10);
    this.#line = end < 0 ? all : null;
    if (end < 0) return;
    const [mark, group = ""] = all.toString("latin1", 0, end).trim().split(" ");
    const isTold = mark === this.#mark && /^\d{1,9}$/.test(group);
    if (isTold) this.#group = Number(group);
    this.#rest.add(isTold ? all.subarray(end + 1) : all);
  }

  bytes(): Uint8Array {
    return this.#rest.bytes();
  }
}
