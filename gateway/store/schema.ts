import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Instants are milliseconds since 1970. Migrations (migrations.ts) create what is described here. */
export const deviceAgents = sqliteTable("device_agents", {
  /** Hash of tenant and install id. */
  id: text().primaryKey(),
  tenant: text().notNull(),
  installId: text("install_id").notNull(),
  name: text().notNull(),
  version: text().notNull(),
  bootId: text("boot_id").notNull(),
  /** Only ever grows: which connection is the newest, and proof against a replay. */
  connectSeq: integer("connect_seq").notNull(),
  connectedAt: integer("connected_at").notNull(),
});

export const devices = sqliteTable(
  "devices",
  {
    /** Hash of device agent and key. */
    id: text().primaryKey(),
    tenant: text().notNull(),
    deviceAgentId: text("device_agent_id").notNull(),
    key: text().notNull(),
    serial: text().notNull(),
    /** As the device agent would call it; a change of it gives a new name. */
    proposedName: text("proposed_name").notNull(),
    name: text().notNull(),
    /** In lower case: unique per tenant, and the order of lists. */
    foldedName: text("folded_name").notNull(),
    model: text().notNull(),
    androidRelease: text("android_release").notNull(),
    /** ADB's word, or `offline` once the device agent no longer names the phone. */
    state: text().notNull(),
    hint: text(),
    /** A JSON array; set by operators. */
    labels: text().notNull().default("[]"),
    foregroundApp: text("foreground_app"),
    leaseHolder: text("lease_holder"),
    leaseExpiresAt: integer("lease_expires_at"),
    asOf: integer("as_of").notNull(),
  },
  (table) => [
    uniqueIndex("devices_name").on(table.tenant, table.foldedName),
    index("devices_device_agent").on(table.deviceAgentId),
  ],
);

export const schemaVersions = sqliteTable(
  "schema_versions",
  { version: integer().notNull(), appliedAt: integer("applied_at").notNull() },
  (table) => [primaryKey({ columns: [table.version] })],
);
