import type { Socket } from "node:net";
import type { Serve } from "./fake-adb-server.ts";

/** A phone on which scrcpy-server runs, as far as its clipboard goes. */
export class FakeScrcpy {
  clipboard: string | null = null;
  /** Keys pressed by pasting. */
  pasted: string[] = [];
  /** Command lines of the sessions started. */
  started: string[] = [];
  pushedBytes = 0;
  refuses = false;
  /** The server is started and never listens. */
  hangs = false;
  readonly #sockets = new Set<Socket>();

  readonly serve: Serve = (service, socket) => {
    socket.removeAllListeners("data");
    if (service === "sync:") return this.#sync(socket);
    if (service.startsWith("exec:CLASSPATH=")) return this.#start(service, socket);
    if (service.startsWith("localabstract:scrcpy_") && !this.hangs) return this.#control(socket);
    return socket.end("FAIL0006closed");
  };

  /** The server on the phone is killed. */
  die(): void {
    for (const socket of this.#sockets) socket.end();
    this.#sockets.clear();
  }

  #start(service: string, socket: Socket): void {
    this.started.push(service);
    if (this.refuses) {
      socket.end("OKAYAborted \n");
      return;
    }
    socket.write("OKAY");
    this.#keep(socket);
  }

  #sync(socket: Socket): void {
    socket.write("OKAY");
    let waiting = Buffer.alloc(0);
    socket.on("data", (data: Buffer) => {
      waiting = Buffer.concat([waiting, data]);
      while (waiting.length >= 8) {
        const id = waiting.toString("latin1", 0, 4);
        const length = id === "DONE" ? 0 : waiting.readUInt32LE(4);
        if (waiting.length < 8 + length) return;
        if (id === "DATA") this.pushedBytes += length;
        waiting = waiting.subarray(8 + length);
        if (id === "DONE") socket.write(Buffer.concat([Buffer.from("OKAY"), Buffer.alloc(4)]));
      }
    });
  }

  #control(socket: Socket): void {
    socket.write(Buffer.concat([Buffer.from("OKAY"), Buffer.alloc(1)]));
    this.#keep(socket);
    let waiting = Buffer.alloc(0);
    socket.on("data", (data: Buffer) => {
      waiting = Buffer.concat([waiting, data]);
      for (let used = this.#message(waiting, socket); used > 0; used = this.#message(waiting, socket)) {
        waiting = waiting.subarray(used);
      }
    });
  }

  /** Handles one control message; returns its length, or 0 while it is not whole. */
  #message(data: Buffer, socket: Socket): number {
    if (data[0] === 8 && data.length >= 2) {
      if (this.clipboard !== null) {
        const text = Buffer.from(this.clipboard);
        const head = Buffer.alloc(5);
        head.writeUInt32BE(text.length, 1);
        socket.write(Buffer.concat([head, text]));
      }
      return 2;
    }
    if (data[0] !== 9 || data.length < 14) return 0;
    const length = data.readUInt32BE(10);
    if (data.length < 14 + length) return 0;
    this.clipboard = data.toString("utf8", 14, 14 + length);
    if (data[9] === 1) this.pasted.push(this.clipboard);
    socket.write(Buffer.concat([Buffer.of(1), data.subarray(1, 9)]));
    return 14 + length;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
  }

  get openSockets(): number {
    return this.#sockets.size;
  }
}
