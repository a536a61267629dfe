import { z } from "zod";
import type { Device, Picture, Point, ScreenShape, Size } from "../device.ts";
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
  input: z.ZodObject;
  output: z.ZodObject;
  /** `device` tools act on one phone and carry a `device` argument; `fleet` tools run at the gateway. */
  kind: "device" | "fleet";
}

export interface ToolResult {
  output: Record<string, unknown>;
  pictures: Picture[];
}

/** The geometry of the pictures and trees that one caller got of one phone. */
export interface Pictures {
  /** Keeps a picture's geometry and returns its `screenshot_id`. */
  remember(picture: { shown: Size } & ScreenShape): string;
  /**
   * The phone's pixel under `point` of a picture. Throws `invalid_argument` (no picture yet, an unknown id, outside,
   * an id is needed) and `screen_changed` (`now` differs from the picture's shape).
   */
  locate(point: Point, screenshotId: string | undefined, now: ScreenShape): Point;
  /** The size in which coordinates of `now` are told to this caller: as in its newest fitting picture, else the default. */
  shownSize(now: ScreenShape): Size;
}

/** All that a handler gets besides its arguments. */
export interface DeviceCall {
  device: Device;
  pictures: Pictures;
  signal: AbortSignal;
  /** Reports to a caller that asked for progress; values must grow. */
  progress(done: number, total: number, message: string): void;
  /** Rejects with `canceled` or `deadline_exceeded` when the signal aborts. */
  pause(ms: number): Promise<void>;
  now(): number;
}

export interface DeviceTool extends ToolSpec {
  kind: "device";
  /** Parses `raw` and runs. Throws CodedError. */
  handle(call: DeviceCall, raw: unknown): Promise<ToolResult>;
}

/** Which devices this caller may use, as the gateway knows them. */
export interface Fleet {
  list(page: {
    limit: number;
    cursor: string | undefined;
  }): Promise<{ devices: Record<string, unknown>[]; nextCursor: string | null }>;
}

export interface FleetTool extends ToolSpec {
  kind: "fleet";
  handle(fleet: Fleet, raw: unknown): Promise<ToolResult>;
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

export function defineDeviceTool<I extends z.ZodObject, O extends z.ZodObject>(
  definition: Definition<I, O> & { handle(call: DeviceCall, input: z.output<I>): Answer<O> },
): DeviceTool {
  const input = definition.input.extend({ device: deviceArgument });
  return {
    ...definition,
    kind: "device",
    input,
    handle: async (call, raw) => finish(await definition.handle(call, parseArguments(input, raw) as z.output<I>)),
  };
}

export function defineFleetTool<I extends z.ZodObject, O extends z.ZodObject>(
  definition: Definition<I, O> & { handle(fleet: Fleet, input: z.output<I>): Answer<O> },
): FleetTool {
  return {
    ...definition,
    kind: "fleet",
    handle: async (fleet, raw) =>
      finish(await definition.handle(fleet, parseArguments(definition.input, raw) as z.output<I>)),
  };
}

function finish(answer: { output: object; pictures?: Picture[] }): ToolResult {
  return { output: { ...answer.output }, pictures: answer.pictures ?? [] };
}

/** Checks arguments against a tool's input. Throws `invalid_argument` that names each field at fault. */
export function parseArguments(input: z.ZodObject, raw: unknown): Record<string, unknown> {
  const parsed = input.safeParse(acceptLooseScalars(input, raw ?? {}));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
  throw new CodedError("invalid_argument", `These arguments do not fit: ${faults.join("; ")}.`);
}
