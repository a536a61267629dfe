import type { Clock } from "../../shared/clock.ts";
import { CodedError } from "../../shared/errors.ts";
import type { Logger } from "../../shared/log.ts";
import type { Lease } from "./lease.ts";
import type { LeaseFile } from "./lease-file.ts";
import { leaseEnded, phoneLeased, tellableHolder } from "./refusals.ts";

export interface LeaseWish {
  phone: string;
  caller: string;
  /** Of the caller. */
  subject: string;
  minutes: number;
  purpose: string | undefined;
  /** Refused even to the caller who holds the phone already. */
  onlyFree: boolean;
}

/** Who holds which phone. A lease ends when its time is over, when it is released, and when it is revoked. */
export interface Leases {
  /**
   * Resolves when the lease is on the disk. The holder gets its own lease again, with at least the time it had. Throws
   * `device_busy`.
   */
  acquire(wish: LeaseWish): Promise<Lease>;
  /** False when the caller has no such lease on the phone (any more). */
  release(phone: string, caller: string, leaseId: string): Promise<boolean>;
  /** Ends every lease that fits, whoever holds it. */
  revoke(fits: (lease: Lease) => boolean): Promise<void>;
  /** Throws `device_busy` when somebody else holds the phone or the id is missing, `invalid_argument` for an ended lease. */
  permitWrite(phone: string, caller: string, leaseId: string | undefined): void;
  /** The lease in force on a phone. */
  on(phone: string): Lease | undefined;
  /** Tells when a lease begins, changes or ends. Returns the way to stop it. */
  subscribe(changed: () => void): () => void;
}

const minuteMs = 60_000;

export function createLeases(deps: {
  clock: Clock;
  log: Logger;
  file: Pick<LeaseFile, "write">;
  /** What an earlier process left. */
  kept: readonly Lease[];
  newId: () => string;
}): Leases {
  const { clock, file, newId } = deps;
  const leases = new Map(deps.kept.map((lease) => [lease.phone, lease]));
  const listeners = new Set<() => void>();
  let callOffExpiry = () => {};

  const on = (phone: string): Lease | undefined => {
    const lease = leases.get(phone);
    return lease && lease.expiresAt > clock.now() ? lease : undefined;
  };
  const dropExpired = () => {
    for (const phone of [...leases.keys()]) if (!on(phone)) leases.delete(phone);
    callOffExpiry();
    const ends = [...leases.values()].map(({ expiresAt }) => expiresAt);
    callOffExpiry = ends.length === 0 ? () => {} : clock.after(Math.min(...ends) - clock.now(), changed);
  };
  const changed = () => {
    dropExpired();
    for (const listener of [...listeners]) listener();
  };
  const store = () => file.write([...leases.values()]);
  dropExpired();

  const revoke = async (fits: (lease: Lease) => boolean) => {
    const ended = [...leases.values()].filter(fits);
    for (const lease of ended) leases.delete(lease.phone);
    if (ended.length === 0) return;
    changed();
    // It is over in this process whatever the disk says; a later process may honour it until its time is over.
    await store().catch((cause: unknown) => deps.log.error("The leases cannot be written", { cause }));
  };

  return {
    async acquire({ phone, caller, subject, minutes, purpose, onlyFree }) {
      const held = on(phone);
      if (held && (onlyFree || held.caller !== caller)) throw phoneLeased(held, caller, clock.now());
      const until = clock.now() + minutes * minuteMs;
      const lease: Lease = {
        id: held?.id ?? newId(),
        phone,
        caller,
        holder: tellableHolder(subject),
        purpose: purpose ?? held?.purpose,
        expiresAt: Math.max(held?.expiresAt ?? 0, until),
      };
      leases.set(phone, lease);
      await store().catch((cause: unknown) => {
        if (leases.get(phone) === lease) leases.delete(phone);
        if (held && !on(phone)) leases.set(phone, held);
        throw notKept(cause);
      });
      changed();
      return lease;
    },
    async release(phone, caller, leaseId) {
      const held = on(phone);
      if (held?.id !== leaseId || held.caller !== caller) return false;
      await revoke((lease) => lease === held);
      return true;
    },
    revoke,
    permitWrite(phone, caller, leaseId) {
      const held = on(phone);
      const isOwn = held?.caller === caller;
      if (held && !isOwn) throw phoneLeased(held, caller, clock.now());
      if (leaseId !== held?.id && leaseId !== undefined) throw leaseEnded();
      if (held && leaseId === undefined) throw phoneLeased(held, caller, clock.now());
    },
    on,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const notKept = (cause: unknown) =>
  new CodedError("internal", "The device agent cannot write its leases, so none was given.", {
    hint: "Ask the operator to look at the disk of the device agent.",
    cause,
  });
