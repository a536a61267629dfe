import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { deviceIdOf } from "../../shared/device-id.ts";
import { CodedError } from "../../shared/errors.ts";
import type { DeviceReport } from "../../shared/link/messages.ts";
import type { Directory, DirectoryDevice } from "../directory.ts";
import type { Database } from "./database.ts";
import { tidyName, uniqueName } from "./device-names.ts";
import { deviceAgents, devices } from "./schema.ts";

type DeviceRow = typeof devices.$inferSelect;

export function createLibsqlDirectory(database: Database): Directory {
  return {
    async admitDeviceAgent(record, now) {
      const { name, version, bootId, connectSeq } = record;
      const admitted = await database.run((db) =>
        db
          .insert(deviceAgents)
          .values({ ...record, connectedAt: now })
          .onConflictDoUpdate({
            target: deviceAgents.id,
            set: { name, version, bootId, connectSeq, connectedAt: now },
            setWhere: sql`${deviceAgents.connectSeq} < excluded.connect_seq`,
          })
          .returning({ id: deviceAgents.id }),
      );
      return admitted.length === 1;
    },

    async saveReport(deviceAgentId, reports, now) {
      const ids = await Promise.all(reports.map(({ key }) => deviceIdOf(deviceAgentId, key)));
      // Names are chosen from what is stored; should another instance take one meanwhile, the unique index says so.
      for (let attempt = 1; ; attempt++) {
        try {
          return await saveOnce(database, deviceAgentId, reports, ids, now);
        } catch (error) {
          if (attempt === 3 || !isNameTaken(error)) throw error;
        }
      }
    },

    async load() {
      return (await database.run((db) => db.select().from(devices))).map(toDevice);
    },

    async page({ tenant, only, limit, cursor }) {
      const rows = await database.run((db) =>
        db
          .select()
          .from(devices)
          .where(
            and(
              eq(devices.tenant, tenant),
              only === "all" ? undefined : inArray(devices.id, [...only]),
              cursor === undefined ? undefined : after(cursor, tenant),
            ),
          )
          .orderBy(asc(devices.foldedName), asc(devices.id))
          .limit(limit + 1),
      );
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return { devices: shown.map(toDevice), nextCursor: rows.length > limit && last ? last.id : null };
    },
  };
}

async function saveOnce(
  database: Database,
  deviceAgentId: string,
  reports: readonly DeviceReport[],
  ids: readonly string[],
  now: number,
): Promise<DirectoryDevice[]> {
  const owner = await database.run((db) =>
    db.select({ tenant: deviceAgents.tenant }).from(deviceAgents).where(eq(deviceAgents.id, deviceAgentId)),
  );
  const tenant = owner[0]?.tenant;
  if (tenant === undefined) return [];
  const known = await database.run((db) => db.select().from(devices).where(eq(devices.tenant, tenant)));
  const rows = newRows({ tenant, deviceAgentId, reports, ids, known, now });
  const missing = known.filter((row) => row.deviceAgentId === deviceAgentId && !ids.includes(row.id));
  const losses = missing.map((row): DeviceRow => {
    return row.hint === goneHint
      ? row
      : { ...row, state: "offline", hint: goneHint, foregroundApp: null, runningTask: null, asOf: now };
  });
  const changed = [...rows, ...losses.filter((row, index) => row !== missing[index])];
  await database.run(async (db) => {
    const upserts = changed.map((row) => {
      const { id: _, labels: __, ...set } = row;
      return db.insert(devices).values(row).onConflictDoUpdate({ target: devices.id, set });
    });
    const [first, ...others] = upserts;
    if (first) await db.batch([first, ...others]);
  });
  return [...rows, ...losses].map(toDevice);
}

const goneHint = "The device agent no longer sees this phone; connect it again.";

function newRows(from: {
  tenant: string;
  deviceAgentId: string;
  reports: readonly DeviceReport[];
  ids: readonly string[];
  known: readonly DeviceRow[];
  now: number;
}): DeviceRow[] {
  const { tenant, deviceAgentId, reports, ids, known, now } = from;
  const byId = new Map(known.map((row) => [row.id, row]));
  const taken = new Set(known.map((row) => row.foldedName));
  return reports.map((report, index) => {
    const id = ids[index] ?? "";
    const before = byId.get(id);
    const keeps = before?.proposedName === report.name;
    if (before && !keeps) taken.delete(before.foldedName);
    const name = before && keeps ? before.name : uniqueName(tidyName(report.name), taken);
    taken.add(name.toLowerCase());
    return {
      id,
      tenant,
      deviceAgentId,
      key: report.key,
      serial: cut(report.serial),
      proposedName: report.name,
      name,
      foldedName: name.toLowerCase(),
      model: cut(report.model),
      androidRelease: cut(report.androidRelease),
      state: cut(report.state),
      hint: report.hint === undefined ? null : cut(report.hint),
      labels: before?.labels ?? "[]",
      foregroundApp: report.foregroundApp == null ? null : cut(report.foregroundApp),
      leaseHolder: report.leaseHolder === undefined ? null : cut(report.leaseHolder),
      leaseExpiresAt: report.leaseExpiresAt ?? null,
      runningTask: report.runningTask === undefined ? null : cut(report.runningTask),
      asOf: now,
    };
  });
}

/** No field of a report may crowd out the others in a list. */
const cut = (text: string) => text.slice(0, 256);

function toDevice(row: DeviceRow): DirectoryDevice {
  const { serial: _, proposedName: __, foldedName: ___, labels, ...told } = row;
  return { ...told, labels: JSON.parse(labels) };
}

function isNameTaken(error: unknown): boolean {
  return error instanceof Error && (/UNIQUE constraint failed/.test(error.message) || isNameTaken(error.cause));
}

/** A cursor is the id of the last device shown. */
function after(cursor: string, tenant: string) {
  if (!/^dev_[0-9a-f]{20}$/.test(cursor)) {
    throw new CodedError("invalid_argument", "This cursor is not one of list_devices.", {
      hint: "List anew without it.",
    });
  }
  const last = sql`SELECT folded_name, id FROM devices WHERE id = ${cursor} AND tenant = ${tenant}`;
  return sql`(${devices.foldedName}, ${devices.id}) > (${last})`;
}
