import { z } from "zod";
import { type TaskStart, toDeviceAgentSchema } from "../../shared/link/messages.ts";
import { type TaskEvent, taskEventSchema } from "../../shared/tasks/task-event.ts";

/**
 * The lines of the journal of Tasks: `start` before a Task is accepted, `event` before it is sent, `acked` for those that
 * the gateway has up to a number, `over` when nothing is left to do for it; `phone` once for each phone that was seen.
 * Unknown kinds are left alone.
 */
export type TaskLine =
  | { kind: "start"; at: number; start: TaskStart }
  | { kind: "event"; taskId: string; sourceSeq: number; event: TaskEvent }
  | { kind: "acked"; taskId: string; sourceSeq: number }
  | { kind: "over"; taskId: string }
  | { kind: "phone"; key: string };

const sourceSeq = z.number().int().positive();

const lineSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("start"), at: z.number(), start: toDeviceAgentSchema }),
  z.object({ kind: z.literal("event"), taskId: z.string(), sourceSeq, event: taskEventSchema }),
  z.object({ kind: z.literal("acked"), taskId: z.string(), sourceSeq }),
  z.object({ kind: z.literal("over"), taskId: z.string() }),
  z.object({ kind: z.literal("phone"), key: z.string() }),
]);

/** Undefined for a line that is torn, damaged or of a later version. */
export function decodeTaskLine(text: string): TaskLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const line = parsed.data;
  if (line.kind !== "start") return line;
  return line.start.type === "task_start" ? { ...line, start: line.start } : undefined;
}
