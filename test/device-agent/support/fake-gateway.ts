import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { decodeFrame, encodeFrame } from "../../../shared/link/frame.ts";
import { type Hello, type ToDeviceAgent, type ToGateway, toGatewaySchema } from "../../../shared/link/messages.ts";

/** One link as the gateway sees it. */
export interface GatewayLink {
  hello: Hello;
  authorization: string | undefined;
  extensions: string;
  received: { message: ToGateway; body: Uint8Array }[];
  closed: { code: number } | undefined;
  socket: WebSocket;
  send(message: ToDeviceAgent): void;
  /** Waits for the first message that fits. */
  wait<T extends ToGateway["type"]>(type: T, id?: string): Promise<Extract<ToGateway, { type: T }>>;
}

/** One stream's socket. */
export interface GatewayStream {
  url: string;
  authorization: string | undefined;
  chunks: Uint8Array[];
  texts: string[];
  closed: { code: number } | undefined;
  socket: WebSocket;
}

/** A gateway that speaks the link and nothing else, on a loopback port. */
export class FakeGateway {
  readonly links: GatewayLink[] = [];
  readonly streams: GatewayStream[] = [];
  pingMs = 25_000;
  maxFrameBytes = 8_388_608;
  answersPings = true;
  /** Refuses upgrades with this HTTP status. */
  declines: number | undefined;
  readonly #server = createServer();
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: true });

  async start(port = 0): Promise<void> {
    this.#server.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The link with this number, counted from 1, once it has said hello. */
  async link(number: number): Promise<GatewayLink> {
    return vi.waitFor(
      () => {
        const link = this.links[number - 1];
        if (!link) throw new Error(`There are ${this.links.length} links.`);
        return link;
      },
      { timeout: 10_000, interval: 5 },
    );
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.declines) return void socket.end(`HTTP/1.1 ${this.declines} No\r\nContent-Length: 0\r\n\r\n`);
    this.#sockets.handleUpgrade(request, socket, head, (accepted) => {
      if (request.url?.startsWith("/link/stream/")) this.#acceptStream(request, accepted);
      else this.#acceptLink(request, accepted);
    });
  }

  #acceptStream(request: IncomingMessage, socket: WebSocket): void {
    const { authorization } = request.headers;
    const stream: GatewayStream = {
      url: request.url ?? "",
      authorization,
      chunks: [],
      texts: [],
      closed: undefined,
      socket,
    };
    this.streams.push(stream);
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) stream.chunks.push(data);
      else stream.texts.push(data.toString());
    });
    socket.on("close", (code) => {
      stream.closed = { code };
    });
  }

  #acceptLink(request: IncomingMessage, socket: WebSocket): void {
    let link: GatewayLink | undefined;
    socket.on("message", (data: Buffer, isBinary) => {
      if (!isBinary) return this.answersPings ? socket.send("pong") : undefined;
      const { head, body } = decodeFrame(data);
      const message = toGatewaySchema.parse(head);
      if (message.type === "hello") {
        link = this.#greet(message, request, socket);
        return this.links.push(link);
      }
      link?.received.push({ message, body });
    });
    socket.on("close", (code) => {
      if (link) link.closed = { code };
    });
  }

  #greet(hello: Hello, request: IncomingMessage, socket: WebSocket): GatewayLink {
    const send = (message: ToDeviceAgent) => socket.send(encodeFrame(message));
    const { pingMs, maxFrameBytes } = this;
    send({ type: "welcome", protocol: 1, version: "0.1.0", deviceAgentId: "da_1", pingMs, maxFrameBytes });
    const received: GatewayLink["received"] = [];
    return {
      hello,
      authorization: request.headers.authorization,
      extensions: socket.extensions,
      received,
      closed: undefined,
      socket,
      send,
      wait: (type, id) =>
        vi.waitFor(
          () => {
            const found = received.find(
              ({ message }) => message.type === type && (id === undefined || ("id" in message && message.id === id)),
            );
            if (!found) throw new Error(`No ${type} came.`);
            return found.message as Extract<ToGateway, { type: typeof type }>;
          },
          { timeout: 10_000, interval: 5 },
        ),
    };
  }
}
