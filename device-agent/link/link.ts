import { type Clock, pause } from "../../shared/clock.ts";
import { closeCodes, type Hello, type ToDeviceAgent, type Welcome } from "../../shared/link/messages.ts";
import type { Logger } from "../../shared/log.ts";
import { type BackOff, backOffTimes, createBackOff } from "./back-off.ts";
import type { Dial } from "./dial.ts";
import type { LinkEnd } from "./link-end.ts";
import { type LinkConnection, type OpenLink, openLink } from "./open-link.ts";

/** A gateway may not send us away for longer than this. */
const longestDrainMs = 10 * 60_000;
/** How long a goodbye may take when the process stops. */
const goodbyeMs = 1_000;

export interface LinkEvents {
  linked(welcome: Welcome, connection: LinkConnection): void;
  message(message: ToDeviceAgent, connection: LinkConnection): void;
  /** The link, or an attempt, ended; the next attempt comes after `retryInMs`. */
  unlinked(reason: string, retryInMs: number): void;
}

export interface LinkOptions {
  clock: Clock;
  random: () => number;
  log: Logger;
  dial: Dial;
  url: string;
  /** Asked before every attempt. */
  token: () => Promise<string>;
  /** Asked before every attempt; `connectSeq` in it is already stored. */
  hello: () => Promise<Hello>;
  events: LinkEvents;
}

/** The link as long as the process lives: dials, and dials again whatever the reason of an end was. */
export interface Link {
  start(): void;
  stop(): Promise<void>;
}

export function createLink(options: LinkOptions): Link {
  const { clock, random, log, events } = options;
  const backOff = createBackOff(random);
  const stopping = new AbortController();
  let current: OpenLink | undefined;
  let running: Promise<void> = Promise.resolve();

  /** One attempt from hello to end; resolves with the time to wait before the next one. */
  const attempt = async (): Promise<number> => {
    const [hello, token] = [await options.hello(), await options.token()];
    if (stopping.signal.aborted) return 0;
    let redialAt: number | undefined;
    const link = openLink({
      clock,
      dial: options.dial,
      target: { url: options.url, token, maxFrameBytes: hello.maxFrameBytes },
      hello,
      events: {
        welcomed: events.linked,
        message(message, connection) {
          if (message.type !== "drain") return events.message(message, connection);
          const waitMs = Math.min(message.reconnectInMs, longestDrainMs);
          const spreadMs = random() * Math.max(backOffTimes.baseMs, waitMs);
          redialAt = clock.now() + waitMs + spreadMs;
          log.info("The gateway is about to stop; dialling again later", { inMs: Math.round(waitMs + spreadMs) });
          clock.after(waitMs + spreadMs, () => link.close(closeCodes.goingAway, "drained"));
        },
      },
    });
    current = link;
    const end = await link.ended;
    current = undefined;
    if (stopping.signal.aborted) return 0;
    const retryInMs = redialAt === undefined ? delayAfter(end, backOff) : Math.max(0, redialAt - clock.now());
    tell(log, end, retryInMs);
    events.unlinked(reasonOf(end), retryInMs);
    return retryInMs;
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      const retryInMs = await attempt().catch((cause: unknown) => {
        log.error("An attempt to dial the gateway failed", { cause });
        return backOff.next();
      });
      await pause(clock, retryInMs, stopping.signal).catch(() => {});
    }
  };

  return {
    start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      const last = current;
      last?.close(closeCodes.goingAway, "the device agent stops");
      await Promise.all([running, last && Promise.race([last.gone, pause(clock, goodbyeMs)])]);
    },
  };
}

function delayAfter(end: LinkEnd, backOff: BackOff): number {
  if (end.kind === "refused") return backOff.slow(end.error.retryAfterMs);
  if (end.kind !== "lost") return backOff.slow();
  if (end.upMs >= backOffTimes.stableMs) backOff.stable();
  return backOff.next();
}

function reasonOf(end: LinkEnd): string {
  if (end.kind === "refused") return end.error.message;
  return end.kind === "replaced" ? "another process with this identity took over" : end.reason;
}

function tell(log: Logger, end: LinkEnd, retryInMs: number): void {
  const fields = { reason: reasonOf(end), retryInMs: Math.round(retryInMs) };
  if (end.kind === "unauthorized") {
    log.error("The gateway refused the token. Give a valid one with --token or --token-file", fields);
  } else if (end.kind === "replaced") {
    log.warn("Two device agents use one identity: is a copy of the data directory running elsewhere?", fields);
  } else if (end.kind === "refused") {
    log.error("The gateway refused this device agent", { ...fields, hint: end.error.hint });
  } else {
    log.warn("No link to the gateway", fields);
  }
}
