import { connect, createServer, type Socket } from "node:net";

/** A cable between two programs that a test can cut, or fill with concrete. */
export interface TcpProxy {
  address: string;
  port: number;
  /** Drops every connection now; new ones are refused until `restore`. */
  cut(): void;
  restore(): void;
  /** Bytes no longer pass in either direction, and nobody is told. */
  freeze(): void;
  thaw(): void;
  connections(): number;
  close(): Promise<void>;
}

export async function createTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>();
  let isCut = false;
  let isFrozen = false;

  const server = createServer((near) => {
    if (isCut) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(target);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.setNoDelay(true);
      from.on("data", (bytes) => to.write(bytes));
      from.on("end", () => to.end());
      from.on("error", () => to.destroy());
      from.on("close", () => {
        to.destroy();
        pairs.delete(pair);
      });
      if (isFrozen) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The proxy has no port.");

  const dropAll = () => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  };
  return {
    address: `127.0.0.1:${address.port}`,
    port: address.port,
    cut() {
      isCut = true;
      dropAll();
    },
    restore() {
      isCut = false;
    },
    freeze() {
      isFrozen = true;
      for (const socket of [...pairs].flat()) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of [...pairs].flat()) socket.resume();
    },
    connections: () => pairs.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        dropAll();
      }),
  };
}
