import type { z } from "zod";
import type { Permission } from "../../shared/permissions.ts";
import type { Principal } from "../auth/principal.ts";
import type { DirectoryDevice } from "../directory.ts";
import type { TaskUpdate } from "../tasks/task.ts";
import { readParams } from "./requests.ts";

/** Who asks, and where. */
export interface Caller {
  principal: Principal;
  /** Of `/a2a/<device>`; null on `/a2a`. */
  device: DirectoryDevice | null;
  /** Aborts when the client is gone, or the gateway stops. */
  signal: AbortSignal;
  /** The number of the last event that the client of a broken stream saw. */
  lastEventId: number | undefined;
}

/** Updates of one Task, the Task itself first. */
export interface UpdateStream {
  first: TaskUpdate;
  rest: AsyncIterator<TaskUpdate>;
  /** Of the messages in each Task; undefined for all. */
  historyLength: number | undefined;
}

/** One method of A2A. Parameters come as ProtoJSON; both throw Faults and CodedErrors. */
export type Operation = { needs: Permission | null } & (
  | { kind: "unary"; run(caller: Caller, params: unknown): Promise<object> }
  | { kind: "stream"; open(caller: Caller, params: unknown): Promise<UpdateStream> }
);

/** The methods of A2A 1.0.1, section 5.3. */
export const methods = [
  "SendMessage",
  "SendStreamingMessage",
  "GetTask",
  "ListTasks",
  "CancelTask",
  "SubscribeToTask",
  "CreateTaskPushNotificationConfig",
  "GetTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "DeleteTaskPushNotificationConfig",
  "GetExtendedAgentCard",
] as const;
export type Method = (typeof methods)[number];

export type Operations = Record<Method, Operation>;

export function unary<T extends z.ZodType>(
  needs: Permission | null,
  params: T,
  run: (caller: Caller, params: z.output<T>) => Promise<object>,
): Operation {
  return { kind: "unary", needs, run: async (caller, raw) => run(caller, readParams(params, raw)) };
}

export function stream<T extends z.ZodType>(
  needs: Permission | null,
  params: T,
  open: (caller: Caller, params: z.output<T>) => Promise<UpdateStream>,
): Operation {
  return { kind: "stream", needs, open: async (caller, raw) => open(caller, readParams(params, raw)) };
}
