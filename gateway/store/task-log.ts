import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import { limits } from "../../shared/limits.ts";
import type { StatusEvent } from "../../shared/tasks/task-event.ts";
import { interruptedStates, isTerminal, type TaskState } from "../../shared/tasks/task-state.ts";
import type { StoredEvent } from "../tasks/task.ts";
import type { Standing, TaskStore } from "../tasks/task-store.ts";
import type { Database } from "./database.ts";
import { tasks } from "./schema.ts";
import { bytesOf, newRow, type TaskRow, toRecord } from "./task-rows.ts";

type EventBody = StoredEvent extends infer Stored
  ? Stored extends unknown
    ? Omit<Stored, "seq" | "at">
    : never
  : never;

/** The writing half of the store of Tasks: each write is one batch whose statements all carry the same condition. */
export function createTaskLog(
  database: Database,
): Pick<
  TaskStore,
  "create" | "appendFromSource" | "appendStatus" | "appendMessage" | "requestCancel" | "markAccepted" | "prolong"
> {
  return {
    async create(task, message, mostActive) {
      const event = JSON.stringify({ kind: "message", message });
      const row = newRow(task, bytesOf(event));
      const { tenant, subject, messageId, messageDigest } = task;
      const [, , , found] = await database.run((db) =>
        db.batch([
          db.run(sql`INSERT INTO tasks (${columnNames}) SELECT ${valuesOf(row)}
            WHERE NOT EXISTS (SELECT 1 FROM task_messages WHERE tenant = ${tenant} AND subject = ${subject}
                AND message_id = ${messageId})
              AND (SELECT count(*) FROM tasks WHERE device_agent_id = ${task.deviceAgentId} AND open = 1) < ${mostActive}
            ON CONFLICT DO NOTHING`),
          db.run(sql`INSERT INTO task_messages (tenant, subject, message_id, task_id, digest)
            SELECT tenant, subject, message_id, id, ${messageDigest} FROM tasks WHERE id = ${task.id}
            ON CONFLICT DO NOTHING`),
          db.run(sql`INSERT INTO task_events (task_id, seq, at, kind, body)
            SELECT id, 1, created_at, 'message', ${event} FROM tasks WHERE id = ${task.id} ON CONFLICT DO NOTHING`),
          db
            .select()
            .from(tasks)
            .where(sql`${tasks.id} = (SELECT task_id FROM task_messages WHERE tenant = ${tenant}
              AND subject = ${subject} AND message_id = ${messageId})`),
        ]),
      );
      return found[0] ? toRecord(found[0]) : "full";
    },

    async appendFromSource({ taskId, deviceAgentId, connectSeq, sourceSeq, event, now, leaseEndsAt, expiresAt }) {
      const size = bytesOf(JSON.stringify(event));
      const fits = sql`bytes + ${size} <= ${limits.taskDocumentBytes}`;
      const fence = sql`id = ${taskId} AND device_agent_id = ${deviceAgentId} AND open = 1
        AND last_source_seq = ${sourceSeq - 1}
        AND EXISTS (SELECT 1 FROM device_agents WHERE id = ${deviceAgentId} AND connect_seq = ${connectSeq})
        AND ${event.kind === "artifact" ? fits : mayBecome(event.state)}`;
      const ends = event.kind === "status" && isTerminal(event.state);
      const due = ends ? sql`NULL` : sql`${leaseEndsAt}`;
      const expiry = ends ? sql`NULL` : sql`${expiresAt}`;
      const set = [sql`last_source_seq = ${sourceSeq}, lease_ends_at = ${due}, expires_at = ${expiry}, accepted = 1`];
      const [stored, standing] = await database
        .run((db) =>
          db.batch([
            ...append(db, { fence, event, set, now }),
            db.all<{ state: TaskState; last_source_seq: number; fits: number }>(
              sql`SELECT state, last_source_seq, ${fits} AS fits FROM tasks
              WHERE id = ${taskId} AND device_agent_id = ${deviceAgentId}`,
            ),
          ]),
        )
        .then(([, , changed, rows]) => [changed.rowsAffected > 0, rows[0]] as const);
      if (!standing) return null;
      const { state, last_source_seq: lastSourceSeq } = standing;
      const isNext = !stored && lastSourceSeq === sourceSeq - 1 && !isTerminal(state);
      const tooLarge = isNext && event.kind === "artifact" && standing.fits === 0;
      return { state, lastSourceSeq, stored, tooLarge } satisfies Standing;
    },

    async appendStatus({ taskId, from, onlyUnaccepted, onlyDueAt, event, now }) {
      const due = sql`(lease_ends_at <= ${onlyDueAt ?? null} OR expires_at <= ${onlyDueAt ?? null})`;
      const fence = sql`id = ${taskId} AND state IN ${from}
        AND ${onlyUnaccepted ? sql`accepted = 0` : sql`1`} AND ${onlyDueAt === undefined ? sql`1` : due}`;
      const set = isTerminal(event.state) ? [sql`lease_ends_at = NULL, expires_at = NULL`] : [];
      const [, , changed] = await database.run((db) => db.batch(append(db, { fence, event, set, now })));
      return changed.rowsAffected > 0;
    },

    async appendMessage({ task, message, digest, now, leaseEndsAt }) {
      const { tenant, subject } = task;
      const fence = sql`id = ${task.id} AND state IN ${interruptedStates}
        AND NOT EXISTS (SELECT 1 FROM task_messages WHERE tenant = ${tenant} AND subject = ${subject}
          AND message_id = ${message.messageId})`;
      const set = [
        sql`state = 'TASK_STATE_WORKING', status_message = NULL, status_at = ${now}`,
        sql`lease_ends_at = ${leaseEndsAt}, expires_at = NULL`,
      ];
      const [, , changed] = await database.run((db) =>
        db.batch([
          ...append(db, { fence, event: { kind: "message", message }, set, now }),
          db.run(sql`INSERT INTO task_messages (tenant, subject, message_id, task_id, digest)
            SELECT ${tenant}, ${subject}, ${message.messageId}, ${task.id}, ${digest} WHERE changes() = 1`),
        ]),
      );
      return changed.rowsAffected > 0;
    },

    async requestCancel(taskId) {
      const { rowsAffected } = await database.run((db) =>
        db.run(sql`UPDATE tasks SET cancel_requested = 1 WHERE id = ${taskId} AND open = 1`),
      );
      return rowsAffected > 0;
    },

    async markAccepted(taskId, deviceAgentId) {
      await database.run((db) =>
        db.run(sql`UPDATE tasks SET accepted = 1 WHERE id = ${taskId} AND device_agent_id = ${deviceAgentId}`),
      );
    },

    async prolong(deviceAgentId, connectSeq, ids, leaseEndsAt) {
      if (ids.length === 0) return [];
      const alive = await database.run((db) =>
        db.all<{ id: string }>(sql`UPDATE tasks
          SET lease_ends_at = CASE WHEN lease_ends_at IS NULL THEN NULL ELSE ${leaseEndsAt} END
          WHERE id IN ${ids} AND device_agent_id = ${deviceAgentId} AND open = 1
            AND EXISTS (SELECT 1 FROM device_agents WHERE id = ${deviceAgentId} AND connect_seq = ${connectSeq})
          RETURNING id`),
      );
      return alive.map(({ id }) => id);
    },
  };
}

/**
 * The three statements that put one event at the end of a Task's log, if `fence` holds: the event, a notification for
 * each of its webhooks, and the Task's row, which comes last since it changes what the fence looks at.
 */
function append(db: LibSQLDatabase, entry: { fence: SQL; event: EventBody; set: readonly SQL[]; now: number }) {
  const { fence, event, set, now } = entry;
  const body = JSON.stringify(event);
  // No column twice: of two assignments SQLite takes the last and says nothing.
  const counted = sql`last_seq = last_seq + 1, bytes = bytes + ${bytesOf(body)}`;
  const assignments = [...(event.kind === "status" ? [statusOf(event, now)] : []), ...set, counted];
  return [
    db.run(sql`INSERT INTO task_events (task_id, seq, at, kind, body)
      SELECT id, last_seq + 1, ${now}, ${event.kind}, ${body} FROM tasks WHERE ${fence}`),
    db.run(sql`INSERT INTO pushes (task_id, config_id, seq, attempt, due_at, claimed_until)
      SELECT task_id, id, (SELECT last_seq + 1 FROM tasks WHERE id = task_id), 0, ${now}, 0 FROM push_configs
      WHERE task_id = (SELECT id FROM tasks WHERE ${fence})`),
    db.run(sql`UPDATE tasks SET ${sql.join(assignments, sql`, `)} WHERE ${fence}`),
  ] as const;
}

/** What has begun is never only handed in again: its client may have been told otherwise. */
function mayBecome(state: TaskState): SQL {
  return state === "TASK_STATE_SUBMITTED" ? sql`state = ${state}` : sql`1`;
}

function statusOf({ state, message }: StatusEvent, now: number): SQL {
  const text = message === undefined ? null : JSON.stringify(message);
  return sql`state = ${state}, open = ${isTerminal(state) ? 0 : 1}, status_message = ${text}, status_at = ${now}`;
}

const columnNames = sql.join(
  Object.values(getTableColumns(tasks)).map(({ name }) => sql.identifier(name)),
  sql`, `,
);

/** In the order of `columnNames`. */
function valuesOf(row: TaskRow): SQL {
  const keys = Object.keys(getTableColumns(tasks)) as (keyof TaskRow)[];
  return sql.join(
    keys.map((key) => sql`${row[key]}`),
    sql`, `,
  );
}
