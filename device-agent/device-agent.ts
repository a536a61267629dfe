import type { BuildIdentity } from "../shared/build-identity.ts";
import { type Clock, pause } from "../shared/clock.ts";
import { limits } from "../shared/limits.ts";
import { type DeviceReport, linkProtocol, type ToDeviceAgent, type Welcome } from "../shared/link/messages.ts";
import type { Logger } from "../shared/log.ts";
import type { DeviceTool } from "../shared/tools/define-tool.ts";
import { createDispatch, type DispatchDeps } from "./calls/dispatch.ts";
import { createGate } from "./calls/gate.ts";
import { createPicturesSeen } from "./calls/pictures-seen.ts";
import type { Identity } from "./identity/identity.ts";
import { withUse } from "./leases/leased-phones.ts";
import type { Leases } from "./leases/leases.ts";
import { createDeviceReports } from "./link/device-reports.ts";
import type { Dial } from "./link/dial.ts";
import { createLink } from "./link/link.ts";
import type { LinkConnection } from "./link/open-link.ts";
import { createStreams, type StreamSource } from "./link/streams.ts";
import type { Phones } from "./phones.ts";
import type { Policy } from "./policy/policy.ts";
import { createPhoneQueues } from "./queue/phone-queues.ts";
import { createTasks, type TasksDeps } from "./tasks/tasks.ts";
import { createTurns } from "./tasks/turns.ts";

/** What runs at a phone when the device agent stops may finish within this time. */
const stopGraceMs = 5_000;
/** A first list without phones would look as if they had gone, so the link waits a little for them. */
const firstLookMs = 3_000;

export interface DeviceAgentDeps {
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  /** A fresh unguessable text of `[a-z0-9]`. */
  randomId: (length: number) => string;
  log: Logger;
  version: string;
  build: BuildIdentity;
  name: string;
  identity: Identity;
  phones: Phones;
  tools: readonly DeviceTool[];
  /** Tool name → digest. */
  toolDigests: Record<string, string>;
  streamSources: Record<string, StreamSource>;
  spool: TasksDeps["spool"];
  policy: Policy;
  leases: Leases;
  journal: DispatchDeps["journal"];
  taskJournal: TasksDeps["taskJournal"];
  /** What does Tasks, by skill. */
  executors: TasksDeps["executors"];
  audit: DispatchDeps["audit"];
  dial: Dial;
  /** The link's WebSocket address. */
  url: string;
  token: () => Promise<string>;
  events: DeviceAgentEvents;
}

/** What somebody who watches this process may want to know. */
export interface DeviceAgentEvents {
  linked(welcome: Welcome): void;
  unlinked(reason: string, retryInMs: number): void;
  devices(devices: DeviceReport[]): void;
}

export interface DeviceAgent {
  /** Looks for phones, then dials; resolves before the link is up. */
  start(): Promise<void>;
  /** No new work, the current step may finish, goodbye to the gateway. */
  stop(): Promise<void>;
}

export function createDeviceAgent(deps: DeviceAgentDeps): DeviceAgent {
  const { clock, phones, events } = deps;
  const newErrorId = () => deps.randomId(12);
  const gate = createGate(deps);
  const turns = createTurns({
    isThere: (key) => phones.list().some((phone) => phone.key === key && phone.state === "device"),
  });
  const callDeps = {
    ...deps,
    gate,
    queues: createPhoneQueues({ perDevice: limits.queuePerDevice }),
    pictures: createPicturesSeen({ now: () => clock.now(), newId: () => `p_${deps.randomId(8)}` }),
    newErrorId,
  };
  const dispatch = createDispatch({ ...callDeps, tasksAtWork: turns });
  const tasks = createTasks({ ...callDeps, turns });
  const streams = createStreams({
    ...deps,
    sources: deps.streamSources,
    permit: gate.permitDevice,
    permitWithoutPhone: gate.permitWithoutPhone,
    newErrorId,
  });
  const reports = createDeviceReports({ clock, phones: withUse(phones, deps.leases, turns), changed: events.devices });

  const receive = (message: ToDeviceAgent, connection: LinkConnection) => {
    if (message.type === "call") dispatch.call(message, connection);
    else if (message.type === "recall") dispatch.recall(message.id, connection);
    else if (message.type === "cancel") dispatch.cancel(message.id);
    else if (message.type === "open_stream") streams.open(message, connection);
    else if (message.type === "task_start") void tasks.start(message, connection);
    else if (message.type === "task_message") tasks.message(message);
    else if (message.type === "task_cancel") tasks.cancel(message.taskId);
    else if (message.type === "task_ack") tasks.acknowledged(message);
    else if (message.type === "task_leases") tasks.leases(message);
  };
  const link = createLink({
    ...deps,
    hello: async () => ({
      type: "hello",
      protocol: linkProtocol.newest,
      oldest: linkProtocol.oldest,
      version: deps.version,
      installId: deps.identity.installId,
      name: deps.name,
      bootId: deps.identity.bootId,
      connectSeq: await deps.identity.nextConnectSeq(),
      maxFrameBytes: limits.linkFrameBytes,
      tools: deps.toolDigests,
      streams: streams.kinds,
      heldTasks: tasks.held(),
    }),
    events: {
      linked(welcome, connection) {
        reports.linked(connection);
        tasks.linked(connection);
        events.linked(welcome);
      },
      message: receive,
      unlinked: events.unlinked,
    },
  });

  return {
    async start() {
      await Promise.race([phones.start(), pause(clock, firstLookMs)]);
      reports.start();
      tasks.begin();
      link.start();
    },
    async stop() {
      reports.stop();
      streams.stop();
      await Promise.all([dispatch.stop(stopGraceMs), tasks.stop(stopGraceMs)]);
      await link.stop();
      await phones.stop();
    },
  };
}
