import type { Clock } from "../../shared/clock.ts";
import { CodedError, type ErrorBody, toCodedError } from "../../shared/errors.ts";
import type { Call } from "../../shared/link/messages.ts";
import type { Logger } from "../../shared/log.ts";
import type { DeviceTool, ToolResult } from "../../shared/tools/define-tool.ts";
import type { Audit } from "../audit/audit.ts";
import { redactArguments } from "../audit/redact-arguments.ts";
import { type PerformCallDeps, performCall } from "./perform-call.ts";
import type { CallAtWork } from "./running-call.ts";

export interface CarryOutDeps extends PerformCallDeps {
  clock: Clock;
  log: Logger;
  audit: Audit;
  newErrorId: () => string;
}

export type Outcome = ({ ok: true } & ToolResult) | { ok: false; error: ErrorBody };

/** The one place that turns what was thrown into an answer. Leaves a line in the audit, and never rejects. */
export async function carryOut(
  deps: CarryOutDeps,
  tool: DeviceTool | undefined,
  running: CallAtWork,
): Promise<Outcome> {
  const { call } = running;
  const at = deps.clock.now();
  let outcome: Outcome;
  try {
    outcome = { ok: true, ...(await performCall(deps, tool, running)) };
  } catch (thrown) {
    const aborted = running.signal.aborted && !(thrown instanceof CodedError);
    const error = toCodedError(aborted ? running.signal.reason : thrown, deps.newErrorId());
    report(deps.log, call, error, thrown);
    outcome = { ok: false, error: error.toBody() };
  }
  deps.audit.record({
    at,
    callId: call.id,
    principal: `${call.principal.tenant}/${call.principal.subject}`,
    device: call.device,
    tool: call.tool,
    arguments: redactArguments(call.tool, call.arguments),
    outcome: outcome.ok ? "ok" : outcome.error.code,
    ms: deps.clock.now() - at,
  });
  return outcome;
}

/** Not the message: it may quote what a caller typed. */
function report(log: Logger, call: Call, error: CodedError, thrown: unknown): void {
  const fields = { callId: call.id, tool: call.tool, device: call.device, code: error.code };
  if (error.code === "internal") log.error(error.message, { ...fields, cause: thrown });
  else if (error.cause !== undefined) log.info("A call failed", { ...fields, cause: error.cause });
  else log.debug("A call failed", fields);
}
