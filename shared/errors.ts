import { z } from "zod";

/**
 * Every failure that may leave a process, in one closed table: what it means, whether trying again makes sense, and
 * the hint used when the place that throws has nothing better to say. Numbers (HTTP, JSON-RPC) are given only at an
 * edge.
 */
export const errorTable = {
  invalid_argument: {
    retry: "after a fix",
    meaning: "The arguments break the schema or a rule.",
    hint: "Correct the arguments and call again.",
  },
  unauthenticated: {
    retry: "after sign-in",
    meaning: "No token, or a bad one.",
    hint: "Send a valid bearer token in the Authorization header.",
  },
  permission_denied: {
    retry: "never",
    meaning: "The token does not carry the permission that the tool needs.",
    hint: "Ask the operator for a token with that permission.",
  },
  write_disabled: {
    retry: "never",
    meaning: "The phone's owner does not allow this kind of call.",
    hint: "Ask the phone's owner to allow it in the policy of the device agent.",
  },
  device_not_allowed: {
    retry: "never",
    meaning: "The phone's owner keeps this phone or this app out of reach.",
    hint: "Choose another device with list_devices.",
  },
  device_not_found: {
    retry: "never",
    meaning: "There is no such device for this caller.",
    hint: "Run list_devices to see which devices are available.",
  },
  device_offline: {
    retry: "later",
    meaning: "The phone or its device agent cannot be reached now.",
    hint: "Check the phone and its device agent, then call again.",
  },
  device_unauthorized: {
    retry: "after the owner acts",
    meaning: "The phone shows the debugging prompt.",
    hint: "Accept the USB debugging prompt on the phone.",
  },
  device_busy: {
    retry: "later",
    meaning: "Another caller holds the phone, or its queue is full.",
    hint: "Wait a moment and call again.",
  },
  target_not_found: {
    retry: "after a fix",
    meaning: "The app, element or text is not there.",
    hint: "Look at the screen again with read_screen.",
  },
  target_covered: {
    retry: "after a fix",
    meaning: "The soft keyboard lies over the element; nothing was tapped.",
    hint: "Press back once to hide the keyboard, then call again.",
  },
  stale_element: {
    retry: "after a fix",
    meaning: "The element is no longer where it was read.",
    hint: "Read the tree again and use a fresh ref.",
  },
  screen_changed: {
    retry: "after a fix",
    meaning: "Size or rotation changed since the picture was taken; nothing was sent.",
    hint: "Take a new screenshot and use its coordinates.",
  },
  screen_off: { retry: "after a fix", meaning: "The screen is off.", hint: "Call wake first." },
  screen_secure: {
    retry: "never",
    meaning: "The app forbids pictures of this screen.",
    hint: "Use read_ui_tree, which often still works here.",
  },
  screenshot_failed: {
    retry: "later",
    meaning: "The phone gave no whole picture.",
    hint: "Call again; read_ui_tree may work meanwhile.",
  },
  ui_not_idle: {
    retry: "later",
    meaning: "The screen keeps moving, so the phone gives no tree.",
    hint: "Use take_screenshot and coordinates, or wait_for idle.",
  },
  ui_unavailable: {
    retry: "later",
    meaning: "The phone gave no tree of the screen.",
    hint: "Use take_screenshot and coordinates, or call again.",
  },
  locked: {
    retry: "after the owner acts",
    meaning: "The phone is locked with a secret.",
    hint: "Ask the owner to unlock the phone; a secret is never guessed.",
  },
  input_permission_denied: {
    retry: "after the owner acts",
    meaning: "The phone refuses injected input.",
    hint: 'On Xiaomi phones switch on "USB debugging (Security settings)" and restart the phone.',
  },
  unsupported_characters: {
    retry: "after a fix",
    meaning: "The phone has no way to type some of the characters; nothing was typed.",
    hint: "Type the text without the characters that are named.",
  },
  clipboard_unavailable: {
    retry: "never",
    meaning: "The phone does not let the clipboard be used from here.",
    hint: "Read or type the text on the screen instead.",
  },
  file_refused: {
    retry: "after a fix",
    meaning: "The phone does not let this file be read or written.",
    hint: "Use a place that the shell may use, such as /sdcard/Download or /data/local/tmp.",
  },
  install_refused: {
    retry: "after a fix",
    meaning: "The phone refused to install or to remove the app.",
    hint: "Do what the message says, or look at the screen with read_screen: the phone may ask its owner.",
  },
  download_failed: {
    retry: "later",
    meaning: "The device agent could not fetch the file from its address.",
    hint: "Check the address and its SHA-256, then call again.",
  },
  task_not_found: {
    retry: "never",
    meaning: "There is no such Task for this caller.",
    hint: "Check the Task's id; finished Tasks are pruned after a while.",
  },
  task_not_cancelable: {
    retry: "never",
    meaning: "The Task is over already.",
    hint: "Read its result with get_task.",
  },
  task_closed: {
    retry: "never",
    meaning: "The Task takes no further message, and no subscriber once it is over.",
    hint: "Start a new Task with the same context id.",
  },
  unsupported: {
    retry: "never",
    meaning: "This Android, or this device agent, cannot do that.",
    hint: "Run device_info to see which tools work on this phone.",
  },
  too_large: { retry: "after a fix", meaning: "A picture, text or body is over the limit.", hint: "Ask for less." },
  rate_limited: {
    retry: "later",
    meaning: "The quota is used up.",
    hint: "Wait for the time given in retry_after_ms.",
  },
  deadline_exceeded: {
    retry: "only reads",
    meaning: "Time ran out; a write may or may not have happened.",
    hint: "Look at the screen before you try again.",
  },
  outcome_unknown: {
    retry: "never",
    meaning: "The link was lost in the middle: the write may or may not have happened, and was not repeated.",
    hint: "Look at the screen before you try again.",
  },
  connection_replaced: {
    retry: "later",
    meaning: "The device agent connected anew while the call was under way.",
    hint: "Look at the screen before you try again.",
  },
  canceled: { retry: "caller decides", meaning: "The caller gave up.", hint: "Call again if it is still wanted." },
  internal: {
    retry: "later",
    meaning: "A fault of ours.",
    hint: "Try again; the log has the details under the error id.",
  },
} as const satisfies Record<string, { retry: string; meaning: string; hint: string }>;

export type ErrorCode = keyof typeof errorTable;

export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];

/** The shape in which an error travels and is shown: only sentences that we wrote. */
export const errorBodySchema = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  hint: z.string(),
  retryAfterMs: z.number().int().nonnegative().optional(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;

export interface CodedErrorOptions {
  hint?: string;
  retryAfterMs?: number;
  /** For the log only; never serialised. */
  cause?: unknown;
}

/**
 * The one error type. `message` and `hint` are literals with values that we validated; whatever a phone, a library or
 * the system said goes into `cause`.
 */
export class CodedError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options: CodedErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CodedError";
    this.code = code;
    this.hint = options.hint ?? errorTable[code].hint;
    this.retryAfterMs = options.retryAfterMs;
  }

  toBody(): ErrorBody {
    const body: ErrorBody = { code: this.code, message: this.message, hint: this.hint };
    return this.retryAfterMs === undefined ? body : { ...body, retryAfterMs: this.retryAfterMs };
  }

  static fromBody(body: ErrorBody): CodedError {
    return new CodedError(body.code, body.message, { hint: body.hint, retryAfterMs: body.retryAfterMs });
  }
}

/** Turns anything thrown into a CodedError. An unknown fault becomes `internal` with `errorId`, and nothing else. */
export function toCodedError(thrown: unknown, errorId: string): CodedError {
  if (thrown instanceof CodedError) return thrown;
  return new CodedError("internal", `Something went wrong on our side (error id ${errorId}).`, { cause: thrown });
}
