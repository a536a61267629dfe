import { createServer, type Server } from "node:net";
import type { Quirks } from "../options.ts";
import {
  type AdbdConnection,
  type ConnectionIdentity,
  createAdbdConnection,
  type IncomingStream,
  type KeyStore,
} from "./connection.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface AdbdServer {
  listen(address: { host?: string; port?: number }): Promise<Address>;
  /** Drops every connection, as when the cable is pulled; new ones are welcome. */
  dropConnections(): void;
  setFrozen(isFrozen: boolean): void;
  close(): Promise<void>;
}

export interface AdbdServerDependencies {
  readonly identity: ConnectionIdentity;
  readonly keyStore: KeyStore;
  readonly log: (line: string) => void;
  onOpen(stream: IncomingStream, connection: AdbdConnection): void;
  onDisconnected(connection: AdbdConnection): void;
}

export function createAdbdServer(dependencies: AdbdServerDependencies): AdbdServer {
  const connections = new Set<AdbdConnection>();
  let isFrozen = false;
  let server: Server | undefined;

  function start(): Server {
    return createServer((socket) => {
      const connection = createAdbdConnection(socket, {
        ...dependencies,
        onClosed(closed) {
          connections.delete(closed);
          dependencies.onDisconnected(closed);
        },
      });
      connections.add(connection);
      if (isFrozen) connection.setFrozen(true);
    });
  }

  function dropConnections(): void {
    for (const connection of [...connections]) connection.destroy();
  }

  return {
    async listen({ host = "127.0.0.1", port = 0 }) {
      const listening = start();
      await new Promise<void>((resolve, reject) => {
        listening.once("error", reject);
        listening.listen(port, host, () => {
          listening.off("error", reject);
          resolve();
        });
      });
      server = listening;
      const address = listening.address();
      if (address === null || typeof address === "string") throw new Error("adbd is not listening on TCP");
      return { host: address.address, port: address.port };
    },
    dropConnections,
    setFrozen(frozen) {
      isFrozen = frozen;
      for (const connection of connections) connection.setFrozen(frozen);
    },
    async close() {
      const closing = server;
      server = undefined;
      if (!closing) return;
      const closed = new Promise<void>((resolve) => closing.close(() => resolve()));
      dropConnections();
      await closed;
    },
  };
}

/** Only what is implemented is announced; a host then asks for nothing else. */
const FEATURES = [
  "shell_v2",
  "cmd",
  "stat_v2",
  "ls_v2",
  "fixed_push_mkdir",
  "apex",
  "fixed_push_symlink_timestamp",
  "remount_shell",
  "sendrecv_v2",
  "delayed_ack",
];
const OLD_FEATURES = ["cmd"];

export function connectionIdentity(
  product: { name: string; model: string; device: string },
  quirks: Quirks,
): ConnectionIdentity {
  const banner = `device::ro.product.name=${product.name};ro.product.model=${product.model};ro.product.device=${product.device};`;
  return quirks.oldAndroid
    ? { protocolVersion: 0x01000000, maxPayloadBytes: 256 * 1024, features: OLD_FEATURES, banner }
    : { protocolVersion: 0x01000001, maxPayloadBytes: 1024 * 1024, features: FEATURES, banner };
}
