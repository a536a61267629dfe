import { ERROR_INFO_TYPE } from "@a2a-js/sdk/errors";
import { CodedError, type ErrorCode, toCodedError } from "../../shared/errors.ts";
import type { Logger } from "../../shared/log.ts";
import { Fault, type FaultKind, faultDomain, faultKinds, httpStatusOf } from "./faults.ts";

/** What each of our errors is in A2A. */
export const faultOfCode: Record<ErrorCode, keyof typeof faultKinds> = {
  invalid_argument: "invalidParams",
  unauthenticated: "unauthenticated",
  permission_denied: "denied",
  write_disabled: "denied",
  device_not_allowed: "denied",
  device_not_found: "noSuchDevice",
  device_offline: "later",
  device_unauthorized: "precondition",
  device_busy: "later",
  target_not_found: "precondition",
  target_covered: "precondition",
  stale_element: "precondition",
  screen_changed: "precondition",
  screen_off: "precondition",
  screen_secure: "precondition",
  screenshot_failed: "failed",
  ui_not_idle: "precondition",
  ui_unavailable: "failed",
  locked: "precondition",
  input_permission_denied: "precondition",
  unsupported_characters: "precondition",
  clipboard_unavailable: "precondition",
  file_refused: "precondition",
  install_refused: "precondition",
  download_failed: "failed",
  task_not_found: "taskNotFound",
  task_not_cancelable: "taskNotCancelable",
  task_closed: "unsupportedOperation",
  unsupported: "unsupportedOperation",
  too_large: "tooLarge",
  rate_limited: "tooMany",
  deadline_exceeded: "tooSlow",
  outcome_unknown: "unknownOutcome",
  connection_replaced: "later",
  canceled: "canceled",
  internal: "internal",
};

/** A failure as both bindings tell it. */
export interface ToldFault {
  kind: FaultKind;
  /** Of HTTP+JSON. */
  httpStatus: number;
  message: string;
  /** google.rpc details, each with its `@type`: what kind of failure, which fields, when to come again. */
  details: Record<string, unknown>[];
  retryAfterMs: number | undefined;
}

/** Tells anything thrown, and logs what is a fault of ours under the id that the client gets. */
export function createTeller({ log, randomId }: { log: Logger; randomId: () => string }) {
  return (thrown: unknown): ToldFault => {
    const errorId = randomId();
    if (!(thrown instanceof Fault || thrown instanceof CodedError)) {
      log.error("an A2A request failed", { errorId, cause: thrown });
    }
    return tellFault(thrown, errorId);
  };
}

/** Anything thrown as an A2A error. What is neither ours nor the protocol's becomes a fixed text with `errorId`. */
export function tellFault(thrown: unknown, errorId: string): ToldFault {
  return thrown instanceof Fault ? tellProtocolFault(thrown) : tellCodedError(toCodedError(thrown, errorId));
}

function tellProtocolFault({ kind: name, message, metadata, violations }: Fault): ToldFault {
  const kind = faultKinds[name];
  const info = errorInfo(kind, kind.reason ?? name, metadata);
  const details = violations.length === 0 ? [info] : [info, badRequest(violations)];
  return { kind, httpStatus: httpStatusOf[kind.status], message, details, retryAfterMs: undefined };
}

function tellCodedError({ code, message, hint, retryAfterMs }: CodedError): ToldFault {
  const kind = faultKinds[faultOfCode[code]];
  const details = [errorInfo(kind, kind.reason ?? code.toUpperCase(), { code, hint })];
  if (retryAfterMs !== undefined) details.push(retryInfo(retryAfterMs));
  return {
    kind,
    httpStatus: code === "too_large" ? 413 : httpStatusOf[kind.status],
    message,
    details,
    retryAfterMs,
  };
}

function errorInfo(kind: FaultKind, reason: string, metadata: Record<string, string>): Record<string, unknown> {
  return { "@type": ERROR_INFO_TYPE, reason, domain: faultDomain(kind), metadata };
}

const badRequest = (fieldViolations: Fault["violations"]) => ({
  "@type": "type.googleapis.com/google.rpc.BadRequest",
  fieldViolations,
});

const retryInfo = (ms: number) => ({
  "@type": "type.googleapis.com/google.rpc.RetryInfo",
  retryDelay: `${ms / 1_000}s`,
});
