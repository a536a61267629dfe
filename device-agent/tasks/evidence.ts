import { lastBoundary } from "../../shared/shown-bytes.ts";
import type { TaskCall } from "./task-executor.ts";

const mostItems = 64;
const outputBytes = 4_096;
/** After these nobody knows whether the phone did it. */
const unclear = new Set(["outcome_unknown", "deadline_exceeded", "canceled"]);

export interface EvidenceItem {
  tool: string;
  call_id: string;
  outcome: "ok" | "failed" | "missing";
  /** What the tool answered, as JSON; at most 4,096 bytes of UTF-8. */
  output: string;
}

/** What a Task did, call by call, short enough to keep: the newest calls, in order. */
export interface Evidence {
  items: EvidenceItem[];
  total: number;
  /** A call, or a part of an output, is left out. */
  truncated: boolean;
}

export function collectEvidence(calls: readonly ({ tool: string } & TaskCall)[]): Evidence {
  const told = calls.slice(-mostItems).map((call) => {
    const whole = JSON.stringify(call.ok ? call.output : call.error);
    return { call, whole, output: cut(whole) };
  });
  return {
    items: told.map(({ call, output }) => ({
      tool: call.tool,
      call_id: call.callId,
      outcome: outcomeOf(call),
      output,
    })),
    total: calls.length,
    truncated: calls.length > mostItems || told.some(({ whole, output }) => output.length < whole.length),
  };
}

function outcomeOf(call: TaskCall): EvidenceItem["outcome"] {
  if (call.ok) return call.output.ok === false ? "failed" : "ok";
  return unclear.has(call.error.code) ? "missing" : "failed";
}

function cut(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= outputBytes) return text;
  const head = bytes.subarray(0, outputBytes);
  return new TextDecoder().decode(head.subarray(0, lastBoundary(head)));
}
