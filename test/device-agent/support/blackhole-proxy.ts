import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy that can forget a connection the way a NAT does: nothing passes, and nobody is told. */
export class BlackholeProxy {
  readonly #server = createServer((client) => this.#join(client));
  readonly #pairs: [Socket, Socket][] = [];
  readonly #target: number;

  constructor(targetPort: number) {
    this.#target = targetPort;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Everything that is connected now goes silent; new connections work. */
  swallow(): void {
    for (const [client, upstream] of this.#pairs) {
      client.unpipe(upstream).resume();
      upstream.unpipe(client).resume();
    }
  }

  async stop(): Promise<void> {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket): void {
    const upstream = connect(this.#target, "127.0.0.1");
    this.#pairs.push([client, upstream]);
    client.pipe(upstream);
    upstream.pipe(client);
    client.on("error", () => {});
    upstream.on("error", () => {});
  }
}
