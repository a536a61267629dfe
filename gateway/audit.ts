import type { ErrorCode } from "../shared/errors.ts";

/** One tool call, whether it ran or was refused. Never holds typed text, clipboard text or tokens. */
export interface AuditRow {
  /** Milliseconds since 1970, when the call came in. */
  at: number;
  tenant: string;
  subject: string;
  deviceId: string | null;
  tool: string;
  arguments: Record<string, unknown>;
  outcome: "ok" | ErrorCode;
  ms: number;
  callId: string;
}

export interface Audit {
  /** Takes the row and returns at once; never throws. */
  record(row: AuditRow): void;
}

const shownWhole = 128;
/** Of a command for the phone's shell, which is the one free text that is kept. */
const shownOfCommand = 500;
const plainTextFields = new Set([
  "device",
  "package",
  "app",
  "activity",
  "key",
  "state",
  "filter",
  "observe",
  "screenshot_id",
  "lease_id",
  "ref",
  "orientation",
  "direction",
  "cursor",
  "format",
  "encoding",
  "process_id",
  "file_id",
]);

/**
 * Arguments as the audit may keep them: numbers, booleans and the short names of things stay; any other text is told by
 * its length alone, since it may have been typed, pasted or secret; commands are kept, since they are what was done.
 */
export function redact(args: unknown): Record<string, unknown> {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return {};
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, redactValue(key, value)]));
}

function redactValue(key: string, value: unknown): unknown {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  if (key === "command" && typeof value === "string") {
    return value.length <= shownOfCommand ? value : `${value.slice(0, shownOfCommand)}… (${value.length} characters)`;
  }
  if (typeof value === "string") {
    return plainTextFields.has(key) && value.length <= shownWhole ? value : `(${[...value].length} characters)`;
  }
  if (Array.isArray(value)) return `(${value.length} items)`;
  return typeof value === "object" ? redact(value) : `(${typeof value})`;
}
