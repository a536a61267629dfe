import type { Clock } from "../../shared/clock.ts";
import { CodedError, toCodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { encodeFrame } from "../../shared/link/frame.ts";
import { createHeartbeat } from "../../shared/link/heartbeat.ts";
import { closeCodes, type Hello, type ToDeviceAgent, type ToGateway } from "../../shared/link/messages.ts";
import type { LinkEvents, LinkSocket } from "../../shared/link/socket.ts";
import type { Logger } from "../../shared/log.ts";
import type { Directory } from "../directory.ts";
import { deviceAgentIdOf } from "../ids.ts";
import type { TaskDesk, TaskMessage } from "../tasks/task-desk.ts";
import { reportedError } from "./clip.ts";
import { negotiateProtocol } from "./handshake.ts";
import { createLink, type Link } from "./link.ts";
import { parseLinkMessage } from "./link-message.ts";
import type { LinkRegistry } from "./link-registry.ts";

const helloWithinMs = 10_000;
/** Of one device agent; an adb server has never held more. */
const mostDevices = 256;

export interface LinkConnectionDeps {
  registry: LinkRegistry;
  directory: Pick<Directory, "admitDeviceAgent" | "saveReport">;
  taskDesk: TaskDesk;
  clock: Clock;
  log: Logger;
  version: string;
  randomId: () => string;
}

/** Serves one socket of a device agent of `tenant` from its hello to its close. */
export function createLinkConnection(deps: LinkConnectionDeps, tenant: string, socket: LinkSocket): LinkEvents {
  const { registry, directory, clock, log } = deps;
  let link: Link | null = null;
  let greeted = false;
  let closed = false;
  // Messages are worked off one after another, since admitting and saving take time.
  let queue: Promise<void> = Promise.resolve();

  const callOffHello = clock.after(helloWithinMs, () => {
    if (!greeted) socket.close(closeCodes.protocol, "no hello came");
  });
  const heartbeat = createHeartbeat({
    clock,
    intervalMs: limits.pingMs,
    silent: () => {
      log.warn("a device agent fell silent", { deviceAgentId: link?.deviceAgentId });
      socket.terminate();
    },
  });

  const send = (message: ToDeviceAgent) => {
    socket.send(encodeFrame(message));
    heartbeat.sent();
  };
  const refuse = (error: CodedError, code: number) => {
    send({ type: "refused", error: error.toBody() });
    socket.close(code, error.code);
  };

  const admit = async (hello: Hello) => {
    greeted = true;
    callOffHello();
    const protocol = negotiateProtocol(hello, deps.version);
    const deviceAgentId = await deviceAgentIdOf(tenant, hello.installId);
    const { installId, name, version, bootId, connectSeq } = hello;
    const record = { id: deviceAgentId, tenant, installId, name, version, bootId, connectSeq };
    const owner = registry.ownerOf(deviceAgentId);
    const held = owner.link()?.hello.connectSeq ?? -1;
    if (!(await directory.admitDeviceAgent(record, clock.now())) || held >= connectSeq) throw notNewer();
    if (closed) return;
    link = createLink({ deviceAgentId, tenant, hello, socket, onSent: () => heartbeat.sent() });
    const { pingMs, linkFrameBytes: maxFrameBytes } = limits;
    link.send({ type: "welcome", protocol, version: deps.version, deviceAgentId, pingMs, maxFrameBytes });
    if (!owner.attach(link)) throw notNewer();
    log.info("a device agent is connected", { deviceAgentId, name, version, connectSeq });
    await deps.taskDesk.linked(link).catch((cause: unknown) => {
      log.error("the Tasks of a device agent cannot be agreed on; it is to dial again", { deviceAgentId, cause });
      socket.close(closeCodes.goingAway, "dial again");
    });
  };

  const report = async (from: Link, message: Extract<ToGateway, { type: "devices" }>) => {
    if (registry.ownerOf(from.deviceAgentId).link() !== from) return;
    if (message.devices.length > mostDevices) {
      log.warn("a device agent reports too many devices", { deviceAgentId: from.deviceAgentId, kept: mostDevices });
    }
    await directory.saveReport(from.deviceAgentId, message.devices.slice(0, mostDevices), clock.now());
  };

  const take = async (message: ToGateway, body: Uint8Array) => {
    if (message.type === "hello") {
      if (greeted) return socket.close(closeCodes.protocol, "a second hello");
      return admit(message);
    }
    if (!link) return greeted ? undefined : socket.close(closeCodes.protocol, "a message before hello");
    if (message.type === "devices") return report(link, message);
    if (isOfTasks(message)) {
      if (registry.ownerOf(link.deviceAgentId).link() === link) await deps.taskDesk.receive(link, message);
      return;
    }
    if (message.type === "stream_refused") {
      return registry.streams.refused(link, message.streamId, reportedError(message.error));
    }
    registry.ownerOf(link.deviceAgentId).receive(link, message, body);
  };

  const read = (data: Uint8Array) => {
    const parsed = parseLinkMessage(data);
    if (parsed.kind === "unknown") return log.debug("a link message of an unknown type", { type: parsed.type });
    if (parsed.kind === "malformed") {
      log.warn("a malformed link message", { type: parsed.type, deviceAgentId: link?.deviceAgentId });
      return spoil(parsed.id, new CodedError("internal", "The device agent sent an answer that cannot be read."));
    }
    const { message, body } = parsed;
    if (body.length > limits.linkFrameBytes && "id" in message) {
      return spoil(message.id, new CodedError("too_large", `The answer is over ${limits.linkFrameBytes} bytes.`));
    }
    // A call's messages need no waiting, so that a slow store delays no answer.
    if (link && "id" in message) return registry.ownerOf(link.deviceAgentId).receive(link, message, body);
    queue = queue.then(() => take(message, body)).catch(fail);
  };

  const spoil = (callId: string | null, error: CodedError) => {
    if (link && callId !== null) registry.ownerOf(link.deviceAgentId).spoiled(link, callId, error);
  };

  const fail = (thrown: unknown) => {
    const errorId = deps.randomId();
    const error = toCodedError(thrown, errorId);
    if (error.code === "internal") log.error("serving a link failed", { errorId, cause: thrown });
    if (link && error.code === "internal") return;
    refuse(error, error.code === "connection_replaced" ? closeCodes.replaced : closeCodes.protocol);
  };

  return {
    message(data) {
      if (closed) return;
      heartbeat.received();
      if (typeof data === "string") {
        if (data === "ping") socket.send("pong");
        return;
      }
      try {
        read(data);
      } catch (cause) {
        log.warn("a link frame cannot be read", { deviceAgentId: link?.deviceAgentId, cause });
        socket.close(closeCodes.protocol, "not a link frame");
      }
    },
    closed(code, reason) {
      closed = true;
      callOffHello();
      heartbeat.stop();
      if (!link) return;
      registry.ownerOf(link.deviceAgentId).detach(link);
      log.info("a device agent is gone", { deviceAgentId: link.deviceAgentId, code, reason });
    },
  };
}

const isOfTasks = (message: ToGateway): message is TaskMessage => message.type.startsWith("task_");

function notNewer(): CodedError {
  return new CodedError("connection_replaced", "A newer connection of this device agent is known.", {
    hint: "If another machine runs a copy of this data directory, give each one a directory of its own.",
  });
}
