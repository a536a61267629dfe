import { beforeEach, describe, expect, it } from "vitest";
import { createInProcessRelay, type InProcessRelay } from "../../../gateway/relay/in-process.ts";
import { createLink, type Link } from "../../../gateway/relay/link.ts";
import type { RelayCall } from "../../../gateway/relay/relay.ts";
import { CodedError } from "../../../shared/errors.ts";
import { decodeFrame } from "../../../shared/link/frame.ts";
import type { Hello, ToDeviceAgent, ToGateway } from "../../../shared/link/messages.ts";
import { createLogger } from "../../../shared/log.ts";
import { createManualClock, type ManualClock, settled } from "../../support/manual-clock.ts";

const target = { deviceAgentId: "da_1", deviceKey: "phone" };
const noBytes = new Uint8Array();

let clock: ManualClock;
let relay: InProcessRelay;

beforeEach(() => {
  clock = createManualClock();
  const log = createLogger({ source: "test", level: "error", write: () => {}, now: clock.now });
  relay = createInProcessRelay({ clock, log, version: "0.1.0", randomId: () => "0123456789abcdef" });
});

interface TestLink {
  link: Link;
  sent: ToDeviceAgent[];
  closed: number[];
  buffered: number;
  types(): string[];
  receive(message: ToGateway): void;
}

function attach(connectSeq: number, hello: Partial<Hello> = {}): TestLink {
  const sent: ToDeviceAgent[] = [];
  const closed: number[] = [];
  const made: TestLink = {
    sent,
    closed,
    buffered: 0,
    types: () => sent.map(({ type }) => type),
    receive: (message) => relay.ownerOf("da_1").receive(made.link, message, noBytes),
    link: createLink({
      deviceAgentId: "da_1",
      tenant: "default",
      hello: {
        type: "hello",
        protocol: 1,
        oldest: 1,
        version: "0.1.0",
        installId: "install-0123456789",
        name: "desk",
        bootId: "boot-0001",
        connectSeq,
        maxFrameBytes: 1000,
        tools: { tap: "digest", look: "digest" },
        streams: [],
        heldTasks: [],
        ...hello,
      },
      socket: {
        send: (data) => {
          if (typeof data !== "string") sent.push(decodeFrame(data).head as ToDeviceAgent);
        },
        bufferedBytes: () => made.buffered,
        close: (code) => closed.push(code),
        terminate: () => {},
      },
      onSent: () => {},
    }),
  };
  relay.ownerOf("da_1").attach(made.link);
  return made;
}

const lose = ({ link }: TestLink) => relay.ownerOf("da_1").detach(link);

function callOf(tool: "tap" | "look", id = "call-1"): RelayCall {
  return {
    id,
    tool,
    toolDigest: "digest",
    effect: tool === "tap" ? "write" : "read",
    arguments: {},
    digest: "arguments",
    principal: { tenant: "default", subject: "owner" },
    scopes: ["screen:write"],
    timeoutMs: 40_000,
  };
}

/** Starts a call and tells how it ended, or "pending". */
function start(tool: "tap" | "look", id?: string) {
  let outcome = "pending";
  relay.call(target, callOf(tool, id)).then(
    ({ output }) => {
      outcome = JSON.stringify(output);
    },
    (error: CodedError) => {
      outcome = error.code;
    },
  );
  return { outcome: () => settled().then(() => outcome) };
}

const answer = (id = "call-1"): ToGateway => ({ type: "result", id, output: { done: true }, pictures: [] });

describe("a read whose link is lost", () => {
  it("is sent again on the next link and answered", async () => {
    const first = attach(1);
    const call = start("look");
    lose(first);
    await clock.advance(5_000);
    const second = attach(2);
    expect(second.types()).toEqual(["call"]);
    expect(second.sent[0]).toMatchObject({ id: "call-1", timeoutMs: 34_000 });
    second.receive(answer());
    expect(await call.outcome()).toBe('{"done":true}');
  });

  it("is device_offline when no link comes back by its deadline", async () => {
    const first = attach(1);
    const call = start("look");
    lose(first);
    await clock.advance(39_999);
    expect(await call.outcome()).toBe("pending");
    await clock.advance(1);
    expect(await call.outcome()).toBe("device_offline");
  });
});

describe("a write whose link is lost", () => {
  const lostWrite = () => {
    const first = attach(1);
    const call = start("tap");
    lose(first);
    return call;
  };

  it("is asked for, not sent again, and its stored answer is delivered", async () => {
    const call = lostWrite();
    const second = attach(2);
    expect(second.types()).toEqual(["recall"]);
    second.receive(answer());
    expect(await call.outcome()).toBe('{"done":true}');
  });

  it("is waited for while it still runs", async () => {
    const call = lostWrite();
    const second = attach(2);
    second.receive({ type: "call_state", id: "call-1", state: "running" });
    await clock.advance(10_000);
    expect(await call.outcome()).toBe("pending");
    second.receive(answer());
    expect(await call.outcome()).toBe('{"done":true}');
  });

  it("is sent again only if the same boot says that it never saw it", async () => {
    const call = lostWrite();
    const second = attach(2);
    second.receive({ type: "call_state", id: "call-1", state: "unknown" });
    expect(second.types()).toEqual(["recall", "call"]);
    second.receive(answer());
    expect(await call.outcome()).toBe('{"done":true}');
  });

  it("is outcome_unknown when another boot never saw it", async () => {
    const call = lostWrite();
    const second = attach(2, { bootId: "boot-0002" });
    second.receive({ type: "call_state", id: "call-1", state: "unknown" });
    expect(second.types()).toEqual(["recall"]);
    expect(await call.outcome()).toBe("outcome_unknown");
  });

  it("is outcome_unknown when no link comes back by its deadline", async () => {
    const call = lostWrite();
    await clock.advance(40_000);
    expect(await call.outcome()).toBe("outcome_unknown");
  });

  it("survives a second loss", async () => {
    const call = lostWrite();
    const second = attach(2);
    lose(second);
    const third = attach(3);
    expect(third.types()).toEqual(["recall"]);
    third.receive(answer());
    expect(await call.outcome()).toBe('{"done":true}');
  });
});

describe("a call without a link", () => {
  it("waits ten seconds for a device agent after the gateway started", async () => {
    const call = start("tap");
    await clock.advance(9_000);
    const link = attach(1);
    expect(link.types()).toEqual(["call"]);
    link.receive(answer());
    expect(await call.outcome()).toBe('{"done":true}');
  });

  it("is device_offline when nobody dials in that time", async () => {
    const call = start("tap");
    await clock.advance(10_000);
    expect(await call.outcome()).toBe("device_offline");
  });

  it("is busy when 64 others wait already", async () => {
    for (let count = 0; count < 64; count++) start("look", `call-${count}`);
    expect(await start("look", "one more").outcome()).toBe("device_busy");
  });

  it("is device_offline at once when the link is lost for longer", async () => {
    lose(attach(1));
    await clock.advance(10_000);
    expect(await start("look").outcome()).toBe("device_offline");
  });
});

describe("a newer link", () => {
  it("closes the older one with 4001 and takes its calls over", async () => {
    const first = attach(1);
    const call = start("look");
    const second = attach(2);
    expect(first.closed).toEqual([4001]);
    first.receive(answer());
    expect(await call.outcome()).toBe("pending");
    second.receive(answer());
    expect(await call.outcome()).toBe('{"done":true}');
  });

  it("stays when the older one closes late", async () => {
    const first = attach(1);
    const second = attach(2);
    lose(first);
    expect([...(await relay.online(["da_1"]))]).toEqual(["da_1"]);
    const call = start("look");
    second.receive(answer());
    expect(await call.outcome()).toBe('{"done":true}');
  });

  it("is only one with a higher number", async () => {
    const second = attach(2);
    const late = attach(1);
    expect(second.closed).toEqual([]);
    start("look");
    expect([second.types(), late.types()]).toEqual([["call"], []]);
  });
});

describe("a call that is given up", () => {
  const startCancelable = () => {
    const client = new AbortController();
    const pending = relay.call(target, callOf("tap"), { signal: client.signal }).catch(({ code }) => code);
    return { client, pending };
  };

  it("is canceled at the device agent", async () => {
    const link = attach(1);
    const { client, pending } = startCancelable();
    client.abort();
    expect(await pending).toBe("canceled");
    expect(link.types()).toEqual(["call", "cancel"]);
    expect(relay.pendingCalls()).toBe(0);
  });

  it("is canceled on the next link when there is none", async () => {
    const first = attach(1);
    const { client, pending } = startCancelable();
    lose(first);
    client.abort();
    expect(await pending).toBe("canceled");
    expect(attach(2).sent).toEqual([{ type: "cancel", id: "call-1" }]);
  });

  it("before it was sent never reaches the device agent", async () => {
    const { client, pending } = startCancelable();
    client.abort();
    expect(await pending).toBe("canceled");
    expect(attach(1).sent).toEqual([]);
  });

  it("by one of two that share it goes on for the other", async () => {
    const link = attach(1);
    const { client, pending } = startCancelable();
    const other = start("tap");
    client.abort();
    expect(await pending).toBe("canceled");
    expect(link.types()).toEqual(["call"]);
    link.receive(answer());
    expect(await other.outcome()).toBe('{"done":true}');
  });

  it("at its deadline is canceled at the device agent too", async () => {
    const link = attach(1);
    const call = start("tap");
    await clock.advance(40_000);
    expect(await call.outcome()).toBe("deadline_exceeded");
    expect(link.types()).toEqual(["call", "cancel"]);
  });
});

describe("a link that cannot take a call", () => {
  it("because of another form of the tool says which versions there are", async () => {
    attach(1, { tools: { tap: "other" }, version: "0.9.0" });
    const error: CodedError = await relay.call(target, callOf("tap")).catch((thrown) => thrown);
    expect(error.code).toBe("unsupported");
    expect(error.hint).toBe(
      "The gateway is version 0.1.0 and the device agent 0.9.0: install the same version on both.",
    );
  });

  it("because its buffer is full is busy", async () => {
    const link = attach(1);
    link.buffered = 16 * 1024 * 1024 + 1;
    expect(await start("look").outcome()).toBe("device_busy");
  });

  it("because 64 calls are under way is busy for the next one", async () => {
    attach(1);
    for (let count = 0; count < 64; count++) start("look", `call-${count}`);
    expect(await start("look", "one more").outcome()).toBe("device_busy");
    expect(relay.pendingCalls()).toBe(64);
  });
});

it("a gateway that stops ends every call and closes every link with 1001", async () => {
  const link = attach(1);
  const call = start("tap");
  relay.drain(1_000);
  relay.stop(new CodedError("device_offline", "The gateway stops."));
  expect(await call.outcome()).toBe("device_offline");
  expect(link.types()).toEqual(["call", "drain", "cancel"]);
  expect(link.closed).toEqual([1001]);
  expect(await start("look").outcome()).toBe("device_offline");
});
