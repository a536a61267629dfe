import type { AdbServerClient } from "@yume-chan/adb";
import { type Clock, pause } from "../../../shared/clock.ts";
import { withDeadline } from "../shell/deadline.ts";
import type { DeviceRow } from "./device-list.ts";

const isNetworkSerial = (serial: string) => /^\S+:\d{1,5}$/.test(serial);
const TRIES = 10;
const PAUSE_MS = 3000;
const CONNECT_MS = 10_000;

/**
 * Phones that somebody connected over the network. A server that was started anew has forgotten them, so it is told
 * of them again. One that was disconnected while its server lived was meant to go and is forgotten here too.
 */
export class NetworkPhones {
  readonly #client: AdbServerClient;
  readonly #clock: Clock;
  readonly #wanted = new Set<string>();
  #present = new Set<string>();
  #isNewServer = false;

  constructor(client: AdbServerClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  serverLost(): void {
    this.#isNewServer = true;
    this.#present = new Set();
  }

  /** Takes a list of the server at hand; `signal` aborts when that server is lost or no longer of interest. */
  update(rows: readonly DeviceRow[], signal: AbortSignal): void {
    const present = new Set(rows.map((row) => row.serial).filter(isNetworkSerial));
    for (const serial of this.#present) if (!present.has(serial)) this.#wanted.delete(serial);
    this.#present = present;
    for (const { serial, state } of rows) if (state === "device" && present.has(serial)) this.#wanted.add(serial);
    if (!this.#isNewServer) return;
    this.#isNewServer = false;
    for (const serial of this.#wanted) if (!present.has(serial)) void this.#reconnect(serial, signal);
  }

  async #reconnect(serial: string, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; attempt < TRIES && !signal.aborted; attempt++) {
      if (this.#present.has(serial)) return;
      const limit = { clock: this.#clock, ms: CONNECT_MS, signal, task: "connect" };
      await withDeadline(limit, (own) => this.#connect(serial, own)).catch(() => {});
      await pause(this.#clock, PAUSE_MS, signal).catch(() => {});
    }
  }

  async #connect(serial: string, signal: AbortSignal): Promise<void> {
    const stream = await this.#client.createConnection(`host:connect:${serial}`, { signal });
    try {
      await stream.readString();
    } finally {
      stream.dispose().catch(() => {});
    }
  }
}
