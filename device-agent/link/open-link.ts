import type { Clock } from "../../shared/clock.ts";
import { limits } from "../../shared/limits.ts";
import { encodeFrame } from "../../shared/link/frame.ts";
import { createHeartbeat, type Heartbeat } from "../../shared/link/heartbeat.ts";
import { closeCodes, type Hello, linkProtocol, type ToDeviceAgent, type Welcome } from "../../shared/link/messages.ts";
import { createDeferred } from "./deferred.ts";
import type { Dial, DialTarget } from "./dial.ts";
import { endOfClose, endOfDecline, endOfRefusal, type LinkEnd, unreadable } from "./link-end.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { readMessage } from "./read-message.ts";

/** How long dialling may take, and then the gateway's welcome. */
const greetingMs = 10_000;

/** The sending side of one link that is up; it goes nowhere once that link has ended. */
export type LinkConnection = Pick<Outbox, "send">;

export interface OpenLinkEvents {
  welcomed(welcome: Welcome, connection: LinkConnection): void;
  message(message: ToDeviceAgent, connection: LinkConnection): void;
}

export interface OpenLink {
  /** Resolves when the link is of no use any more, even if its socket lingers. */
  ended: Promise<LinkEnd>;
  /** Resolves when the socket is gone. */
  gone: Promise<void>;
  close(code: number, reason: string): void;
}

/** One attempt: dials, says hello, and carries messages until something ends it. */
export function openLink(options: {
  clock: Clock;
  dial: Dial;
  target: DialTarget;
  hello: Hello;
  events: OpenLinkEvents;
}): OpenLink {
  const { clock, dial, target, hello, events } = options;
  const ended = createDeferred<LinkEnd>();
  const gone = createDeferred<void>();
  let phase: "dialling" | "greeting" | "up" | "ended" = "dialling";
  let declined: number | undefined;
  let upAt = 0;
  let heartbeat: Heartbeat | undefined;
  let outbox: Outbox | undefined;

  const upMs = () => (phase === "up" ? clock.now() - upAt : 0);
  const lost = (reason: string): LinkEnd => ({ kind: "lost", reason, upMs: upMs() });
  const end = (how: LinkEnd) => {
    if (phase === "ended") return;
    phase = "ended";
    callOffGreeting();
    heartbeat?.stop();
    outbox?.end();
    ended.resolve(how);
  };
  const drop = (reason: string) => {
    end(lost(reason));
    socket.terminate();
  };
  const leave = (how: LinkEnd, code: number, reason: string) => {
    end(how);
    socket.close(code, reason);
  };
  const limit = (what: string) => clock.after(greetingMs, () => drop(`${what} within ${greetingMs / 1000} s`));

  const violated = (rule: string) => {
    leave(phase === "up" ? lost(rule) : unreadable(rule), closeCodes.protocol, rule.slice(0, 120));
  };

  const greet = (message: ToDeviceAgent) => {
    if (message.type === "refused") return leave(endOfRefusal(message.error), closeCodes.goingAway, "refused");
    if (message.type !== "welcome") return violated("The gateway's first message is not a welcome.");
    if (message.protocol < linkProtocol.oldest || message.protocol > linkProtocol.newest) {
      return violated(`The gateway wants to speak protocol ${message.protocol}.`);
    }
    callOffGreeting();
    phase = "up";
    upAt = clock.now();
    const maxFrameBytes = Math.min(limits.linkFrameBytes, message.maxFrameBytes);
    const beat = createHeartbeat({
      clock,
      intervalMs: Math.min(limits.pingMs, message.pingMs || limits.pingMs),
      ping: () => socket.send("ping"),
      silent: () => drop("the gateway fell silent"),
    });
    heartbeat = beat;
    outbox = createOutbox({ clock, socket, maxFrameBytes, sent: () => beat.sent() });
    events.welcomed(message, outbox);
  };

  const receive = (data: string | Uint8Array) => {
    if (phase === "ended") return;
    heartbeat?.received();
    if (typeof data === "string") return;
    const message = readMessage(data);
    if (message.kind === "malformed") return violated(message.problem);
    if (message.kind === "unknown") return;
    if (phase === "greeting") greet(message.message);
    else if (outbox) events.message(message.message, outbox);
  };

  let callOffGreeting = limit("no connection");
  const socket = dial(target, {
    opened() {
      if (phase !== "dialling") return socket.terminate();
      phase = "greeting";
      callOffGreeting();
      callOffGreeting = limit("no welcome");
      socket.send(encodeFrame(hello));
    },
    declined(status) {
      declined = status;
    },
    message: receive,
    closed(code, reason) {
      end(declined === undefined ? endOfClose(code, reason, upMs()) : endOfDecline(declined));
      gone.resolve();
    },
  });

  return {
    ended: ended.promise,
    gone: gone.promise,
    close: (code, reason) => leave(lost("closed by this device agent"), code, reason),
  };
}
