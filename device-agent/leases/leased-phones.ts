import type { Phones } from "../phones.ts";
import type { Leases } from "./leases.ts";

/** The phones as they are reported: with who holds them. */
export function withLeases(phones: Phones, leases: Leases): Pick<Phones, "list" | "subscribe"> {
  return {
    list: () =>
      phones.list().map((report) => {
        const lease = leases.on(report.key);
        return lease ? { ...report, leaseHolder: lease.holder, leaseExpiresAt: lease.expiresAt } : report;
      }),
    subscribe(changed) {
      const stops = [phones.subscribe(changed), leases.subscribe(changed)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
