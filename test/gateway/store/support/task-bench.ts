import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type InArgs } from "@libsql/client";
import { systemClock } from "../../../../gateway/node/system-clock.ts";
import { type Database, openDatabase } from "../../../../gateway/store/database.ts";
import { createLibsqlDirectory } from "../../../../gateway/store/libsql-directory.ts";
import { createLibsqlTasks } from "../../../../gateway/store/libsql-tasks.ts";
import type { NewTask, TaskRecord, TaskStore } from "../../../../gateway/tasks/task-store.ts";
import { createLogger } from "../../../../shared/log.ts";
import { deviceAgent, newTask, userMessage } from "./task-entries.ts";

export interface TaskBench {
  url: string;
  database: Database;
  store: TaskStore;
  begin(id: string, change?: Partial<NewTask>): Promise<TaskRecord | "full">;
  /** Lets the store's device agent come by a newer link. */
  relink(connectSeq: number): Promise<void>;
  /** What a connection of somebody else reads. */
  read(query: string, args?: InArgs): Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
}

/** A store of Tasks in a file of its own, with one device agent on its first link. */
export async function createTaskBench(): Promise<TaskBench> {
  const folder = await mkdtemp(join(tmpdir(), "farhand-tasks-"));
  const url = `file:${join(folder, "gateway.db")}`;
  const log = createLogger({ source: "test", level: "error", write: () => {}, now: () => 0 });
  const database = await openDatabase({ url, clock: systemClock, log });
  const directory = createLibsqlDirectory(database);
  const store = createLibsqlTasks(database);
  await directory.admitDeviceAgent(deviceAgent, 1);
  return {
    url,
    database,
    store,
    begin(id, change = {}) {
      const task = newTask(id, change);
      return store.create(task, userMessage(task.messageId), 16);
    },
    async relink(connectSeq) {
      await directory.admitDeviceAgent({ ...deviceAgent, connectSeq }, 1);
    },
    async read(query, args = []) {
      const client = createClient({ url, concurrency: 1 });
      const { rows } = await client.execute({ sql: query, args });
      client.close();
      return rows.map((row) => ({ ...row }));
    },
    async remove() {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}
