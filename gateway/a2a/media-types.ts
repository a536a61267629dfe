import type { Part } from "../../shared/tasks/message.ts";
import { Fault } from "./faults.ts";

/** What messages may carry. Any text counts as text/plain. */
export const inputModes = ["text/plain", "application/json", "image/png", "image/jpeg", "image/webp"];
/** What Tasks answer with: data, words, pictures of the screen. */
export const outputModes = ["application/json", "text/plain", "image/jpeg"];

/** Without parameters and in small letters. */
export const essence = (mediaType: string) => mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";

const isText = (type: string) => type.startsWith("text/");

/** Throws a Fault for the first part of a media type that nobody here can read. */
export function checkInputModes(parts: readonly Part[]): void {
  for (const [index, { mediaType }] of parts.entries()) {
    if (mediaType === undefined) continue;
    const type = essence(mediaType);
    if (isText(type) || inputModes.includes(type)) continue;
    throw new Fault("contentType", `The media type of part ${index + 1} is not taken: use ${inputModes.join(", ")}.`, {
      metadata: { supported: inputModes.join(","), part: String(index) },
    });
  }
}

/** Throws a Fault when the client takes nothing of what comes; no list at all takes everything. */
export function checkOutputModes(accepted: readonly string[] | undefined): void {
  const ranges = (accepted ?? []).map(essence).filter((range) => range !== "");
  if (ranges.length === 0 || ranges.some((range) => outputModes.some((mode) => fits(mode, range)))) return;
  throw new Fault("contentType", `Answers come as ${outputModes.join(", ")}: accept one of them.`, {
    metadata: { supported: outputModes.join(",") },
  });
}

/** A range is a media type, `image/*` or `*`. */
function fits(mode: string, range: string): boolean {
  if (range === mode || range === "*/*" || range === "*") return true;
  return range.endsWith("/*") && mode.startsWith(range.slice(0, -1));
}

/** Whether a body is JSON, by its Content-Type; A2A's own type counts on both bindings. */
export function isJsonType(contentType: string | null): boolean {
  const type = essence(contentType ?? "");
  return type === "application/json" || type === "application/a2a+json";
}
