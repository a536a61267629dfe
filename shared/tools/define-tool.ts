import { z } from "zod";
import type { BuildIdentity } from "../build-identity.ts";
import type { Device, Picture, Point, ScreenShape, Size } from "../device.ts";
import type { KeptFile } from "../device-control.ts";
import { CodedError } from "../errors.ts";
import type { Permission } from "../permissions.ts";
import { forPeople } from "./json-schema.ts";
import { acceptLooseScalars } from "./loose-scalars.ts";

/** What a call does: hints for clients, and whether a lost call may be repeated, follow from it. */
export type Effect = "read" | "write" | "destroy";

/** Everything that anybody but the handler's runner needs to know of a tool. */
export interface ToolSpec {
  name: string;
  title: string;
  description: string;
  permission: Permission;
  effect: Effect;
  /** The longest that the handler may take, waiting in the phone's queue included. */
  timeoutMs: number;
  /** The same inside of a Task, where nobody waits for the answer; left out where the handler bounds itself anyway. */
  taskTimeoutMs?: number | undefined;
  input: z.ZodObject;
  output: z.ZodObject;
  /** `device` tools act on one phone and carry a `device` argument; `fleet` tools run at the gateway. */
  kind: "device" | "fleet";
  /**
   * The gateway may look for the phone, trying the caller's phones in turn until one takes the call: `free`, those that
   * the arguments `label` or `any` allow; `held`, when several come into question.
   */
  seeks?: "free" | "held" | undefined;
  /** The gateway adds to the answer, as `gateway`, what it is itself. */
  tellsGateway?: true | undefined;
}

export interface ToolResult {
  output: Record<string, unknown>;
  pictures: Picture[];
}

/** The geometry of the pictures and trees that one caller got of one phone. */
export interface Pictures {
  /** Keeps a picture's geometry and returns its `screenshot_id`; a tree has no fingerprint. */
  remember(picture: { shown: Size; fingerprint?: string; display?: number } & ScreenShape): string;
  /**
   * The size of an earlier picture of that display that shows just this, which then counts as new; undefined for any
   * other.
   */
  unchanged(screenshotId: string, fingerprint: string, display?: number): Size | undefined;
  /** Which display a picture is of, or the newest one without an id; 0 when there is none, which `locate` refuses. */
  displayOf(screenshotId: string | undefined): number;
  /**
   * The phone's pixel under `point` of a picture. Throws `invalid_argument` (no picture yet, an unknown id, outside,
   * an id is needed) and `screen_changed` (`now` differs from the picture's shape).
   */
  locate(point: Point, screenshotId: string | undefined, now: ScreenShape): Point;
  /** The size in which coordinates of `now` are told to this caller: as in its newest fitting picture, else the default. */
  shownSize(now: ScreenShape): Size;
}

/** The caller's right to be the only one who writes on the phone for a while. */
export interface LeaseDesk {
  /**
   * Takes the phone, or takes the caller's own lease up again with at least the time it had; `onlyFree`: not even one's
   * own. Throws `device_busy`, and what a phone throws that is away.
   */
  acquire(wish: {
    minutes: number;
    purpose: string | undefined;
    onlyFree: boolean;
  }): Promise<{ id: string; expiresAt: number }>;
  /** Throws `target_not_found`. */
  release(leaseId: string): Promise<void>;
}

export interface Step {
  tool: string;
  arguments: Record<string, unknown>;
}

/** Calls of other tools inside a call, on the same phone and for the same caller: each is judged like any call. */
export interface Steps {
  /** Throws `invalid_argument` when there is no such tool here, or its arguments do not fit. */
  check(step: Step): void;
  run(step: Step): Promise<ToolResult>;
  /** What is left for steps; the time to answer is kept back. */
  leftMs(): number;
}

/** The files that the device agent keeps for the caller: its uploads, and what its Tasks made. */
export interface KeptFiles {
  /** Throws `target_not_found` for one that is not there or somebody else's, `invalid_argument` for half an upload. */
  find(id: string): Promise<KeptFile>;
}

/** All that a handler gets besides its arguments. */
export interface DeviceCall {
  device: Device;
  kept: KeptFiles;
  pictures: Pictures;
  lease: LeaseDesk;
  steps: Steps;
  /** The process that runs the handler. */
  build: BuildIdentity;
  signal: AbortSignal;
  /** Reports to a caller that asked for progress; values must grow. */
  progress(done: number, total: number, message: string): void;
  /** Rejects with `canceled` or `deadline_exceeded` when the signal aborts. */
  pause(ms: number): Promise<void>;
  now(): number;
}

export interface DeviceTool extends ToolSpec {
  kind: "device";
  /** False: the phone itself is not touched, so the call needs neither its turn nor a lease. */
  touchesPhone?: false | undefined;
  /** Parses `raw` and runs. Throws CodedError. */
  handle(call: DeviceCall, raw: unknown): Promise<ToolResult>;
}

/** A Task as a tool tells it. */
export interface ToldTask {
  id: string;
  contextId: string;
  /** As A2A spells it. */
  state: string;
  /** What was said of the state last. */
  message: string | null;
  /** The data of the Artifact `result`. */
  result: unknown;
  resultLeftOut: boolean;
  /** Those besides the result, by name. */
  artifacts: string[];
  /** The last picture of the Task, if it is small. */
  pictures: ShownPicture[];
}

export type ShownPicture = Pick<Picture, "mimeType" | "bytes">;

/** The Tasks of this caller. Another's do not exist. Everything throws CodedError only. */
export interface TasksOfCaller {
  /** Begins a Task, or answers what one asked; resolves with its id as soon as it is stored. */
  send(wish: {
    message: string | undefined;
    steps: readonly Step[] | undefined;
    device: string | undefined;
    contextId: string | undefined;
    taskId: string | undefined;
  }): Promise<string>;
  /** Once it is over or asks something, or after `waitMs`; the caller hears of progress meanwhile. */
  settled(taskId: string, waitMs: number): Promise<ToldTask>;
  cancel(taskId: string, waitMs: number): Promise<ToldTask>;
}

/** Which devices this caller may use, as the gateway knows them, and the caller's Tasks. */
export interface Fleet {
  tasks: TasksOfCaller;
  list(page: {
    limit: number;
    cursor: string | undefined;
  }): Promise<{ devices: Record<string, unknown>[]; nextCursor: string | null }>;
}

export interface FleetTool extends ToolSpec {
  kind: "fleet";
  handle(fleet: Fleet, raw: unknown): Promise<{ output: Record<string, unknown>; pictures: ShownPicture[] }>;
}

type Definition<I extends z.ZodObject, O extends z.ZodObject> = Omit<ToolSpec, "input" | "output" | "kind"> & {
  input: I;
  output: O;
};
type Answer<O extends z.ZodObject> = Promise<{ output: z.input<O>; pictures?: Picture[] }>;

const deviceArgument = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .meta(forPeople("Device id or name; may be left out when there is only one."));

const leaseArgument = z.string().max(64).optional().meta(forPeople("What acquire_device gave."));

export function defineDeviceTool<I extends z.ZodObject, O extends z.ZodObject>(
  definition: Definition<I, O> &
    Pick<DeviceTool, "touchesPhone"> & { handle(call: DeviceCall, input: z.output<I>): Answer<O> },
): DeviceTool {
  const { effect, permission } = definition;
  const input = definition.input.extend({
    device: deviceArgument,
    ...(effect === "read" || permission === "device:lease" ? {} : { lease_id: leaseArgument }),
  });
  return {
    ...definition,
    kind: "device",
    input,
    handle: async (call, raw) => finish(await definition.handle(call, parseArguments(input, raw) as z.output<I>)),
  };
}

export function defineFleetTool<I extends z.ZodObject, O extends z.ZodObject>(
  definition: Definition<I, O> & {
    handle(fleet: Fleet, input: z.output<I>): Promise<{ output: z.input<O>; pictures?: ShownPicture[] }>;
  },
): FleetTool {
  return {
    ...definition,
    kind: "fleet",
    handle: async (fleet, raw) =>
      finish(await definition.handle(fleet, parseArguments(definition.input, raw) as z.output<I>)),
  };
}

function finish<P>(answer: { output: object; pictures?: P[] }): { output: Record<string, unknown>; pictures: P[] } {
  return { output: { ...answer.output }, pictures: answer.pictures ?? [] };
}

/** Checks arguments against a tool's input. Throws `invalid_argument` that names each field at fault. */
export function parseArguments(input: z.ZodObject, raw: unknown): Record<string, unknown> {
  const parsed = input.safeParse(acceptLooseScalars(input, raw ?? {}));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
  throw new CodedError("invalid_argument", `These arguments do not fit: ${faults.join("; ")}.`);
}
