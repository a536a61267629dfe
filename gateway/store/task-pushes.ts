import { and, asc, eq, sql } from "drizzle-orm";
import type { PushConfig, TaskStore } from "../tasks/task-store.ts";
import type { Database } from "./database.ts";
import { pushConfigs, pushes } from "./schema.ts";

interface ClaimedRow {
  task_id: string;
  config_id: string;
  seq: number;
  attempt: number;
  config: string | null;
}

/** Webhooks, and the outbox of what they still have to hear; `append` in task-log.ts fills it. */
export function createTaskPushes(
  database: Database,
): Pick<
  TaskStore,
  "savePushConfig" | "pushConfigs" | "deletePushConfig" | "claimPushes" | "settlePush" | "postponePush"
> {
  return {
    async savePushConfig({ tenant, subject }, { id, taskId, url, token, scheme, credentials }, { perTask, perTenant }) {
      const others = (where: ReturnType<typeof sql>) =>
        sql`(SELECT count(*) FROM push_configs WHERE ${where} AND NOT (task_id = ${taskId} AND id = ${id}))`;
      const { rowsAffected } = await database.run((db) =>
        db.run(sql`INSERT INTO push_configs (task_id, id, tenant, url, token, scheme, credentials)
          SELECT ${taskId}, ${id}, ${tenant}, ${url}, ${token}, ${scheme}, ${credentials}
          WHERE EXISTS (SELECT 1 FROM tasks WHERE id = ${taskId} AND tenant = ${tenant} AND subject = ${subject})
            AND ${others(sql`task_id = ${taskId}`)} < ${perTask} AND ${others(sql`tenant = ${tenant}`)} < ${perTenant}
          ON CONFLICT (task_id, id) DO UPDATE SET url = excluded.url, token = excluded.token,
            scheme = excluded.scheme, credentials = excluded.credentials`),
      );
      return rowsAffected > 0 ? "saved" : "full";
    },

    async pushConfigs(taskId) {
      const rows = await database.run((db) =>
        db.select().from(pushConfigs).where(eq(pushConfigs.taskId, taskId)).orderBy(asc(pushConfigs.id)),
      );
      return rows.map(({ tenant: _, ...config }): PushConfig => config);
    },

    async deletePushConfig(taskId, id) {
      await database.run((db) =>
        db.batch([
          db.delete(pushes).where(and(eq(pushes.taskId, taskId), eq(pushes.configId, id))),
          db.delete(pushConfigs).where(and(eq(pushConfigs.taskId, taskId), eq(pushConfigs.id, id))),
        ]),
      );
    },

    async claimPushes(now, claimedUntil, limit) {
      const rows = await database.run((db) =>
        db.all<ClaimedRow>(sql`UPDATE pushes SET claimed_until = ${claimedUntil}, attempt = attempt + 1
          WHERE claimed_until <= ${now} AND (task_id, config_id, seq) IN (
            SELECT due.task_id, due.config_id, due.seq FROM pushes AS due
            WHERE due.due_at <= ${now} AND due.claimed_until <= ${now} AND NOT EXISTS (
              SELECT 1 FROM pushes AS older
              WHERE older.task_id = due.task_id AND older.config_id = due.config_id AND older.seq < due.seq)
            ORDER BY due.due_at LIMIT ${limit})
          RETURNING task_id, config_id, seq, attempt, (
            SELECT json_object('id', c.id, 'taskId', c.task_id, 'url', c.url, 'token', c.token, 'scheme', c.scheme,
              'credentials', c.credentials)
            FROM push_configs AS c WHERE c.task_id = pushes.task_id AND c.id = pushes.config_id) AS config`),
      );
      return rows.flatMap(({ task_id: taskId, seq, attempt, config }) =>
        config === null ? [] : [{ config: JSON.parse(config) as PushConfig, taskId, seq, attempt }],
      );
    },

    async settlePush({ taskId, config, seq, attempt }) {
      await database.run((db) => db.delete(pushes).where(claimOf(taskId, config.id, seq, attempt)));
    },

    async postponePush({ taskId, config, seq, attempt }, dueAt) {
      await database.run((db) =>
        db
          .update(pushes)
          .set({ dueAt, claimedUntil: 0 })
          .where(claimOf(taskId, config.id, seq, attempt)),
      );
    },
  };
}

/** A claim that ran out and was taken by somebody else has another attempt. */
const claimOf = (taskId: string, configId: string, seq: number, attempt: number) =>
  and(eq(pushes.taskId, taskId), eq(pushes.configId, configId), eq(pushes.seq, seq), eq(pushes.attempt, attempt));
