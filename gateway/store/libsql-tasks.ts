import { sql } from "drizzle-orm";
import type { TaskStore } from "../tasks/task-store.ts";
import type { Database } from "./database.ts";
import { createTaskLog } from "./task-log.ts";
import { createTaskPushes } from "./task-pushes.ts";
import { createTaskReading } from "./task-reading.ts";

export function createLibsqlTasks(database: Database): TaskStore {
  return {
    ...createTaskReading(database),
    ...createTaskLog(database),
    ...createTaskPushes(database),

    async prune(keep) {
      const [, , , , pruned] = await database.run((db) => {
        const superfluous = sql`(SELECT id FROM (
          SELECT id, open, row_number() OVER kept AS place, sum(bytes) OVER kept AS bytes_so_far FROM tasks
          WINDOW kept AS (PARTITION BY tenant ORDER BY open DESC, status_at DESC, id DESC ROWS UNBOUNDED PRECEDING))
          WHERE open = 0 AND (place > ${keep.tasks} OR bytes_so_far > ${keep.bytes}))`;
        return db.batch([
          db.run(sql`DELETE FROM pushes WHERE task_id IN ${superfluous}`),
          db.run(sql`DELETE FROM push_configs WHERE task_id IN ${superfluous}`),
          db.run(sql`DELETE FROM task_messages WHERE task_id IN ${superfluous}`),
          db.run(sql`DELETE FROM task_events WHERE task_id IN ${superfluous}`),
          db.run(sql`DELETE FROM tasks WHERE id IN ${superfluous}`),
        ]);
      });
      return pruned.rowsAffected;
    },
  };
}
