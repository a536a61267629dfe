import type { Phones } from "../phones.ts";
import type { TasksAtWork } from "../tasks/turns.ts";
import type { Leases } from "./leases.ts";

/** The phones as they are reported: with who holds them, and which Task works on them. */
export function withUse(phones: Phones, leases: Leases, tasks: TasksAtWork): Pick<Phones, "list" | "subscribe"> {
  return {
    list: () =>
      phones.list().map((report) => {
        const lease = leases.on(report.key);
        const task = tasks.on(report.key);
        return {
          ...report,
          ...(lease && { leaseHolder: lease.holder, leaseExpiresAt: lease.expiresAt }),
          ...(task && { runningTask: task.taskId }),
        };
      }),
    subscribe(changed) {
      const stops = [phones.subscribe(changed), leases.subscribe(changed), tasks.subscribe(changed)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
