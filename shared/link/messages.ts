import { z } from "zod";
import { errorBodySchema } from "../errors.ts";
import { messageSchema } from "../tasks/message.ts";
import { taskEventSchema } from "../tasks/task-event.ts";
import { taskStates } from "../tasks/task-state.ts";

/**
 * The messages of the link, protocol 1. The device agent dials; its first message is `hello`, the gateway's first is
 * `welcome` or `refused`. Each message is the head of one binary frame (frame.ts). Besides, the text frames "ping"
 * (device agent) and "pong" (gateway) show that the other end lives.
 *
 * History: 1 (2026-11-30) first version; the messages of Tasks were added within it.
 *
 * Skew: both ends name the newest and the oldest protocol they speak and use the highest in common. Unknown fields
 * are ignored; an unknown message type is ignored too, so that a newer end can add notices within one protocol.
 */
export const linkProtocol = { newest: 1, oldest: 1 } as const;

const callId = z.string().min(1).max(128);
const count = z.number().int().nonnegative();

export const deviceReportSchema = z.object({
  /** The device agent's own key of the phone: opaque, stable across restarts, unique on this device agent. */
  key: z.string().min(1).max(256),
  serial: z.string(),
  /** What the device agent would like to call it; the gateway makes it unique. */
  name: z.string().min(1).max(64),
  model: z.string(),
  androidRelease: z.string(),
  /** ADB's word: device, offline, unauthorized, authorizing, connecting, recovery, …; kept verbatim when unknown. */
  state: z.string(),
  /** For a person: what to do when the state is not `device`. */
  hint: z.string().optional(),
  foregroundApp: z.string().nullable().optional(),
  /** Who holds the phone by a lease, and until when (milliseconds since 1970 by the device agent's clock). */
  leaseHolder: z.string().optional(),
  leaseExpiresAt: count.optional(),
  /** The Task that works on the phone now. */
  runningTask: z.string().optional(),
});
export type DeviceReport = z.infer<typeof deviceReportSchema>;

const hello = z.object({
  type: z.literal("hello"),
  protocol: z.number().int(),
  oldest: z.number().int(),
  /** Product version, for hints only. */
  version: z.string(),
  /** Random, made once per installation; a copy of the data directory shows as a fight over `connectSeq`. */
  installId: z.string().min(16).max(128),
  name: z.string().min(1).max(64),
  /** Random per process start: call ids of another boot may be unknown here although they ran. */
  bootId: z.string().min(8).max(128),
  /** Grows with every attempt to connect, across restarts. The highest wins. */
  connectSeq: count,
  maxFrameBytes: count,
  /** Tool name → digest of its input and output schema. */
  tools: z.record(z.string(), z.string()),
  /** Kinds of stream that this device agent can open. */
  streams: z.array(z.string()),
  heldTasks: z.array(z.string()),
});

const devices = z.object({ type: z.literal("devices"), asOf: count, devices: z.array(deviceReportSchema) });

const progress = z.object({
  type: z.literal("progress"),
  id: callId,
  progress: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
});

/** The pictures' bytes follow the head, one after another, in this order. */
const result = z.object({
  type: z.literal("result"),
  id: callId,
  output: z.record(z.string(), z.unknown()),
  pictures: z.array(z.object({ mimeType: z.string(), width: count, height: count, bytes: count })),
});

const error = z.object({ type: z.literal("error"), id: callId, error: errorBodySchema });

/** The answer to `recall` when there is no stored answer: it still runs (and will answer), or was never seen. */
const callState = z.object({ type: z.literal("call_state"), id: callId, state: z.enum(["running", "unknown"]) });

const streamRefused = z.object({ type: z.literal("stream_refused"), streamId: z.string(), error: errorBodySchema });

const taskId = z.string().min(1).max(256);

/** The Task is in the device agent's journal and will be worked on, whatever becomes of this link. */
const taskAccepted = z.object({ type: z.literal("task_accepted"), taskId });

/** The Task is not taken and never begins here. */
const taskRefused = z.object({ type: z.literal("task_refused"), taskId, error: errorBodySchema });

/** Sent again on the next link until it is acknowledged; numbered per Task from 1 without a gap. */
const taskEvent = z.object({
  type: z.literal("task_event"),
  taskId,
  sourceSeq: z.number().int().positive(),
  event: taskEventSchema,
});

/** The Tasks that are held and alive; each answer prolongs their leases. */
const taskBeat = z.object({ type: z.literal("task_beat"), taskIds: z.array(taskId) });

const welcome = z.object({
  type: z.literal("welcome"),
  protocol: z.number().int(),
  version: z.string(),
  deviceAgentId: z.string(),
  pingMs: count,
  maxFrameBytes: count,
});

/** Sent before a close when the hello cannot be accepted. */
const refused = z.object({ type: z.literal("refused"), error: errorBodySchema });

export const callSchema = z.object({
  type: z.literal("call"),
  id: callId,
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** Of tool, device and arguments: the same id with another digest is an error. */
  digest: z.string(),
  /** The device's key, as reported. */
  device: z.string(),
  principal: z.object({ tenant: z.string(), subject: z.string() }),
  /** Permissions of the token; one that this version does not know grants nothing. */
  scopes: z.array(z.string()),
  /** What is left of the deadline when the message is sent: a duration, since clocks differ. */
  timeoutMs: count,
  wantsProgress: z.boolean(),
});
export type Call = z.infer<typeof callSchema>;

/** Asks what became of a call whose answer was lost with an older link. */
const recall = z.object({ type: z.literal("recall"), id: callId });

const cancel = z.object({ type: z.literal("cancel"), id: callId });

/** Asks the device agent to dial a socket of its own at /link/stream/<streamId>, so that calls never wait behind bytes. */
const openStream = z.object({
  type: z.literal("open_stream"),
  streamId: z.string().min(16).max(128),
  kind: z.string(),
  device: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  timeoutMs: count,
});

/** Repeated until it is accepted or refused; the same id a second time is accepted again and begins nothing. */
const taskStart = z.object({
  type: z.literal("task_start"),
  taskId,
  contextId: z.string().min(1).max(256),
  /** The device's key, as reported. */
  device: z.string(),
  skill: z.string(),
  message: messageSchema,
  principal: z.object({ tenant: z.string(), subject: z.string() }),
  scopes: z.array(z.string()),
  /** How long it may wait for its turn and its phone. */
  waitMs: count,
  /** Without an acknowledgement for so long the Task is given up by the gateway. */
  leaseMs: count,
});

/** A further message for a Task that asked for one; a `messageId` that was seen already is ignored. */
const taskMessage = z.object({ type: z.literal("task_message"), taskId, message: messageSchema });

/** Ends the Task after its current step. */
const taskCancel = z.object({ type: z.literal("task_cancel"), taskId });

/** What the store says after an event: a terminal `state` means stop at once; events up to `sourceSeq` are stored. */
const taskAck = z.object({
  type: z.literal("task_ack"),
  taskId,
  sourceSeq: count,
  state: z.enum(taskStates),
  leaseMs: count,
});

/** The answer to `task_beat`: those that live on, and those that are over or were never known. */
const taskLeases = z.object({
  type: z.literal("task_leases"),
  alive: z.array(taskId),
  ended: z.array(taskId),
  leaseMs: count,
});

/** The gateway is about to stop: no new calls come here; dial again after the time given. */
const drain = z.object({ type: z.literal("drain"), reconnectInMs: count });

export const toGatewaySchema = z.discriminatedUnion("type", [
  hello,
  devices,
  progress,
  result,
  error,
  callState,
  streamRefused,
  taskAccepted,
  taskRefused,
  taskEvent,
  taskBeat,
]);
export const toDeviceAgentSchema = z.discriminatedUnion("type", [
  welcome,
  refused,
  callSchema,
  recall,
  cancel,
  openStream,
  drain,
  taskStart,
  taskMessage,
  taskCancel,
  taskAck,
  taskLeases,
]);

export type Hello = z.infer<typeof hello>;
export type TaskStart = z.infer<typeof taskStart>;
export type Welcome = z.infer<typeof welcome>;
export type ToGateway = z.infer<typeof toGatewaySchema>;
export type ToDeviceAgent = z.infer<typeof toDeviceAgentSchema>;

/** WebSocket close codes of the link, and whether the device agent may dial again at once, later, or never by itself. */
export const closeCodes = {
  goingAway: 1001,
  replaced: 4001,
  unauthorized: 4002,
  protocol: 4003,
  silent: 4004,
} as const;
