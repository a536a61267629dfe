import { decodeFrame } from "../../shared/link/frame.ts";
import { type ToGateway, toGatewaySchema } from "../../shared/link/messages.ts";

export type ParsedMessage =
  | { kind: "message"; message: ToGateway; body: Uint8Array }
  /** A message type of a newer device agent: to be ignored. */
  | { kind: "unknown"; type: string }
  /** A known type with wrong fields; `id` is the call that it speaks of, if it names one. */
  | { kind: "malformed"; type: string; id: string | null };

const knownTypes = new Set<unknown>(toGatewaySchema.options.map((option) => option.shape.type.value));

/** Reads one binary frame. Throws TypeError on bytes that are no frame at all. */
export function parseLinkMessage(data: Uint8Array): ParsedMessage {
  const { head, body } = decodeFrame(data);
  const parsed = toGatewaySchema.safeParse(head);
  if (parsed.success) return { kind: "message", message: parsed.data, body };
  const type = field(head, "type");
  if (typeof type !== "string") throw new TypeError("A link message needs a type.");
  if (!knownTypes.has(type)) return { kind: "unknown", type };
  const id = field(head, "id");
  return { kind: "malformed", type, id: typeof id === "string" ? id : null };
}

function field(head: unknown, name: string): unknown {
  return typeof head === "object" && head !== null ? Reflect.get(head, name) : undefined;
}
