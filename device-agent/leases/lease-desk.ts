import { CodedError } from "../../shared/errors.ts";
import type { LeaseDesk } from "../../shared/tools/define-tool.ts";
import type { Phones } from "../phones.ts";
import { phoneAtTask } from "../tasks/refusals.ts";
import type { TasksAtWork } from "../tasks/turns.ts";
import type { Leases } from "./leases.ts";

export interface LeaseDeskOptions {
  leases: Leases;
  phones: Phones;
  tasksAtWork: Pick<TasksAtWork, "on">;
  /** The phone's key. */
  phone: string;
  caller: string;
  subject: string;
}

/** One caller's way to the lease of one phone. */
export function createLeaseDesk(options: LeaseDeskOptions): LeaseDesk {
  const { leases, phones, phone, caller, subject } = options;
  return {
    async acquire(wish) {
      // A phone that cannot be reached is of no use to a holder.
      phones.open(phone);
      const task = options.tasksAtWork.on(phone);
      if (task && (wish.onlyFree || task.caller !== caller)) throw phoneAtTask(task, caller);
      const { id, expiresAt } = await leases.acquire({ phone, caller, subject, ...wish });
      return { id, expiresAt };
    },
    async release(id) {
      if (await leases.release(phone, caller, id)) return;
      throw new CodedError("target_not_found", "You have no such lease on this phone: it has ended already.", {
        hint: "Nothing is left to release.",
      });
    },
  };
}
