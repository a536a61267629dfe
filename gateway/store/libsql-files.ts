import { and, eq, gt, lte, sql } from "drizzle-orm";
import type { Files } from "../files/files.ts";
import type { Database } from "./database.ts";
import { files } from "./schema.ts";

export function createLibsqlFiles(database: Database, now: () => number): Files {
  return {
    async register({ id, name, mediaType, bytes, sha256, expiresAt, asOf }, holder) {
      const { tenant, subject, deviceAgentId, deviceId } = holder;
      const madeAt = now();
      // A device agent's clock may be wrong by hours.
      const times = { madeAt, expiresAt: madeAt + expiresAt - asOf };
      const row = { id, tenant, subject, deviceAgentId, deviceId, name, mediaType, bytes, sha256, ...times };
      const set = { bytes, sha256, expiresAt: row.expiresAt };
      await database.run((db) =>
        db.batch([
          db.insert(files).values(row).onConflictDoUpdate({ target: files.id, set, setWhere: sameHolder }),
          db.delete(files).where(lte(files.expiresAt, madeAt)),
        ]),
      );
      return row;
    },
    async find(id) {
      const found = await database.run((db) =>
        db
          .select()
          .from(files)
          .where(and(eq(files.id, id), gt(files.expiresAt, now()))),
      );
      return found[0] ?? null;
    },
    async remove(id) {
      await database.run((db) => db.delete(files).where(eq(files.id, id)));
    },
  };
}

const sameHolder = sql`${files.tenant} = excluded.tenant AND ${files.subject} = excluded.subject
  AND ${files.deviceAgentId} = excluded.device_agent_id AND ${files.deviceId} = excluded.device_id`;
