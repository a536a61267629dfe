import { CodedError } from "../../shared/errors.ts";
import type { Principal } from "../auth/principal.ts";
import type { TaskRecord, TaskStore } from "./task-store.ts";

/**
 * The principal's own Task. To a token that may not use its phone it does not exist either. Throws `task_not_found`, the
 * same for another's Task as for one that never was.
 */
export async function findTask(
  store: Pick<TaskStore, "find">,
  { tenant, subject, devices }: Principal,
  taskId: string,
): Promise<TaskRecord> {
  const task = await store.find({ tenant, subject }, taskId);
  if (task && (devices === "all" || devices.includes(task.deviceId))) return task;
  throw new CodedError("task_not_found", "There is no such Task.");
}
