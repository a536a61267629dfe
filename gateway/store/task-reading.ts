import { and, asc, count, desc, eq, gt, gte, inArray, isNotNull, lte, ne, or, sql } from "drizzle-orm";
import { CodedError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { StoredEvent } from "../tasks/task.ts";
import type { TaskOwner, TaskStore } from "../tasks/task-store.ts";
import type { Database } from "./database.ts";
import { taskEvents, taskMessages, tasks } from "./schema.ts";
import { bytesOf, toEvent, toRecord } from "./task-rows.ts";

/** The reading half of the store of Tasks. */
export function createTaskReading(
  database: Database,
): Pick<
  TaskStore,
  | "find"
  | "findForGateway"
  | "findByMessage"
  | "newestOfContext"
  | "events"
  | "histories"
  | "list"
  | "unfinished"
  | "overdue"
  | "nextDueAt"
> {
  return {
    async find(owner, id) {
      const rows = await database.run((db) =>
        db
          .select()
          .from(tasks)
          .where(and(ownedBy(owner), eq(tasks.id, id))),
      );
      return rows[0] ? toRecord(rows[0]) : null;
    },

    async findForGateway(id) {
      const rows = await database.run((db) => db.select().from(tasks).where(eq(tasks.id, id)));
      return rows[0] ? toRecord(rows[0]) : null;
    },

    async findByMessage({ tenant, subject }, messageId) {
      const rows = await database.run((db) =>
        db
          .select({ task: tasks, digest: taskMessages.digest })
          .from(taskMessages)
          .innerJoin(tasks, eq(tasks.id, taskMessages.taskId))
          .where(
            and(
              eq(taskMessages.tenant, tenant),
              eq(taskMessages.subject, subject),
              eq(taskMessages.messageId, messageId),
            ),
          ),
      );
      return rows[0] ? { task: toRecord(rows[0].task), digest: rows[0].digest } : null;
    },

    async newestOfContext(owner, contextId) {
      const rows = await database.run((db) =>
        db
          .select()
          .from(tasks)
          .where(and(ownedBy(owner), eq(tasks.contextId, contextId)))
          .orderBy(desc(tasks.createdAt))
          .limit(1),
      );
      return rows[0] ? toRecord(rows[0]) : null;
    },

    async events(taskId, afterSeq, limit) {
      const rows = await database.run((db) =>
        db
          .select()
          .from(taskEvents)
          .where(and(eq(taskEvents.taskId, taskId), gt(taskEvents.seq, afterSeq)))
          .orderBy(asc(taskEvents.seq))
          .limit(limit),
      );
      return rows.slice(0, fitting(rows)).map(toEvent);
    },

    async histories(ids) {
      const histories = new Map<string, StoredEvent[]>(ids.map((id) => [id, []]));
      if (ids.length === 0) return histories;
      const rows = await database.run((db) =>
        db
          .select()
          .from(taskEvents)
          .where(and(inArray(taskEvents.taskId, [...ids]), ne(taskEvents.kind, "artifact")))
          .orderBy(asc(taskEvents.taskId), asc(taskEvents.seq)),
      );
      for (const row of rows) histories.get(row.taskId)?.push(toEvent(row));
      return histories;
    },

    async list(owner, { onlyDevices, contextId, state, statusAtFrom, limit, pageToken }) {
      const wanted = and(
        ownedBy(owner),
        onlyDevices && inArray(tasks.deviceId, [...onlyDevices]),
        contextId === undefined ? undefined : eq(tasks.contextId, contextId),
        state === undefined ? undefined : eq(tasks.state, state),
        statusAtFrom === undefined ? undefined : gte(tasks.statusAt, statusAtFrom),
      );
      const after = pageToken === undefined ? undefined : afterToken(pageToken);
      const [rows, totals] = await database.run((db) =>
        db.batch([
          db
            .select()
            .from(tasks)
            .where(and(wanted, after))
            .orderBy(desc(tasks.statusAt), desc(tasks.id))
            .limit(limit + 1),
          db.select({ total: count() }).from(tasks).where(wanted),
        ]),
      );
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const nextPageToken = rows.length > limit && last ? `${last.statusAt}.${last.id}` : "";
      return { tasks: shown.map(toRecord), nextPageToken, total: totals[0]?.total ?? 0 };
    },

    async unfinished(deviceAgentId) {
      const rows = await database.run((db) =>
        db
          .select()
          .from(tasks)
          .where(and(eq(tasks.deviceAgentId, deviceAgentId), eq(tasks.open, 1)))
          .orderBy(asc(tasks.createdAt), asc(tasks.id)),
      );
      return rows.map(toRecord);
    },

    async overdue(now, limit) {
      const rows = await database.run((db) =>
        db
          .select()
          .from(tasks)
          .where(or(lte(tasks.leaseEndsAt, now), lte(tasks.expiresAt, now)))
          .limit(limit),
      );
      return rows.map(toRecord);
    },

    async nextDueAt() {
      const [leases, expiries, due] = await database.run((db) =>
        db.batch([
          db
            .select({ at: tasks.leaseEndsAt })
            .from(tasks)
            .where(isNotNull(tasks.leaseEndsAt))
            .orderBy(tasks.leaseEndsAt)
            .limit(1),
          db
            .select({ at: tasks.expiresAt })
            .from(tasks)
            .where(isNotNull(tasks.expiresAt))
            .orderBy(tasks.expiresAt)
            .limit(1),
          // The oldest of each webhook only, as `claimPushes` gives them out. CROSS JOIN keeps SQLite to this order.
          db.all<{ at: number | null }>(sql`SELECT min(max(due_at, claimed_until)) AS at
            FROM push_configs CROSS JOIN pushes ON pushes.task_id = push_configs.task_id
              AND config_id = push_configs.id AND seq = (SELECT min(seq) FROM pushes AS all_of_it
                WHERE all_of_it.task_id = push_configs.task_id AND all_of_it.config_id = push_configs.id)`),
        ]),
      );
      const instants = [...leases, ...expiries, ...due].flatMap(({ at }) => at ?? []);
      return instants.length === 0 ? null : Math.min(...instants);
    },
  };
}

const ownedBy = ({ tenant, subject }: TaskOwner) => and(eq(tasks.tenant, tenant), eq(tasks.subject, subject));

/** How many rows from the first make up about one document; at least one. */
function fitting(rows: readonly { body: string }[]): number {
  let bytes = 0;
  const over = rows.findIndex(({ body }) => {
    bytes += bytesOf(body);
    return bytes > limits.taskDocumentBytes;
  });
  return over === -1 ? rows.length : Math.max(1, over);
}

/** A page token is status time and id of the last Task shown. */
function afterToken(pageToken: string) {
  const [, statusAt, id] = /^(\d{1,16})\.([\x21-\x7e]{1,256})$/.exec(pageToken) ?? [];
  if (statusAt === undefined || id === undefined) {
    throw new CodedError("invalid_argument", "This page token is none that a list of Tasks gave.", {
      hint: "List anew without it.",
    });
  }
  return sql`(${tasks.statusAt}, ${tasks.id}) < (${Number(statusAt)}, ${id})`;
}
