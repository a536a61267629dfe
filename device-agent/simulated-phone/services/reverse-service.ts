import { createServer, type Server } from "node:net";
import type { AdbdConnection } from "../adbd/connection.ts";
import { joinStreams } from "../phone/duplex-stream.ts";
import type { LocalSockets } from "../phone/local-sockets.ts";
import type { Service } from "./service.ts";
import { socketStream } from "./socket-stream.ts";

/** Ports and names of the phone that lead to the host. They die with their connection. */
export interface ReverseForwards {
  add(
    connection: AdbdConnection,
    local: string,
    remote: string,
    mayRebind: boolean,
  ): Promise<{ port?: number } | { problem: string }>;
  remove(local: string): boolean;
  removeAll(connection?: AdbdConnection): void;
  list(): readonly (readonly [string, string])[];
}

interface Forward {
  readonly connection: AdbdConnection;
  readonly remote: string;
  close(): void;
}

export function createReverseForwards(sockets: LocalSockets): ReverseForwards {
  const forwards = new Map<string, Forward>();

  async function listen(
    connection: AdbdConnection,
    local: string,
    remote: string,
  ): Promise<{ close: () => void; port?: number } | undefined> {
    const name = /^local(?:abstract|reserved|filesystem)?:(.+)$/.exec(local)?.[1];
    if (name !== undefined) {
      const close = sockets.listen(
        name,
        (stream) => void joinStreams(stream, connection.openToHost(remote)).catch(() => stream.destroy()),
      );
      return close && { close };
    }
    const port = Number(/^tcp:(\d+)$/.exec(local)?.[1]);
    if (!Number.isInteger(port)) return undefined;
    const server = createServer((socket) => {
      const stream = socketStream(socket);
      joinStreams(stream, connection.openToHost(remote)).catch(() => stream.destroy());
    });
    const actual = await listenOn(server, port);
    return actual === undefined ? undefined : { close: () => server.close(), port: actual };
  }

  function remove(local: string): boolean {
    forwards.get(local)?.close();
    return forwards.delete(local);
  }

  return {
    async add(connection, local, remote, mayRebind) {
      if (forwards.has(local)) {
        if (!mayRebind) return { problem: `cannot rebind existing socket` };
        remove(local);
      }
      const listener = await listen(connection, local, remote);
      if (!listener) return { problem: `cannot bind listener: Address already in use` };
      forwards.set(local === "tcp:0" ? `tcp:${listener.port}` : local, { connection, remote, close: listener.close });
      return listener.port === undefined ? {} : { port: listener.port };
    },
    remove,
    removeAll(connection) {
      for (const [local, forward] of [...forwards]) if (!connection || forward.connection === connection) remove(local);
    },
    list: () => [...forwards].map(([local, forward]) => [local, forward.remote] as const),
  };
}

function listenOn(server: Server, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(address !== null && typeof address !== "string" ? address.port : undefined);
    });
  });
}

/** `reverse:forward:…`, `killforward:…`, `killforward-all`, `list-forward`. */
export const reverseService: Service = async ({ argument, incoming, connection, reverse }) => {
  const stream = incoming.accept();
  const okay = Buffer.from("OKAY");
  const [, verb = "", rest = ""] = /^([\w-]+):?(.*)$/.exec(argument) ?? [];
  if (verb === "list-forward") {
    const lines = reverse.list().map(([local, remote]) => `(reverse) ${local} ${remote}\n`);
    // The list alone comes without an OKAY before it.
    await stream.write(prefixed(lines.join("")));
  } else if (verb === "killforward-all") {
    reverse.removeAll();
    await stream.write(okay);
  } else if (verb === "killforward") {
    await stream.write(reverse.remove(rest) ? okay : failure(`listener '${rest}' not found`));
  } else if (verb === "forward") {
    const mayRebind = !rest.startsWith("norebind:");
    const [local = "", remote = ""] = rest.replace(/^norebind:/, "").split(";");
    const added = await reverse.add(connection, local, remote, mayRebind);
    if ("problem" in added) await stream.write(failure(added.problem));
    else await stream.write(added.port === undefined ? okay : Buffer.concat([okay, prefixed(String(added.port))]));
  } else await stream.write(failure(`unknown reverse command ${verb}`));
  await stream.end();
};

function prefixed(text: string): Buffer {
  return Buffer.from(Buffer.byteLength(text).toString(16).padStart(4, "0") + text);
}

function failure(text: string): Buffer {
  return Buffer.concat([Buffer.from("FAIL"), prefixed(text)]);
}
