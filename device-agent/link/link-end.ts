import type { ErrorBody } from "../../shared/errors.ts";
import { closeCodes } from "../../shared/link/messages.ts";

/** Why an attempt or a link ended, as far as it decides when to dial again. */
export type LinkEnd =
  /** May pass by itself: a network, a restart. `upMs` is 0 when it never came to a welcome. */
  | { kind: "lost"; reason: string; upMs: number }
  /** The gateway does not accept the token (any more). */
  | { kind: "unauthorized"; reason: string }
  /** Another connection with the same identity took over. */
  | { kind: "replaced" }
  /** The two cannot talk to each other; the error's hint says what to do. */
  | { kind: "refused"; error: ErrorBody };

/** What a close of the WebSocket means. `upMs` as in LinkEnd. */
export function endOfClose(code: number, reason: string, upMs: number): LinkEnd {
  if (code === closeCodes.unauthorized) return { kind: "unauthorized", reason: reason || `close code ${code}` };
  if (code === closeCodes.replaced) return { kind: "replaced" };
  if (code === closeCodes.protocol) return unreadable("The gateway cannot read our messages.");
  return { kind: "lost", reason: reason ? `${reason} (close code ${code})` : `close code ${code}`, upMs };
}

/** What an HTTP status in place of the upgrade means. */
export function endOfDecline(status: number): LinkEnd {
  if (status === 401 || status === 403) return { kind: "unauthorized", reason: `HTTP ${status}` };
  const where = status === 404 ? "; is this the address of a Farhand gateway?" : "";
  return { kind: "lost", reason: `the gateway answered HTTP ${status}${where}`, upMs: 0 };
}

/** What a `refused` message means. */
export function endOfRefusal(error: ErrorBody): LinkEnd {
  return error.code === "unauthenticated"
    ? { kind: "unauthorized", reason: error.message }
    : { kind: "refused", error };
}

/** The two ends do not understand each other. */
export function unreadable(message: string): LinkEnd {
  const hint = "Install the same version of Farhand at the gateway and at the device agent.";
  return { kind: "refused", error: { code: "unsupported", message, hint } };
}
