import { type Client, createClient } from "@libsql/client";
import { drizzle, type LibSQLDatabase } from "drizzle-orm/libsql";
import { type Clock, pause } from "../../shared/clock.ts";
import type { Logger } from "../../shared/log.ts";
import { migrations } from "./migrations.ts";

/** The one way to the database file. Work is done strictly one after another. */
export interface Database {
  /** `work` may be run again after a lock of somebody else: it must be a single statement or batch, or harmless to repeat. */
  run<T>(work: (db: LibSQLDatabase) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** How long the thread itself may wait for a lock; the rest is waited for without blocking it. */
const blockingWaitMs = 25;
const busyPatienceMs = 10_000;

/**
 * Opens a `file:` database and brings its schema up to date. `@libsql/client` 0.18 is fenced in on purpose: a second
 * connection would miss the pragmas, so there is one; after SQLITE_BUSY a connection silently loses later writes, so it
 * is made anew; a long busy timeout freezes the process, so it is short and the waiting is ours.
 */
export async function openDatabase(deps: { url: string; clock: Clock; log: Logger }): Promise<Database> {
  const { url, clock, log } = deps;
  const client = createClient({ url, concurrency: 1, timeout: blockingWaitMs });
  const db = drizzle(client);
  let last: Promise<unknown> = Promise.resolve();
  let isSet = false;

  const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
    const startedAt = clock.now();
    for (let attempt = 1; ; attempt++) {
      try {
        if (!isSet) await setPragmas(client);
        isSet = true;
        return await work();
      } catch (error) {
        if (!isBusy(error)) throw error;
        // Also before giving up: whoever writes next must not get this connection.
        isSet = false;
        await client.reconnect();
        if (clock.now() - startedAt > busyPatienceMs) throw error;
        log.warn("the database is locked by another program", { attempt });
        await pause(clock, Math.min(20 * 2 ** attempt, 500));
      }
    }
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(() => patiently(work));
    last = mine.catch(() => {});
    return mine;
  };

  try {
    await inTurn(() => migrate(client, clock.now()));
  } catch (error) {
    client.close();
    throw error;
  }
  return {
    run: (work) => inTurn(() => work(db)),
    async close() {
      await last;
      client.close();
    },
  };
}

/** WAL survives in the file, `synchronous` does not; both are asserted, since a file system may refuse WAL. */
async function setPragmas(client: Client): Promise<void> {
  const journal = await client.execute("PRAGMA journal_mode = WAL");
  await client.execute("PRAGMA synchronous = NORMAL");
  const synchronous = await client.execute("PRAGMA synchronous");
  if (journal.rows[0]?.[0] === "wal" && synchronous.rows[0]?.[0] === 1) return;
  throw new Error("The database cannot be used in WAL mode here; choose a data directory on a local disk.");
}

async function migrate(client: Client, now: number): Promise<void> {
  await client.execute(
    "CREATE TABLE IF NOT EXISTS schema_versions (version integer PRIMARY KEY NOT NULL, applied_at integer NOT NULL)",
  );
  const { rows } = await client.execute("SELECT coalesce(max(version), 0) FROM schema_versions");
  const current = Number(rows[0]?.[0]);
  if (current > migrations.length) {
    throw new Error("The database was written by a newer version of Farhand; install that version or a newer one.");
  }
  for (const [index, statements] of migrations.entries()) {
    if (index < current) continue;
    const mark = { sql: "INSERT INTO schema_versions VALUES (?, ?)", args: [index + 1, now] };
    await client.batch([...statements, mark], "write");
  }
}

function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, "code");
  return (typeof code === "string" && code.startsWith("SQLITE_BUSY")) || isBusy(error.cause);
}
