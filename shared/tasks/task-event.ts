import { z } from "zod";
import { artifactSchema, messageSchema } from "./message.ts";
import { taskStates } from "./task-state.ts";

const status = z.object({
  kind: z.literal("status"),
  state: z.enum(taskStates),
  /** What the device agent says about it, role ROLE_AGENT. */
  message: messageSchema.optional(),
});

const artifact = z.object({
  kind: z.literal("artifact"),
  artifact: artifactSchema,
  /** The parts come after those of the Artifact with this id, in place of replacing it. */
  append: z.boolean(),
  lastChunk: z.boolean(),
});

/** What a device agent tells of a Task. Events are numbered from 1 per Task by the device agent (`sourceSeq`). */
export const taskEventSchema = z.discriminatedUnion("kind", [status, artifact]);
export type TaskEvent = z.infer<typeof taskEventSchema>;
export type StatusEvent = z.infer<typeof status>;
export type ArtifactEvent = z.infer<typeof artifact>;
