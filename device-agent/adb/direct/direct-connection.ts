import type { Socket } from "node:net";
import { Adb, type AdbDaemonTransport, type AdbSocket } from "@yume-chan/adb";
import type { Clock } from "../../../shared/clock.ts";
import { CodedError } from "../../../shared/errors.ts";
import { abortError, adbFailure, UnansweredOpen } from "../errors.ts";
import type { PhoneConnection } from "../phones/connection.ts";

/** A connection that was silent for so long when a command is given up is suspected to be dead. */
const SUSPICIOUS_SILENCE_MS = 4000;
const PING_MS = 4000;

/** One connection to adbd that we dialled ourselves. */
export class DirectConnection implements PhoneConnection {
  readonly features: readonly string[];
  readonly maxServiceBytes: number;
  readonly adb: Adb;
  /** Settles when the connection is over, for whatever reason. */
  readonly lost: Promise<void>;
  readonly #transport: AdbDaemonTransport;
  readonly #socket: Socket;
  readonly #clock: Clock;
  /** What waits for an answer. A promise for the loss would gather one reaction for each command, for ever. */
  readonly #waiting = new Set<(error: CodedError) => void>();
  #heardAt: number;
  #isPinging = false;

  constructor(transport: AdbDaemonTransport, socket: Socket, clock: Clock) {
    this.features = transport.banner.features;
    this.maxServiceBytes = Math.min(65_535, transport.maxPayloadSize);
    this.adb = new Adb(transport);
    this.#transport = transport;
    this.#socket = socket;
    this.#clock = clock;
    this.#heardAt = clock.now();
    socket.on("data", () => {
      this.#heardAt = clock.now();
    });
    this.lost = new Promise((resolve) => socket.once("close", () => resolve()));
    socket.once("close", () => this.#failWaiting());
  }

  close(): void {
    this.#socket.destroy();
  }

  /** The library neither honours a signal here nor settles when the connection is lost. */
  open(service: string, signal: AbortSignal): Promise<AdbSocket> {
    if (signal.aborted) return Promise.reject(abortError(signal));
    if (this.#socket.destroyed) return Promise.reject(connectionLost(undefined));
    signal.addEventListener("abort", this.#suspect, { once: true });
    return new Promise((resolve, reject) => {
      const opening = Promise.resolve(this.#transport.connect(service));
      const end = (settle: () => void) => {
        this.#waiting.delete(fail);
        signal.removeEventListener("abort", onAbort);
        settle();
      };
      const fail = (error: CodedError) => {
        opening.then((socket) => socket.close()).catch(() => {});
        end(() => reject(error));
      };
      const onAbort = () => fail(abortError(signal));
      this.#waiting.add(fail);
      signal.addEventListener("abort", onAbort, { once: true });
      opening.then(
        (socket) => end(() => resolve(socket)),
        (error) => end(() => reject(adbFailure(error))),
      );
    });
  }

  #failWaiting(): void {
    const error = connectionLost(new UnansweredOpen(new Error("connection lost")));
    for (const fail of [...this.#waiting]) fail(error);
  }

  /** Lost Wi-Fi sends no farewell. When a command is given up in silence, the phone is asked for a sign of life. */
  readonly #suspect = (): void => {
    const silentMs = this.#clock.now() - this.#heardAt;
    if (silentMs < SUSPICIOUS_SILENCE_MS || this.#isPinging || this.#socket.destroyed) return;
    this.#isPinging = true;
    const askedAt = this.#clock.now();
    this.#clock.after(PING_MS, () => {
      this.#isPinging = false;
      if (this.#heardAt < askedAt) this.close();
    });
    Promise.resolve(this.#transport.connect("shell:true"))
      .then((socket) => socket.close())
      .catch(() => {});
  };
}

const connectionLost = (cause: unknown) =>
  new CodedError("device_offline", "The connection to the phone was lost.", { cause });
