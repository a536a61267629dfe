/** Waiting times that grow from `firstMs` to `mostMs`, each shortened by up to a fifth at random. */
export class BackOff {
  readonly #firstMs: number;
  readonly #mostMs: number;
  readonly #random: () => number;
  #nextMs: number;

  constructor(firstMs: number, mostMs: number, random: () => number) {
    this.#firstMs = firstMs;
    this.#mostMs = mostMs;
    this.#random = random;
    this.#nextMs = firstMs;
  }

  next(): number {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(this.#mostMs, ms * 2);
    return ms * (1 - 0.2 * this.#random());
  }

  reset(): void {
    this.#nextMs = this.#firstMs;
  }
}
