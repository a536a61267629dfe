import { CodedError } from "../../shared/errors.ts";
import type { Lease } from "./lease.ts";

/** A subject comes from a token: what could be mistaken for a sentence of ours, or for an instruction, is taken out. */
export function tellableHolder(subject: string): string {
  return subject.replaceAll(/[^\p{L}\p{N}@._+:|-]/gu, "").slice(0, 64) || "another caller";
}

/** Who holds the phone, until when, and what the one who was refused can do. */
export function phoneLeased(held: Lease, caller: string, now: number): CodedError {
  const until = new Date(held.expiresAt).toISOString();
  const retryAfterMs = Math.max(1, held.expiresAt - now);
  if (held.caller !== caller) {
    return new CodedError("device_busy", `The phone is leased to ${held.holder} until ${until}.`, {
      hint: "Wait until then, or choose another phone; looking at this one is allowed.",
      retryAfterMs,
    });
  }
  return new CodedError(
    "device_busy",
    `You (${held.holder}) lease this phone until ${until}; this call names no lease.`,
    {
      hint: "Pass lease_id. If you do not know it, call acquire_device with this device: it gives the same lease again.",
      retryAfterMs,
    },
  );
}

export const leaseEnded = () =>
  new CodedError("invalid_argument", "This lease_id holds no lease on this phone (any more); nothing was sent.", {
    hint: "Call acquire_device again, or leave lease_id out.",
  });
