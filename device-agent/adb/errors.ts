import { CodedError, type ErrorCode } from "../../shared/errors.ts";

interface Known {
  pattern: RegExp;
  code: ErrorCode;
  message: string;
  hint?: string;
}

/** Failures of adb, of adbd and of the library, by the text that they carry. The first match counts. */
const knownFailures: Known[] = [
  {
    pattern: /device unauthorized|device still authorizing|ADB_VENDOR_KEYS|No authenticator can handle/i,
    code: "device_unauthorized",
    message: "The phone has not accepted this computer for debugging.",
  },
  {
    pattern: /more than one device/i,
    code: "device_offline",
    message: "Several phones on the adb server answer to this serial.",
    hint: "Give the phones different serials, or connect one of them to another computer.",
  },
  {
    pattern:
      /device offline|device .*not found|no devices?(\/emulators)? found|unknown transport|transport_id|no permissions/i,
    code: "device_offline",
    message: "The adb server cannot reach the phone now.",
  },
  {
    pattern: /ECONNREFUSED|ENOENT/,
    code: "device_offline",
    message: "No adb server answers on this machine.",
    hint: "Start it with `adb start-server`, then call again.",
  },
  {
    pattern:
      /ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|connection lost|connect timeout|[Ss]ocket (closed|ended)|stream (is|has been) (closed|errored)|ExactReadableEndedError|Connection closed unexpectedly|disconnected/,
    code: "device_offline",
    message: "The connection to the phone was lost.",
  },
  {
    pattern: /^closed$|Socket open failed/,
    code: "unsupported",
    message: "The phone refused this kind of command.",
  },
];

/** Turns what adb, the library or the system threw into a CodedError; the original becomes the cause. */
export function adbFailure(thrown: unknown): CodedError {
  if (thrown instanceof CodedError) return thrown;
  const text = describe(thrown);
  const known = knownFailures.find((candidate) => candidate.pattern.test(text));
  if (known)
    return new CodedError(known.code, known.message, { cause: thrown, ...(known.hint && { hint: known.hint }) });
  return new CodedError("device_offline", "The phone could not be reached.", { cause: thrown });
}

function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const code = "code" in thrown ? ` ${String(thrown.code)}` : "";
  return thrown.name === "Error" ? `${thrown.message}${code}` : `${thrown.message}${code} ${thrown.name}`;
}

/** The error that stands for an aborted signal: its own reason if that is one of ours. */
export function abortError(signal: AbortSignal): CodedError {
  const reason: unknown = signal.reason;
  if (reason instanceof CodedError) return reason;
  if (reason instanceof Error && reason.name === "TimeoutError") {
    return new CodedError("deadline_exceeded", "The time for this call ran out.", { cause: reason });
  }
  return new CodedError("canceled", "The call was given up.", { cause: reason });
}

/** Cause of an open that was sent and never answered: what it asked for may have begun. */
export class UnansweredOpen extends Error {
  constructor(cause: unknown) {
    super("The service was asked for and the connection was lost before the answer.", { cause });
    this.name = "UnansweredOpen";
  }
}

/** True when the way to the phone failed. */
export function isConnectionLoss(thrown: unknown): boolean {
  return thrown instanceof CodedError && thrown.code === "device_offline";
}

/** True when it failed before the phone can have begun: the same may be tried again or another way. */
export function hasNotBegun(thrown: unknown): boolean {
  return thrown instanceof CodedError && thrown.code === "device_offline" && !(thrown.cause instanceof UnansweredOpen);
}

/** What the text of a finished command (exit code 0 or not) says about a failure, if anything. */
export function commandFailure(output: string): CodedError | undefined {
  if (/INJECT_EVENTS/.test(output)) {
    return new CodedError("input_permission_denied", "The phone refuses injected input.", { cause: output });
  }
  if (/Permission Denial|SecurityException/.test(output)) {
    return new CodedError("unsupported", "The phone does not allow this from a debugging connection.", {
      cause: output,
    });
  }
  if (/Can't find service|cmd: Failure calling service/.test(output)) {
    return new CodedError("unsupported", "A system service of the phone does not answer.", {
      hint: "Wait until the phone has started, then call again.",
      cause: output,
    });
  }
  if (/java\.lang\.\w+(Exception|Error)|Exception occurred while executing/.test(output)) {
    return new CodedError("unsupported", "The phone's own program failed with an exception.", { cause: output });
  }
  return undefined;
}
