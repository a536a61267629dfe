import { decodeFrame } from "../../shared/link/frame.ts";
import { type ToDeviceAgent, toDeviceAgentSchema } from "../../shared/link/messages.ts";

const knownTypes = new Set<string>(toDeviceAgentSchema.options.map((option) => option.shape.type.value));

/** `unknown`: a type that this version does not know, which a newer gateway may send. */
export type ReadMessage =
  | { kind: "message"; message: ToDeviceAgent }
  | { kind: "unknown" }
  | { kind: "malformed"; problem: string };

/** Reads one binary message of the gateway. */
export function readMessage(data: Uint8Array): ReadMessage {
  let head: unknown;
  try {
    head = decodeFrame(data).head;
  } catch (thrown) {
    return { kind: "malformed", problem: thrown instanceof Error ? thrown.message : "A link frame cannot be read." };
  }
  if (typeof head !== "object" || head === null || !("type" in head) || typeof head.type !== "string") {
    return { kind: "malformed", problem: "A message of the link has no type." };
  }
  if (!knownTypes.has(head.type)) return { kind: "unknown" };
  const parsed = toDeviceAgentSchema.safeParse(head);
  if (parsed.success) return { kind: "message", message: parsed.data };
  const places = parsed.error.issues.map((issue) => issue.path.join(".")).join(", ");
  return { kind: "malformed", problem: `A ${head.type} message of the link is malformed at ${places}.` };
}
