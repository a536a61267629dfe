import { createServer, type Server, type Socket } from "node:net";

/** What the phone of a row does with a service: write, end or reset the socket. */
export type Serve = (service: string, socket: Socket) => void;

/** An adb server reduced to what is asked of it: device lists and services, misbehaving on request. */
export class FakeAdbServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #watchers = new Set<Socket>();
  readonly #serve: Serve;
  #rows = "";
  features = "shell_v2,cmd,stat_v2";

  constructor(serve: Serve = () => {}) {
    this.#serve = serve;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address ? address.port : 0;
  }

  listen(port = 0): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
  }

  /** Dies: every socket is reset and nobody listens any more. */
  async kill(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await closed;
  }

  show(rows: string): void {
    this.#rows = rows;
    for (const socket of this.#watchers) socket.write(framed(rows));
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#sockets.delete(socket);
      this.#watchers.delete(socket);
    });
    let waiting = Buffer.alloc(0);
    const read = (data: Buffer) => {
      waiting = Buffer.concat([waiting, data]);
      while (waiting.length >= 4) {
        const length = Number.parseInt(waiting.toString("latin1", 0, 4), 16);
        if (waiting.length < 4 + length) return;
        const request = waiting.toString("utf8", 4, 4 + length);
        waiting = waiting.subarray(4 + length);
        this.#answer(request, socket);
      }
    };
    socket.on("data", read);
  }

  #answer(request: string, socket: Socket): void {
    if (request === "host:track-devices-l") {
      socket.write(`OKAY${framed(this.#rows)}`);
      this.#watchers.add(socket);
    } else if (request === "host:features") socket.end(`OKAY${framed(this.features)}`);
    else if (request.startsWith("host:transport")) socket.write("OKAY");
    else this.#serve(request, socket);
  }
}

const framed = (text: string) => Buffer.byteLength(text).toString(16).padStart(4, "0") + text;

/** One packet of the shell protocol. */
export function packet(id: 1 | 2 | 3, data: string | Uint8Array): Buffer {
  const body = Buffer.from(data);
  const head = Buffer.alloc(5);
  head[0] = id;
  head.writeUInt32LE(body.length, 1);
  return Buffer.concat([head, body]);
}

/** Serves shell v2 by a function from command to stdout. */
export function shell(run: (command: string) => string | undefined): Serve {
  return (service, socket) => {
    const command = service.replace(/^shell,v2,raw:/, "");
    const answer = run(command);
    if (answer === undefined) socket.write("OKAY");
    else socket.end(Buffer.concat([Buffer.from("OKAY"), packet(1, answer), packet(3, Uint8Array.of(0))]));
  };
}

/** Runs a compound command of `sections` piece by piece. */
export function sections(run: (command: string) => string | undefined): (command: string) => string | undefined {
  return (command) => {
    let output = "";
    for (const piece of command.split("; ")) {
      const mark = /^echo (\S+)$/.exec(piece);
      const answer = mark ? `${mark[1]}\n` : run(piece.replace(/ 2>&1$/, ""));
      if (answer === undefined) return undefined;
      output += answer;
    }
    return output;
  };
}

/** A phone that answers only the question who it is. */
export const identity = (serial: string, androidId: string) =>
  shell(
    sections((command) => {
      if (command === "getprop")
        return `[ro.serialno]: [${serial}]\n[ro.product.model]: [M ${serial}]\n[ro.build.version.release]: [14]\n[sys.boot_completed]: [1]\n`;
      if (command.startsWith("settings")) return `${androidId}\n`;
      return "";
    }),
  );
