import type { OutputEnds } from "../../../shared/device-control.ts";
import type { Collector } from "./read-socket.ts";

/** Keeps the first and the last bytes of an output of any length. */
export class OutputCollector implements Collector {
  readonly #keep: number;
  readonly #head: Uint8Array[] = [];
  #headLength = 0;
  #tail: Uint8Array[] = [];
  #tailLength = 0;
  #total = 0;

  /** Of each end. */
  constructor(keepBytes: number) {
    this.#keep = keepBytes;
  }

  add(chunk: Uint8Array): void {
    this.#total += chunk.length;
    const first = chunk.subarray(0, this.#keep - this.#headLength);
    if (first.length > 0) this.#head.push(first);
    this.#headLength += first.length;
    this.#addToTail(chunk.subarray(first.length));
  }

  ends(): OutputEnds {
    const tail = Buffer.concat(this.#tail).subarray(-this.#keep);
    return { head: Buffer.concat(this.#head), tail, total: this.#total };
  }

  bytes(): Uint8Array {
    const { head, tail } = this.ends();
    return Buffer.concat([head, tail]);
  }

  #addToTail(rest: Uint8Array): void {
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailLength += rest.length;
    if (this.#tailLength < 4 * this.#keep) return;
    const kept = Buffer.concat(this.#tail).subarray(-this.#keep);
    this.#tail = [kept];
    this.#tailLength = kept.length;
  }
}
