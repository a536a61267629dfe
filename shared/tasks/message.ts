import { z } from "zod";

const metadata = z.record(z.string(), z.unknown());

/**
 * A Part in ProtoJSON (a2a.proto, Part): exactly one of `text`, `raw` (base64), `url`, `data`. Unknown fields are
 * dropped.
 */
export const partSchema = z
  .object({
    text: z.string().optional(),
    raw: z.base64().optional(),
    url: z.string().optional(),
    data: z.json().optional(),
    metadata: metadata.optional(),
    filename: z.string().optional(),
    mediaType: z.string().optional(),
  })
  .refine(
    ({ text, raw, url, data }) => [text, raw, url, data].filter((value) => value !== undefined).length === 1,
    "a part has exactly one of text, raw, url and data",
  );
export type Part = z.infer<typeof partSchema>;

/** A Message in ProtoJSON. Ids are checked where they come in. */
export const messageSchema = z.object({
  messageId: z.string().min(1),
  contextId: z.string().optional(),
  taskId: z.string().optional(),
  role: z.enum(["ROLE_USER", "ROLE_AGENT"]),
  parts: z.array(partSchema).min(1),
  metadata: metadata.optional(),
  extensions: z.array(z.string()).optional(),
  referenceTaskIds: z.array(z.string()).optional(),
});
export type Message = z.infer<typeof messageSchema>;

/** An Artifact in ProtoJSON. */
export const artifactSchema = z.object({
  artifactId: z.string().min(1),
  name: z.string().optional(),
  description: z.string().optional(),
  parts: z.array(partSchema).min(1),
  metadata: metadata.optional(),
  extensions: z.array(z.string()).optional(),
});
export type Artifact = z.infer<typeof artifactSchema>;

/** The Artifact that holds the structured result at `parts[0].data`; it is shown first whenever it came. */
export const resultArtifactId = "result";
